// Tests that one unreadable log does not keep the commands from telling of all others.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION, STATE } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';

const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: { ...host.env, CLAUDE_CODE_SESSION_ID: SESSION }, projectDir: host.project }, ...args);
const OTHER = 'aaaaaaaa-1111-4222-8333-444455556666';

function begun(): Host {
  const host = newHost();
  host.fire('SessionStart', { source: 'startup' });
  host.append(request('go'), answer(30_000));
  host.fire('UserPromptSubmit');
  return host;
}

const odd: [string, (path: string) => unknown, RegExp][] = [
  ['a folder', (path) => mkdirSync(path), /cannot be read: Not a file/],
  ['a pipe', (path) => spawnSync('mkfifo', [path]), /cannot be read: Not a file/],
  ['a link to itself', (path) => symlinkSync(path, path), /cannot be read: A link stands in place of a file/],
  ['nothing but garbage', (path) => writeFileSync(path, '\uFEFFgarbage\n'), /:1: no JSON/],
];

test.each(some(odd, 2))(
  'beside %s in place of a log the others are told of, and it is named',
  (_, put, why) => {
    const host = begun();
    mkdirSync(host.state('sessions', OTHER));
    put(host.state('sessions', OTHER, 'events.jsonl'));
    for (const args of [
      ['events', '--all'],
      ['session', 'list'],
    ]) {
      const { code, stdout, stderr } = run(host, ...args);
      expect([args, code, stdout.includes(SESSION.slice(0, 8))]).toEqual([args, 0, true]);
      expect(stderr).toMatch(why);
      expect(stderr).toContain(`${STATE}/sessions/${OTHER}/events.jsonl`);
      const { problems } = JSON.parse(run(host, ...args, '--json').stdout) as { problems: object[] };
      expect(problems).toMatchObject([{ session: OTHER }]);
    }
    expect(run(host, 'events', '--all', '--count').stdout).toBe('1\n');
    expect(run(host, 'session', 'show', SESSION)).toMatchObject({ code: 0, stderr: '' });
    const named = run(host, 'events', '--session', OTHER.slice(0, 8));
    expect(named.code).toBe(0);
    expect(named.stderr).toMatch(why);
    for (const args of [['gc', '--dry-run'], ['status'], ['doctor', '--json']])
      expect([args, run(host, ...args).stderr]).toEqual([args, '']);
  },
);

test('where no log can be read, that is said, and not that nothing has happened', () => {
  const host = begun();
  writeFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'garbage\n');
  for (const args of [['events'], ['session', 'list'], ['session', 'status']]) {
    const { code, stdout, stderr } = run(host, ...args);
    expect([args, code]).toEqual([args, 0]);
    expect(stdout).not.toContain('yet');
    expect(stderr).toContain('events.jsonl:1: no JSON; left out');
  }
});

test('an event is one line, whatever its words hold', () => {
  const host = begun();
  const event = { schema_version: '1.0.0', session: SESSION, at: new Date().toISOString() };
  const fields = { type: 'AgentCompleted', agent: 'a\nb\u001b[31mc', agent_type: 'x' };
  writeFileSync(
    host.state('sessions', SESSION, 'events.jsonl'),
    `${JSON.stringify({ ...event, ...fields })}\n`,
    {
      flag: 'a',
    },
  );
  expect(run(host, 'events', '--type', 'AgentCompleted').stdout).toMatch(/ a bc, x\n$/);
});

test('a session whose state cannot be read is silenced as if it were new, and is not dropped', () => {
  const host = begun();
  const state = host.state('sessions', SESSION, 'state.json');
  writeFileSync(state, 'garbage');
  expect(run(host, 'session', 'abandon', '--json')).toMatchObject({ code: 1, stderr: '' });
  writeFileSync(state, 'garbage');
  expect(run(host, 'off', '--session', SESSION)).toMatchObject({ code: 0, stderr: '' });
  expect(host.fire('UserPromptSubmit').stdout).toBe('');
});
