// Tests that commands tell what happened in which session and how it stands.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { type Host, newHost, SESSION, STATE } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request, summary, toolResult, toolUse } from '../unit/lines.ts';

/** A command as the agent of the session runs it. */
const inside = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: { ...host.env, CLAUDE_CODE_SESSION_ID: SESSION }, projectDir: host.project }, ...args);
const outside = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
const json = <T = Record<string, never>>(result: CliResult): T => JSON.parse(result.stdout) as T;
const eventsIn = (host: Host): LoggedEvent[] =>
  readFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'utf8')
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
  test('answers how many compactions there were in a session, with the bare number', () => {
    const host = compactedTwice();
    for (const id of [SESSION, SESSION.slice(0, 6)]) {
      const result = outside(host, 'events', '--type', 'CompactionDetected', '--session', id, '--count');
      expect(result).toEqual({ code: 0, stdout: '2\n', stderr: '' });
    }
    expect(inside(host, 'events', '--type', 'compactiondetected', '--count').stdout).toBe('2\n');
    expect(json(inside(host, 'events', '--count', '--type', 'AlertLeased', '--json'))).toEqual({
      session: SESSION,
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

  test('gives events as they stand, of a session or of all', () => {
    const host = compactedTwice();
    const other = { session_id: 'other', transcript_path: null };
    host.fire('SessionStart', { ...other, source: 'startup' });
    host.fire('UserPromptSubmit', other);
    const own = json<{ session: string; events: LoggedEvent[] }>(inside(host, 'events', '--json'));
    expect(own).toMatchObject({ session: SESSION, events: eventsIn(host) });
    const all = json<{ session: null; events: LoggedEvent[] }>(inside(host, 'events', '--all', '--json'));
    expect(all.session).toBeNull();
    expect(all.events).toHaveLength(own.events.length + 1);
    expect(json<{ session: null }>(outside(host, 'events', '--json')).session).toBeNull();
    expect(outside(host, 'events').stdout).toContain('Z  other     SessionStarted\n');
  });

  test('knows since when', () => {
    const host = compactedTwice();
    const lines = eventsIn(host).map((event, index) =>
      JSON.stringify({ ...event, at: index < 3 ? '2026-01-01T00:00:00.000Z' : event.at }),
    );
    const all = lines.length;
    const file = host.state('sessions', SESSION, 'events.jsonl');

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

  test('says which session is not there, and which are meant', () => {
    const host = compactedTwice();
    for (const id of ['abc-1', 'abc-2']) {
      host.fire('SessionStart', { session_id: id, source: 'startup' });
      host.fire('UserPromptSubmit', { session_id: id });
    }
    expect(outside(host, 'events', '--session', 'zzz')).toMatchObject({
      code: 1,
      stderr: 'No session "zzz" in this project\n  Next: plimsoll session list shows what is there\n',
    });
    const several = outside(host, 'events', '--session', 'abc');
    expect(several.code).toBe(2);
    expect(several.stderr).toMatch(
      /^"abc" may be one of 2 sessions: abc-[12], abc-[12]\n {2}Next: name more of the id\n$/,
    );
  });

  test('leaves out what is no event, and says where', () => {
    const host = compactedTwice();
    const number = eventsIn(host).length;
    appendFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'garbage\n{"half":');
    const result = inside(host, 'events', '--count');
    expect(result).toMatchObject({ code: 0, stdout: `${number}\n` });
    expect(result.stderr).toBe(
      `${STATE}/sessions/${SESSION}/events.jsonl:${number + 1}: no JSON; left out\n${STATE}/sessions/${SESSION}/events.jsonl:${number + 2}: torn: its writer died; left out\n`,
    );
    expect(json<{ problems: object[] }>(inside(host, 'events', '--json')).problems).toEqual([
      { session: SESSION, line: number + 1, problem: 'no JSON' },
      { session: SESSION, line: number + 2, problem: 'torn: its writer died' },
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
    expect(outside(host, 'session', 'list').stdout).toContain('No session yet');
    expect(json(outside(host, 'session', 'status', '--json'))).toEqual({ session: null });
    expect(outside(host, 'session', 'show')).toMatchObject({ code: 1 });
  });
});

describe('session', () => {
  test('status, list and show tell how it stands', () => {
    const host = compactedTwice();
    const status = inside(host, 'session', 'status');
    expect(status.stdout).toMatch(
      /^Session {3}0f6e3a52-\S+\nStatus {4}running\nStarted {3}just now \(\S+Z\)\nHappened {2}2 compactions, \d checkpoints, \d tier rises, 2 alerts/,
    );
    expect(inside(host, 'session', 'list').stdout).toMatch(
      /^0f6e3a52-\S+ {2}running {2}begun just now, 2 compactions.*\(this one\)\n$/,
    );
    const { stdout } = inside(host, 'session', 'show');
    expect(stdout).toContain('Z  CompactionDetected      compaction 2, auto, 150,002 tokens\n');
    expect(json(inside(host, 'session', 'show', '--json'))).toMatchObject({
      session: {
        id: SESSION,
        status: 'running',
        continues: null,
        continued_in: null,
        counts: { compactions: 2, alerts: 2 },
      },
      events: eventsIn(host),
      problems: [],
    });
  });

  test('list never says more of an ended one than that it ended, and how many tasks it left open', () => {
    const host = compactedTwice();
    const input = (status: string) => ({
      todos: [
        { content: 'a', status },
        { content: 'b', status: 'completed' },
      ],
    });
    host.append(toolUse('t1', 'TodoWrite', input('in_progress')), toolResult('t1'));
    host.fire('PostToolBatch', { tool_calls: [] });
    host.fire('SessionEnd', { reason: 'other' });
    const { stdout } = inside(host, 'session', 'list');
    expect(stdout).toMatch(/^0f6e3a52-\S+ {2}ended {4}begun just now, .*, 1 open task {2}\(this one\)\n$/);
    expect(json<{ sessions: object[] }>(outside(host, 'session', 'list', '--json')).sessions).toMatchObject([
      { id: SESSION, status: 'ended', reason: 'other', open_tasks: 1 },
    ]);
    expect(inside(host, 'session', 'status').stdout).toContain(
      'Status    ended just now: other, 1 open task\n',
    );
  });

  test('abandon says what it did, and says so again only once', () => {
    const host = compactedTwice();
    expect(
      inside(host, 'session', 'abandon', '--reason', 'with token ghp_a1B2a1B2a1B2a1B2a1B2\nnow').stdout,
    ).toBe(
      `Session ${SESSION} is dropped: with token [redacted] now. Nobody is told of its work again; what is asked there from now on is new work.\n`,
    );
    expect(eventsIn(host).at(-1)).toMatchObject({ type: 'SessionAbandoned', cause: 'person' });
    const again = outside(host, 'session', 'abandon', SESSION.slice(0, 8));
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/^Session 0f6e3a52-\S+ is dropped already, just now: with token/);
    expect(inside(host, 'session', 'list').stdout).toMatch(/^0f6e3a52-\S+ {2}dropped {2}/);
    expect(json<{ code?: number }>(inside(host, 'session', 'status', '--json'))).toMatchObject({
      session: { status: 'dropped', cause: 'person', reason: 'with token [redacted] now' },
    });
    expect(outside(host, 'session', 'abandon', 'zzz').stderr).toContain('No session "zzz" in this project');
  });
});

test('gates that were scored, passed and failed, and checkpoints by hand, are events of the session', () => {
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
  expect(gates.map(({ at: _, schema_version: __, session: ___, ...event }) => event)).toEqual([
    { type: 'GateScored', gate: 'qg-1', iteration: 1, score: 0.88, verdict: 'scored' },
    { type: 'GateScored', gate: 'qg-1', iteration: 1, score: 0.88, verdict: 'failed' },
    { type: 'GateScored', gate: 'qg-1', iteration: 2, score: 0.93, verdict: 'scored' },
    { type: 'GateScored', gate: 'qg-1', iteration: 2, score: 0.93, verdict: 'passed' },
  ]);
  expect(inside(host, 'checkpoint', 'create')).toMatchObject({ code: 0, stderr: '' });
  expect(eventsIn(host).at(-1)).toMatchObject({
    type: 'CheckpointCreated',
    trigger: 'cli',
  });
});
