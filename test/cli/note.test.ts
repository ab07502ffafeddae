// Tests that a note goes into the right work log, in the form of the schema, and changes nothing else.
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkLog } from '../../src/addons/tracks/work-log/work-log.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { READY } from '../unit/tracks.ts';
import { run } from './healthy.ts';

const log = (session: string): string => `artifacts/sessions/${session}/work_log.md`;
const entriesIn = (host: Host, session: string) => {
  const { entries, violations } = readWorkLog(
    log(session),
    readFileSync(path.join(host.project, log(session)), 'utf8'),
  );
  expect(violations).toEqual([]);
  return entries;
};
const project = (env: Record<string, string> = {}): Host =>
  newHost({ files: { ...READY, 'docs/tracks/net/SPEC.md': '' }, env });

test('each kind is appended with its fields, its time and its track', () => {
  const host = project();
  const at = ['--at', '2026-01-31T11:00:00+02:00'];
  expect(
    run(host, 'note', 'decision', 'One file', '--reason', 'no server', '--impact', 'small', ...at).code,
  ).toBe(0);
  expect(
    run(
      host,
      'note',
      'risk',
      'Full',
      '--severity',
      'high',
      '--mitigation',
      'say so',
      '--status',
      'open',
      '--id',
      'R-001',
      ...at,
    ).code,
  ).toBe(0);
  expect(
    run(
      host,
      'note',
      'task',
      'Write it',
      '--state',
      'doing',
      '--acceptance',
      'a',
      '--acceptance',
      'b',
      '--track',
      'net',
      ...at,
    ).code,
  ).toBe(0);
  expect(run(host, 'note', 'invariant', 'Hooks never block', ...at).code).toBe(0);
  expect(entriesIn(host, 'notes').map(({ source, ...rest }) => rest)).toEqual([
    {
      kind: 'decision',
      text: 'One file',
      id: null,
      at: '2026-01-31T09:00:00Z',
      transcript: null,
      track: 'cache',
      reason: 'no server',
      impact: 'small',
    },
    {
      kind: 'risk',
      text: 'Full',
      id: 'R-001',
      at: '2026-01-31T09:00:00Z',
      transcript: null,
      track: 'cache',
      severity: 'high',
      mitigation: 'say so',
      status: 'open',
    },
    {
      kind: 'task',
      text: 'Write it',
      id: null,
      at: '2026-01-31T09:00:00Z',
      transcript: null,
      track: 'net',
      state: 'doing',
      acceptance: ['a', 'b'],
    },
    {
      kind: 'invariant',
      text: 'Hooks never block',
      id: null,
      at: '2026-01-31T09:00:00Z',
      transcript: null,
      track: 'cache',
    },
  ]);
});

test('it goes to the named session, else to the session of the shell, else to "notes"; and it is said', () => {
  const host = project({ CLAUDE_CODE_SESSION_ID: SESSION });
  expect(run(host, 'note', 'invariant', 'x').stdout).toMatch(
    `Noted for cache in ${log(SESSION)}, of this session:\n  - Invariant: x\n`,
  );
  expect(run(host, 'note', 'invariant', 'y', '--session', 'other').stdout).toMatch(`in ${log('other')}:\n`);
  expect(run(host, 'note', '--session', 'first', 'invariant', 'w', '--json').stdout).toMatch(
    `"file": "${log('first')}"`,
  );
  delete host.env.CLAUDE_CODE_SESSION_ID;
  expect(run(host, 'note', 'invariant', 'z').stdout).toMatch(`in ${log('notes')}, outside of any session:\n`);
  for (const [session, text] of [
    [SESSION, 'x'],
    ['other', 'y'],
    ['first', 'w'],
    ['notes', 'z'],
  ] as const)
    expect(entriesIn(host, session)).toMatchObject([{ text }]);
});

