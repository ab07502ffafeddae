// Tests that `plimsoll recall` finds what was said before a compaction, with time and place, without secrets.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { clientSession } from '../hooks/client-session.ts';
import { end, POINTER, work } from '../hooks/earlier.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { talk } from '../hooks/talk.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, type Line, request, summary, toolResult, toolUse } from '../unit/lines.ts';

const run = (host: Host, ...args: string[]) =>
  plimsoll(
    { env: { ...host.env, CLAUDE_CODE_SESSION_ID: SESSION }, projectDir: host.project },
    'recall',
    ...args,
  );
interface Found {
  line: number;
  who: string;
  of: string | null;
  text: string;
  time: string;
  compactions_before: number;
}
const found = (host: Host, ...words: string[]): Found[] =>
  (JSON.parse(run(host, ...words, '--session', SESSION, '--json').stdout) as { found: Found[] }).found;

const at = (minute: number): Line => ({
  timestamp: `2026-11-27T10:${String(minute).padStart(2, '0')}:00.000Z`,
});
const LINES: Line[] = [
  request('Build the parser. It listens on port 4173; never commit to main.', at(0)),
  toolUse('a', 'Bash', { command: 'npm test -- parser', description: 'Run the tests' }, at(1)),
  { ...toolResult('a', 'FAIL parser.test.ts > reads a BOM\nexpected 4173', { isError: true }), ...at(2) },
  toolUse('b', 'Bash', { command: 'git push --force' }, at(3)),
  {
    ...toolResult(
      'b',
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nports are fine, but no force push",
      { isError: true },
    ),
    ...at(4),
  },
  toolUse('c', 'AskUserQuestion', { questions: [] }, at(5)),
  {
    ...toolResult(
      'c',
      'User has answered your questions: "Which store?"="One SQLite file". You can now continue with the user\'s answers in mind.',
      {
        detail: { answers: { 'Which store?': 'One SQLite file' } },
      },
    ),
    ...at(6),
  },
  boundary('auto', 167_000, at(7)),
  summary(at(7)),
  request('请用端口 8080,不要提交', at(8)),
  request('日本語で説明してください。コミットしないで', at(9)),
  answer(1_000, { content: [{ type: 'text', text: 'The report goes to the printer.' }] }, at(10)),
  request('the key is AKIAIOSFODNN7EXAMPLQ for the bucket', at(11)),
  toolUse('d', 'Bash', { command: 'plimsoll recall port' }, at(12)),
  { ...toolResult('d', 'port port port'), ...at(13) },
];

function hostWith(...lines: Line[]): Host {
  const host = newHost();
  host.append(...lines);
  return host;
}

test('whole words before parts, the newest first, each with who, when and where', () => {
  const list = found(hostWith(...LINES), 'port');
  expect(list.map(({ who, line, compactions_before }) => [who, line, compactions_before])).toEqual([
    ['user', 1, 0],
    ['agent', 12, 1],
    ['refusal', 5, 0],
  ]);
  expect(list[0]).toMatchObject({ time: '2026-11-27T10:00:00.000Z', of: null });
  expect(list[2]).toMatchObject({ of: 'git push --force', text: 'ports are fine, but no force push' });
});

test.each<[string[], string, string]>([
  [['4173', 'parser'], 'output', 'FAIL parser.test.ts > reads a BOM expected 4173'],
  [['sqlite'], 'answer', 'One SQLite file'],
  [['FORCE', 'push'], 'refusal', 'ports are fine, but no force push'],
  [['tests', 'npm'], 'command', 'npm test -- parser'],
  [['端口'], 'user', '请用端口 8080,不要提交'],
  [['コミット'], 'user', '日本語で説明してください。コミットしないで'],
])('%j is found first in %s', (words, who, text) => {
  const host = hostWith(...LINES);
  expect(found(host, ...words)[0]).toMatchObject({ who, text });
});

test('secrets are redacted, also where they are looked for', () => {
  const host = hostWith(...LINES);
  expect(found(host, 'bucket')[0]?.text).toBe('the key is [redacted] for the bucket');
  expect(run(host, 'AKIAIOSFODNN7EXAMPLQ', '--session', SESSION).stdout).toContain(
    'the key is [redacted] for',
  );
});

