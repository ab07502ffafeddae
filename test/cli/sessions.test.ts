// Tests that commands tell what happened in which thread of work, and that a person can begin and end one.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { type Host, newHost, SESSION, STATE } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';

/** A command as the agent of the session runs it. */
const inside = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: { ...host.env, CLAUDE_CODE_SESSION_ID: SESSION }, projectDir: host.project }, ...args);
const outside = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
const json = <T = Record<string, never>>(result: CliResult): T => JSON.parse(result.stdout) as T;
const eventsIn = (host: Host, stream = SESSION): LoggedEvent[] =>
  readFileSync(host.state('events', `${stream}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LoggedEvent);

/** A session that was compacted twice. */
function compactedTwice(files: Record<string, string> = {}): Host {
  const host = newHost({ files });
  host.fire('SessionStart', { source: 'startup' });
  host.fire('UserPromptSubmit');
  for (const number of [1, 2]) {
    host.append(request('go'), answer(150_000 + number, { id: `m${number}` }));
    host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
    host.fire('SessionStart', { source: 'compact' });
    host.append(boundary('auto', 150_000 + number), summary(), answer(30_000, { id: `after${number}` }));
    host.fire('PostToolBatch', { tool_calls: [] });
  }
  return host;
}

describe('events', () => {
  test('answers how many compactions there were in a thread, with the bare number', () => {
    const host = compactedTwice();
    for (const id of [SESSION, SESSION.slice(0, 6)]) {
      const result = outside(host, 'events', '--type', 'CompactionDetected', '--session', id, '--count');
      expect(result).toEqual({ code: 0, stdout: '2\n', stderr: '' });
    }
    expect(inside(host, 'events', '--type', 'compactiondetected', '--count').stdout).toBe('2\n');
    expect(json(inside(host, 'events', '--count', '--type', 'AlertLeased', '--json'))).toEqual({
      thread: SESSION,
      count: 2,
      problems: [],
    });
  });

  test('lists them in words, in order', () => {
    const host = compactedTwice();
    const { stdout, stderr, code } = inside(host, 'events', '--type', 'SessionStarted,CompactionDetected');
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout.replace(/^\S+ [\d:]+Z/gm, 'AT')).toBe(
      'AT  SessionStarted\nAT  CompactionDetected      compaction 1, auto, 150,001 tokens\nAT  CompactionDetected      compaction 2, auto, 150,002 tokens\n',
    );
  });

  test('gives events as they stand, of a thread or of all', () => {
    const host = compactedTwice();
    const other = { session_id: 'other', transcript_path: null };
    host.fire('SessionStart', { ...other, source: 'startup' });
    host.fire('UserPromptSubmit', other);
    const own = json<{ thread: string; events: LoggedEvent[] }>(inside(host, 'events', '--json'));
    expect(own).toMatchObject({ thread: SESSION, events: eventsIn(host) });
    const all = json<{ thread: null; events: LoggedEvent[] }>(inside(host, 'events', '--all', '--json'));
    expect(all.thread).toBeNull();
    expect(all.events).toHaveLength(own.events.length + 1);
    expect(json<{ thread: null }>(outside(host, 'events', '--json')).thread).toBeNull();
    expect(outside(host, 'events').stdout).toContain('Z  other     SessionStarted\n');
  });

  test('knows since when', () => {
    const host = compactedTwice();
    const lines = eventsIn(host).map((event, index) =>
      JSON.stringify({ ...event, at: index < 3 ? '2026-01-01T00:00:00.000Z' : event.at }),
    );
    const all = lines.length;
    const file = host.state('events', `${SESSION}.jsonl`);

    writeFileSync(file, `${lines.join('\n')}\n`);
    for (const [since, expected] of [
      ['2h', all - 3],
      ['3d', all - 3],
      ['2026-01-01', all],
      ['2026-01-01T00:00:01Z', all - 3],
      ['5000d', all],
    ] as const)
      expect([since, inside(host, 'events', '--since', since, '--count').stdout]).toEqual([
        since,
        `${expected}\n`,
      ]);
  });

  test.each([
    [
      ['--type', 'CompactionDetect'],
      'There is no event "CompactionDetect"\n  Next: did you mean CompactionDetected? Known: SessionStarted,',
    ],
    [['--type', 'x'], 'There is no event "x"\n  Next: Known: SessionStarted,'],
    [['--since', 'yesterday'], '"yesterday" is no time\n  Next: a time such as'],
    [['--since', '2026-99-99'], '"2026-99-99" is no time'],
    [['--session', 'x', '--all'], 'Both --session and --all are given'],
  ])('says what is wrong with %j', (args, message) => {
    const host = compactedTwice();
    const result = inside(host, 'events', ...args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
  });

  test('says which thread is not there, and which are meant', () => {
    const host = compactedTwice();
    for (const id of ['abc-1', 'abc-2']) {
      host.fire('SessionStart', { session_id: id, source: 'startup' });
      host.fire('UserPromptSubmit', { session_id: id });
    }
    expect(outside(host, 'events', '--session', 'zzz')).toMatchObject({
      code: 1,
      stderr:
        'No thread or session "zzz" in this project\n  Next: plimsoll session list shows what is there\n',
    });
    const several = outside(host, 'events', '--session', 'abc');
    expect(several.code).toBe(2);
    expect(several.stderr).toMatch(
      /^"abc" may be one of 2 threads: abc-[12], abc-[12]\n {2}Next: name more of the id\n$/,
    );
  });

  test('leaves out what is no event, and says where', () => {
    const host = compactedTwice();
    const number = eventsIn(host).length;
    appendFileSync(host.state('events', `${SESSION}.jsonl`), 'garbage\n{"half":');
    const result = inside(host, 'events', '--count');
    expect(result).toMatchObject({ code: 0, stdout: `${number}\n` });
    expect(result.stderr).toBe(
      `${STATE}/events/${SESSION}.jsonl:${number + 1}: no JSON; left out\n${STATE}/events/${SESSION}.jsonl:${number + 2}: torn: its writer died; left out\n`,
    );
    expect(json<{ problems: object[] }>(inside(host, 'events', '--json')).problems).toEqual([
      { thread: SESSION, line: number + 1, problem: 'no JSON' },
      { thread: SESSION, line: number + 2, problem: 'torn: its writer died' },
    ]);
  });

  test('is no fault where nothing has happened yet', () => {
    const host = newHost();
    expect(outside(host, 'events')).toEqual({
      code: 0,
      stdout: 'No events yet in this project.\n',
      stderr: '',
    });
    expect(outside(host, 'events', '--count').stdout).toBe('0\n');
    expect(outside(host, 'session', 'list').stdout).toContain('No thread of work yet');
    expect(json(outside(host, 'session', 'status', '--json'))).toEqual({ thread: null });
    expect(outside(host, 'session', 'show')).toMatchObject({ code: 1 });
  });
});

describe('session', () => {
  test('status, list and show tell how it stands', () => {
    const host = compactedTwice();
    const status = inside(host, 'session', 'status');
    expect(status.stdout).toMatch(
      /^Thread {4}0f6e3a52-\S+\nStatus {4}active\nStarted {3}just now \(\S+Z\)\nSession {3}0f6e3a52-\S+\nHappened {2}2 compactions, \d checkpoints, \d tier rises, 2 alerts/,
    );
    expect(inside(host, 'session', 'list').stdout).toMatch(
      /^0f6e3a52-\S+ {2}active {5}begun just now, 2 compactions.*\(this one\)\n$/,
    );
    const { stdout } = inside(host, 'session', 'show');
    expect(stdout).toContain('Z  CompactionDetected      compaction 2, auto, 150,002 tokens\n');
    expect(json(inside(host, 'session', 'show', '--json'))).toMatchObject({
      thread: {
        id: SESSION,
        status: 'active',
        under_way: true,
        sessions: [SESSION],
        counts: { compactions: 2, alerts: 2 },
      },
      events: eventsIn(host),
      problems: [],
    });
  });

  test('end completes it: the turn goes on without one, and the next prompt begins another', () => {
    const host = compactedTwice();
    expect(
      inside(host, 'session', 'end', '--reason', 'released\nwith token ghp_a1B2a1B2a1B2a1B2a1B2').stdout,
    ).toBe(
      `Thread ${SESSION} is completed: released with token [redacted]. The next prompt begins another one.\n`,
    );
    const again = inside(host, 'session', 'end');
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/^Thread 0f6e3a52-\S+ is completed already, just now: released/);
    host.fire('PostToolBatch', { tool_calls: [] });
    expect(eventsIn(host).at(-1)).toMatchObject({
      type: 'SessionCompleted',
      cause: 'person',
      conversation: SESSION,
    });
    host.fire('UserPromptSubmit');
    expect(eventsIn(host, `${SESSION}~2`)).toMatchObject([{ type: 'SessionStarted', previous: SESSION }]);
    expect(inside(host, 'session', 'list').stdout.split('\n')).toHaveLength(3);
    expect(inside(host, 'session', 'status').stdout).toContain(`After     ${SESSION}\n`);
  });

  test('abandon gives it up for a reason, and start begins another one', () => {
    const host = compactedTwice();
    expect(inside(host, 'session', 'abandon')).toMatchObject({
      code: 2,
      stderr: 'No reason is given\n  Next: plimsoll session abandon --reason "the plan has changed"\n',
    });
    const refused = inside(host, 'session', 'start');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('goes on since just now');
    expect(outside(host, 'session', 'abandon', SESSION.slice(0, 8), '--reason', 'why', '--json').stdout).toBe(
      `${JSON.stringify({ thread: SESSION, status: 'abandoned', reason: 'why' }, null, 2)}\n`,
    );
    expect(inside(host, 'session', 'start').stdout).toBe(
      `Thread ${SESSION}~2 has begun in session ${SESSION}.\n`,
    );
    host.fire('UserPromptSubmit');
    host.fire('SessionEnd', { reason: 'other' });
    expect(eventsIn(host, `${SESSION}~2`).map(({ type }) => type)).toEqual([
      'SessionStarted',
      'SessionCompleted',
    ]);
    expect(eventsIn(host).at(-1)).toMatchObject({ type: 'SessionAbandoned', reason: 'why', cause: 'person' });
  });

  test('start says so where no session is known', () => {
    const host = newHost();
    expect(outside(host, 'session', 'start').stderr).toContain('No session of Claude Code was found here');
    expect(outside(host, 'session', 'start', '--session', 'x').stderr).toContain(
      'Nothing is known of session "x"',
    );
  });
});

test('gates that were scored, passed and failed, and checkpoints by hand, are events of the thread', () => {
  const host = compactedTwice();
  const file = ['workflow:', '  id: w', '  status: ACTIVE', ''].join('\n');

  writeFileSync(`${host.project}/ORCHESTRATION.yaml`, file);
  for (const args of [
    ['init'],
    ['gate', 'enter', 'qg-1'],
    ['gate', 'score', 'qg-1', '0.88'],
    ['gate', 'fail', 'qg-1'],
    ['gate', 'score', 'qg-1', '0.93'],
    ['gate', 'pass', 'qg-1'],
  ])
    expect(inside(host, 'state', ...args)).toMatchObject({ code: 0, stderr: '' });
  const gates = eventsIn(host).filter(({ type }) => type === 'GateScored');
  expect(gates.map(({ at: _, version: __, schema_version: ___, stream: ____, ...event }) => event)).toEqual([
    { type: 'GateScored', conversation: SESSION, gate: 'qg-1', iteration: 1, score: 0.88, verdict: 'scored' },
    { type: 'GateScored', conversation: SESSION, gate: 'qg-1', iteration: 1, score: 0.88, verdict: 'failed' },
    { type: 'GateScored', conversation: SESSION, gate: 'qg-1', iteration: 2, score: 0.93, verdict: 'scored' },
    { type: 'GateScored', conversation: SESSION, gate: 'qg-1', iteration: 2, score: 0.93, verdict: 'passed' },
  ]);
  expect(inside(host, 'checkpoint', 'create')).toMatchObject({ code: 0, stderr: '' });
  expect(eventsIn(host).at(-1)).toMatchObject({
    type: 'CheckpointCreated',
    trigger: 'cli',
    conversation: SESSION,
  });
});