test('what a session notes names the message behind which it was noted, and the compaction carries it', () => {
  const host = project({ CLAUDE_CODE_SESSION_ID: SESSION });
  const uuid = '0f6e3a52-1111-4222-8333-000000000002';
  host.append(
    { ...request('task'), uuid: '0f6e3a52-1111-4222-8333-000000000001' },
    { ...answer(20_000), uuid },
    { ...answer(20_000), uuid: '0f6e3a52-1111-4222-8333-000000000003', isSidechain: true },
  );
  host.fire('UserPromptSubmit', { prompt: 'x' });
  writeFileSync(host.transcript, `${readFileSync(host.transcript, 'utf8')}{"type":"assistant","uuid":"torn`);
  expect(run(host, 'note', 'task', 'Write it', '--acceptance', 'reads').stdout).toContain(
    `  - Transcript: ${uuid}`,
  );
  expect(entriesIn(host, SESSION)).toMatchObject([{ text: 'Write it', transcript: uuid }]);
  expect(run(host, 'track', 'sync').code).toBe(0);
  const folder = path.join(host.project, 'docs/tracks/cache/entries');
  const [entry = ''] = readdirSync(folder);
  expect(readFileSync(path.join(folder, entry), 'utf8')).toContain(
    `session: ${SESSION}\nsource: ${log(SESSION)}\ntranscript: ${uuid}\n`,
  );
  expect(run(host, 'track', 'sync').stdout).toContain('up to date');
});

test('the time is now where none is given, and a secret is not written', () => {
  const host = project();
  const before = new Date().toISOString().slice(0, 19);
  const key = `sk-ant-api03-${'a1B2'.repeat(12)}`;
  run(host, 'note', 'decision', `Log in with ${key}`, '--reason', `it is ${key}`, '--impact', 'small');
  const [entry] = entriesIn(host, 'notes');
  expect((entry?.at ?? '') >= `${before}Z`).toBe(true);
  expect(readFileSync(path.join(host.project, log('notes')), 'utf8')).not.toContain('a1B2a1B2');
});

describe('nothing is written, and the next step said', () => {
  test.each<[string, string[], number, RegExp]>([
    [
      'without a reason',
      ['decision', 'x', '--impact', 'y'],
      2,
      /no Reason; expected: .*\n {2}Next: plimsoll note decision --help lists the options that give these lines:\n- Decision: …\n/,
    ],
    [
      'with an unknown severity',
      ['risk', 'x', '--severity', 'grave'],
      2,
      /Severity "grave"; expected: one of low, medium/,
    ],
    [
      'with a time that is none',
      ['invariant', 'x', '--at', 'yesterday'],
      2,
      /"yesterday" is no time\n {2}Next: .*--at 2026/,
    ],
    ['for a track that is not there', ['invariant', 'x', '--track', 'gone'], 1, /There is no track "gone"/],
    ['for no track at all', ['invariant', 'x', '--track', '../x'], 2, /is no id of a track/],
  ])('%s', (_, args, code, message) => {
    const host = project();
    const result = run(host, 'note', ...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(existsSync(path.join(host.project, 'artifacts'))).toBe(false);
  });

  test('where no track is active', () => {
    const host = newHost();
    expect(run(host, 'note', 'invariant', 'x').stderr).toMatch(/No track is active here/);
  });

  test('where a code block hides what would follow', () => {
    const host = project();
    run(host, 'note', 'invariant', 'x');
    const file = path.join(host.project, log('notes'));
    const before = `${readFileSync(file, 'utf8')}\`\`\`\n`;
    writeFileSync(file, before);
    const { code, stderr } = run(host, 'note', 'invariant', 'y');
    expect(code).toBe(1);
    expect(stderr).toMatch(/work_log\.md:4 begins a code block that never ends/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

test('a note on another track than the one that is worked on names the command that takes it up', () => {
  const host = project();
  const note = (...more: string[]) => run(host, 'note', 'task', 'Ship it', ...more).stdout;
  expect(note()).toContain('Next: the next compaction takes it into the files of the track;');
  expect(note('--track', 'net')).toContain('Next: "plimsoll track sync net" takes it into the files');
});

test('a folder that leads out of the project takes no note, and is no fault of plimsoll', () => {
  const host = project();
  symlinkSync(host.root, path.join(host.project, 'artifacts'));
  const { code, stderr } = run(host, 'note', 'task', 'Ship it');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was noted\. A link leads out of the project: .*\n {2}Next: put /),
  ]);
  expect(existsSync(path.join(host.root, 'sessions'))).toBe(false);
});