test('the text for people says where it looked, and when nothing is there', () => {
  const host = hostWith(...LINES);
  expect(run(host, 'sqlite', '--session', SESSION).stdout).toBe(
    "2026-11-27 10:06Z  line 7  the user's answer (Which store?)\n  One SQLite file\n\nLooked through 1 session of this work.\n",
  );
  expect(run(host, 'zebra', '--session', SESSION).stdout).toBe(
    'Nothing holds "zebra" in 1 session of this work.\n',
  );
  expect(run(host, 'x', '--limit', '0').code).toBe(2);
});

test('what the client kept in its queue is found once', () => {
  const enqueue = (content: string): Line => ({ type: 'queue-operation', operation: 'enqueue', content });
  const host = hostWith(
    enqueue('which port is it?'),
    request('which port is it?'),
    enqueue('and the port of the tests?'),
    enqueue('a port that the agent was not given yet'),
    request('and the port of the tests?'),
    request('which port is it?'),
  );
  expect(
    found(host, 'port')
      .map(({ line }) => line)
      .sort(),
  ).toEqual([1, 3, 4, 6]);
});

test('a long output is searched to its end, and told around the place', () => {
  const host = hostWith(
    toolUse('a', 'Bash', { command: 'cat log' }),
    toolResult('a', `${'line of the log\n'.repeat(60_000)}the needle stands here\n${'more\n'.repeat(1_000)}`),
  );
  const [first] = found(host, 'needle');
  expect(first?.text).toContain('the needle stands here');
  expect(first?.text.length).toBeLessThan(400);
});

test('--limit bounds what is told', () => {
  const host = hostWith(
    ...Array.from({ length: 300 }, (_, index) => request(`note ${index}`, at(index % 60))),
  );
  const { stdout } = run(host, 'note', '--session', SESSION, '--limit', '3', '--json');
  const list = (JSON.parse(stdout) as { found: Found[] }).found;
  expect(list.map(({ line }) => line)).toEqual([300, 240, 180]);
});

test('the sessions of the thread are searched as well, also one whose transcript is gone', async () => {
  const host = newHost();
  const first = clientSession(host, 'aaaaaaaa-1111-4222-8333-444455556666');
  first.start();
  first.prompt('Build the parser, and never touch the zebra table');
  first.tool('TodoWrite', { todos: [{ content: 'Write it', status: 'pending', activeForm: 'Writing it' }] });
  await first.end();
  const second = clientSession(host, SESSION);
  second.start();
  second.prompt('go on');
  second.tool('Bash', { command: 'npm test' });
  await second.end();
  expect(found(host, 'zebra')[0]).toMatchObject({ who: 'user', line: expect.any(Number) });
  rmSync(join(dirname(host.transcript), `${first.id}.jsonl`));
  expect(found(host, 'zebra')[0]).toMatchObject({ who: 'user', line: null });
  expect(run(host, 'zebra', '--session', SESSION).stdout).toContain('of 1 more session only the ledger');
});

test('finds what a person has noted in a shell of their own, and gives its time with its zone', () => {
  const host = hostWith(...LINES);
  host.fire('UserPromptSubmit', { prompt: 'x' });
  const noted = plimsoll(
    { env: host.env, projectDir: host.project },
    'note',
    'the printer is in room 12',
    '--session',
    SESSION,
  );
  expect(noted).toMatchObject({ code: 0, stderr: '' });
  expect(found(host, 'room')).toMatchObject([
    { line: null, who: 'user', of: 'note', text: 'the printer is in room 12' },
  ]);
  expect(run(host, 'room').stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\dZ {2}ledger {2}the user \(note\)\n/);
  expect(run(host, 'never').stdout).toMatch(/^2026-11-27 10:00Z {2}line 1 /);
});

test('what the session before said is no part of this work, and where it is found is told', async () => {
  const host = newHost();
  await end(work(host, 'session-a', []));
  const b = talk(host, 'session-b');
  expect(b.fire('SessionStart', { source: 'startup' }).context).toContain(POINTER);
  b.fire('UserPromptSubmit', { prompt: 'x' });
  b.write(request('Write the docs'), answer(30_000));
  expect(run(host, 'lexer', '--session', 'session-b').stdout).toBe(
    'Nothing holds "lexer" in 1 session of this work. Of the session before: plimsoll recall WORDS --session session-a\n',
  );
});
