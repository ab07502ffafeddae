// Tests a track on the real client: what is noted, and what is told after a compaction and in a new session.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readLatest } from '../../src/addons/tracks/last-compaction.ts';
import { findCarriedPlan } from '../../src/addons/tracks/track-context.ts';
import { openSession } from '../kit/client.ts';
import { failures, plimsoll } from '../kit/plimsoll.ts';
import { countIn, textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { afterCompactions, bash, main, SMALL, sandboxFor, standard } from './said.ts';

const FILES = {
  'CLAUDE.md': '# Project\n',
  'docs/context/ROLES.md': '# Roles\n',
  'docs/tracks/ACTIVE_TRACK': 'cache\n',
  'docs/tracks/cache/SPEC.md': '# Cache\n',
  'docs/tracks/cache/PLAN.md': '# Plan\n',
  'docs/tracks/other/PLAN.md': '- [ ] Task: OTHER-TRACK\n',
  'docs/tracks/other/DECISIONS.md': '- Decision: OTHER-TRACK\n  - Reason: r\n  - Impact: i\n',
  'tests.sh': 'echo "FAIL evicts the oldest"; echo "1 failed"; exit 1\n',
  Makefile: 'test:\n\t@sh tests.sh\n',
};
const NOTED = [
  '- Decision: Keep one file',
  '  - Reason: no server',
  '  - Impact: none',
  '- [~] Task: Write the reader',
  '  - Acceptance: it reads',
];
const note = NOTED.map((line) => `'${line}'`).join(' ');
/** As an agent does it: the folder is named after its session. */
const write = bash(`printf '%s\\n' ${note} >> artifacts/sessions/$CLAUDE_CODE_SESSION_ID/work_log.md`);

const sessions = (sandbox: Sandbox): string => path.join(sandbox.projectDir, 'artifacts', 'sessions');
const latestOf = (folder: string) =>
  readLatest(readFileSync(path.join(folder, 'artifacts/checkpoints/cache/latest.json'), 'utf8'));

test('work, compaction, a new session: the model is told of its track alone, and the plan can be rebuilt in a clone', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    git: true,
    files: FILES,
    script: {
      main: [
        { tools: [bash('echo one'), bash('echo two')], fill: 30_000 },
        { tools: [bash('make test')], fill: 31_000 },
        { tools: [write], fill: 32_000 },
        {
          tools: [
            {
              name: 'Agent',
              input: {
                description: 'look',
                prompt: 'SUBAGENT',
                subagent_type: 'general-purpose',
                run_in_background: false,
              },
            },
          ],
          fill: 33_000,
        },
        {
          tools: [{ name: 'Write', input: { file_path: 'src/reader.ts', content: 'export {};\n' } }],
          fill: 34_000,
        },
        { text: 'worked', fill: 118_000 },
        { text: 'after the compaction', fill: 41_000 },
        { text: 'in a new session', fill: 30_000 },
      ],
      agent: [
        { tools: [bash('echo of the agent')], fill: 20_000 },
        { text: 'looked', fill: 20_500 },
      ],
    },
  });
  const first = openSession(sandbox, standard);
  await first.say('work');

  // One line for each call, those of the subagent too, between what the agent noted itself.
  const [session = ''] = readdirSync(sessions(sandbox));
  const log = readFileSync(path.join(sessions(sandbox), session, 'work_log.md'), 'utf8');
  const lines = log.split('\n').flatMap((line) => /^- \d{4}-\S+Z (.*)$/.exec(line)?.[1] ?? []);
  expect(lines).toEqual([
    'Bash `echo one`: ok',
    'Bash `echo two`: ok',
    'Bash `make test`: failed (exit 2)',
    expect.stringMatching(/^Bash `printf .*…`: ok$/),
    expect.stringMatching(/^Bash `echo of the agent`: ok \(agent general-purpose \w{8}\)$/),
    'Agent look: ok',
    'Write src/reader.ts: ok',
  ]);
  expect(log.split('\n')).toEqual(expect.arrayContaining(NOTED));
  expect(readFileSync(path.join(sessions(sandbox), session, 'test_output.txt'), 'utf8')).toContain(
    'FAIL evicts the oldest',
  );
  expect(readFileSync(path.join(sessions(sandbox), session, 'recent_diff.txt'), 'utf8')).toContain(
    'untracked: src/reader.ts',
  );

  await first.say('go on');
  await first.end();
  const second = openSession(sandbox, standard);
  await second.say('hello');
  await second.end();

  const latest = latestOf(sandbox.projectDir);
  const [compacted] = afterCompactions(sandbox);
  const [begun, anew] = [main(sandbox)[0], main(sandbox).at(-1)];
  if (!begun || !compacted || !anew) throw new Error('requests are missing');
  expect(countIn(begun, '<track-context>')).toBe(1);
  for (const request of [compacted, anew]) {
    const text = textOf(request);
    expect(text).toContain(
      "TRACK: cache (docs/tracks/ACTIVE_TRACK)\nFrom the project's files, not the user's words:\nPLAN (docs/tracks/cache/PLAN.md, whole, ",
    );
    expect(text).toMatch(/\[T-[0-9a-f]{10}\] Write the reader/);
    expect(text).toMatch(/- D-[0-9a-f]{10} Keep one file \(no server\)/);
    expect(text).not.toContain('OTHER-TRACK');
    // What the model received is the plan as checkpointed, to the byte.
    const carried = findCarriedPlan(text.slice(text.lastIndexOf('<track-context>')));
    expect(
      createHash('sha256')
        .update(carried?.text ?? '')
        .digest('hex'),
    ).toBe(latest?.plan?.sha256);
  }
  expect(countIn(compacted, '<compaction-alert>')).toBe(1);
  expect(failures(sandbox)).toEqual([]);

  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: sandbox.projectDir, env: sandbox.env, stdio: 'pipe' });
  git('add', '--all');
  git('commit', '--quiet', '--message=work');
  const clone = path.join(sandbox.root, 'work', 'clone');
  git('clone', '--quiet', '.', clone);
  const there = { env: sandbox.env, projectDir: clone };
  expect(plimsoll(there, 'track', 'verify').stdout).toMatch(/^recovery: held\n/m);
  const recovered = JSON.parse(plimsoll(there, 'track', 'show', '--full', '--json').stdout);
  expect(recovered).toMatchObject({ faults: [], drift: [], latest: { plan: latest?.plan } });
});
