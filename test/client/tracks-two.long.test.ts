// Tests two sessions of the real client on two tracks: each notes and is told its own, refused compactions included.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { CLI, failures, plimsoll } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { bash, main, SMALL, sandboxFor, standard } from './said.ts';

const ONE = '11111111-aaaa-4aaa-8aaa-111111111111';
const TWO = '22222222-bbbb-4bbb-8bbb-222222222222';
const note = (...words: string[]) =>
  bash(`"${process.execPath}" "${CLI}" note ${words.map((word) => `'${word}'`).join(' ')}`);

test('each session notes for its own track, is told of it after a compaction, and alone hears of a refusal', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    git: true,
    files: {
      'docs/tracks/ACTIVE_TRACK': 'idle\n',
      'docs/tracks/idle/PLAN.md': '- [ ] Task: IDLE-TRACK\n',
      'docs/tracks/alpha/PLAN.md': '# Alpha\n',
      'docs/tracks/beta/PLAN.md': '# Beta\n',
    },
    script: {
      main: [
        { tools: [note('task', 'ALPHA-TASK', '--acceptance', 'a')], fill: 30_000 },
        { text: 'alpha noted', fill: 31_000 },
        { tools: [note('decision', 'BETA-CHOICE', '--reason', 'r', '--impact', 'i')], fill: 30_000 },
        { text: 'beta noted', fill: 31_000 },
        { text: 'alpha is full', fill: 118_000 },
        { text: 'beta is full', fill: 118_000 },
        { text: 'alpha after the compaction', fill: 41_000 },
        { text: 'beta after the compaction', fill: 41_000 },
      ],
    },
  });
  const there = { env: sandbox.env, projectDir: sandbox.projectDir };
  expect(plimsoll(there, 'track', 'activate', 'alpha', '--session', ONE).code).toBe(0);
  const one = openSession(sandbox, [...standard, '--session-id', ONE]);
  const two = openSession({ ...sandbox, env: { ...sandbox.env, PLIMSOLL_TRACK: 'beta' } }, [
    ...standard,
    '--session-id',
    TWO,
  ]);
  await one.say('note of alpha');
  await two.say('note of beta');
  const log = (session: string): string =>
    path.join(sandbox.projectDir, 'artifacts/sessions', session, 'work_log.md');
  expect(readFileSync(log(ONE), 'utf8')).toContain('<!-- plimsoll work log; track: alpha -->');
  expect(readFileSync(log(TWO), 'utf8')).toContain('<!-- plimsoll work log; track: beta -->');
  writeFileSync(log(TWO), `${readFileSync(log(TWO), 'utf8')}- Risk: unsaid\n`);
  await one.say('fill alpha');
  await two.say('fill beta');
  await one.say('compact alpha');
  await two.say('compact beta');
  await one.end();
  await two.end();

  const [alpha, beta] = main(sandbox).slice(-2).map(textOf);
  expect(alpha).toContain('TRACK: alpha (pinned to this session)');
  expect(alpha).toMatch(/\[T-[0-9a-f]{10}\] ALPHA-TASK/);
  expect(alpha).not.toMatch(/BETA-CHOICE|IDLE-TRACK|TRACK NOT COMPACTED/);
  expect(beta).toContain('TRACK: beta (PLIMSOLL_TRACK)');
  expect(beta).toMatch(
    /TRACK NOT COMPACTED: beta: artifacts\/sessions\/\S+\/work_log\.md:\d+: found no Severity/,
  );
  expect(beta).not.toMatch(/ALPHA-TASK|IDLE-TRACK/);
  const plan = (track: string): string =>
    readFileSync(path.join(sandbox.projectDir, 'docs/tracks', track, 'PLAN.md'), 'utf8');
  expect(plan('alpha')).toMatch(/- \[ \] Task: \[T-[0-9a-f]{10}\] ALPHA-TASK\n {2}- Acceptance: a\n/);
  expect([plan('beta'), plan('idle')]).toEqual(['# Beta\n', '- [ ] Task: IDLE-TRACK\n']);
  // Once at the rise, and once before the compaction.
  const refused = expect.stringContaining('The track beta was not compacted');
  expect(failures(sandbox).map((line) => JSON.stringify(line))).toEqual([refused, refused]);
});
