// Tests any stdin at any moment: exit 0 in time, at most one answer of the allowed form, nothing but ours on disk,
// and a line in the failure log where something was not understood.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { turnOf } from '../kit/effort.ts';
import { DIST } from '../kit/plimsoll.ts';
import {
  call,
  expectAllowed,
  failuresOf,
  MOMENTS,
  type Moment,
  measured,
  othersOf,
  PROMPT,
  payloadOf,
  SECONDS,
  withMoments,
} from './calls.ts';
import type { Answer, Host } from './host.ts';

/** Calls a hook with a payload that is odd in itself: no process is needed for it. */
const tell = (host: Host, moment: Moment, fields: Record<string, unknown> = {}): Answer =>
  host.fire(moment.event, { ...moment.fields, ...fields });

test('every hook that init asks for is called in these tables', () => {
  expect([...new Set(MOMENTS.map((each) => each.event))].sort()).toEqual([...SECONDS.keys()].sort());
});

/** What is no payload at all: not understood at any moment. */
const GARBAGE: { name: string; stdinOf: (host: Host, moment: Moment) => string | Buffer }[] = [
  { name: 'nothing', stdinOf: () => '' },
  { name: 'white space', stdinOf: () => ' \n\t' },
  { name: 'a brace', stdinOf: () => '{' },
  { name: 'broken JSON', stdinOf: (host, moment) => payloadOf(host, moment).replace(/"cwd":/, '"cwd"') },
  { name: 'JSON that was cut off', stdinOf: (host, moment) => payloadOf(host, moment).slice(0, -1) },
  { name: 'two payloads', stdinOf: (host, moment) => payloadOf(host, moment).repeat(2) },
  { name: 'null', stdinOf: () => 'null' },
  { name: 'a list', stdinOf: () => '[]' },
  { name: 'a number', stdinOf: () => '7' },
  { name: 'an empty object', stdinOf: () => '{}' },
  { name: 'invalid UTF-8', stdinOf: () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
  { name: 'a NUL byte behind the payload', stdinOf: (host, moment) => `${payloadOf(host, moment)}\0` },
  { name: '1 MB of brackets', stdinOf: () => '['.repeat(1_000_000) },
  { name: '1 MB of braces', stdinOf: () => '}'.repeat(1_000_000) },
  {
    name: 'the payload of an unknown event',
    stdinOf: (host, moment) => payloadOf(host, moment, { hook_event_name: 'Dream' }),
  },
  {
    name: 'the payload of no event',
    stdinOf: (host, moment) => payloadOf(host, moment, { hook_event_name: undefined }),
  },
];

describe.each(withMoments(GARBAGE))('$name on stdin', ({ stdinOf, moments }) => {
  test.each(moments)('$name: silence, and a line in the failure log', (moment) => {
    const host = measured();
    const before = othersOf(host);
    const result = call(host, moment, { stdin: stdinOf(host, moment) });
    expectAllowed(moment, result);
    expect(result.stdout).toBe('');
    expect(othersOf(host)).toEqual(before);
    expect(failuresOf(host)).toMatchObject([{ hook: moment.event, part: 'event' }]);
  });
});

test.each(['Dream', 'Elicitation', '__proto__', '../../x', ''])(
  'the unknown event "%s" is silence, and a line in the failure log',
  (event) => {
    const host = measured();
    const moment: Moment = { name: event, event, fields: {} };
    const result = tell(host, moment);
    expectAllowed(moment, result);
    expect(result.stdout).toBe('');
    expect(failuresOf(host)).toMatchObject([{ hook: event, part: 'event' }]);
  },
);

/** Ids that name no session, and a cwd that is none. */
const UNUSABLE: { name: string; fields: Record<string, unknown> }[] = [
  { name: 'an empty session_id', fields: { session_id: '' } },
  { name: 'no session_id', fields: { session_id: undefined } },
  { name: 'a number as session_id', fields: { session_id: 7 } },
  { name: 'a list as session_id', fields: { session_id: ['a'] } },
  { name: 'an empty cwd', fields: { cwd: '' } },
  { name: 'no cwd', fields: { cwd: undefined } },
];

describe.each(withMoments(UNUSABLE))('$name', ({ fields, moments }) => {
  test.each(moments)('$name: silence, and a line in the failure log', (moment) => {
    const host = measured();
    const before = othersOf(host);
    const result = tell(host, moment, fields);
    expectAllowed(moment, result);
    expect(result.stdout).toBe('');
    expect(othersOf(host)).toEqual(before);
    expect(failuresOf(host)).toMatchObject([{ hook: moment.event, part: 'event' }]);
  });
});

const HOSTILE_IDS: { name: string; session_id: string }[] = [
  { name: 'a path out of the folder', session_id: '../../../x' },
  { name: 'dots', session_id: '..' },
  { name: 'an absolute path', session_id: '/etc/passwd' },
  { name: '300 characters', session_id: 'a'.repeat(300) },
  { name: 'a device name', session_id: 'con' },
  { name: 'NUL bytes', session_id: 'a\u0000b' },
  { name: 'newlines', session_id: 'a\nb\r\nc' },
  { name: 'unicode', session_id: '会话-ё-👩‍👩‍👧' },
  { name: 'half a character', session_id: 'a\uD83D' },
  { name: 'a prototype', session_id: '__proto__' },
  { name: 'a template of a shell', session_id: '$(touch x) `touch y`; rm -rf *' },
];

describe.each(withMoments(HOSTILE_IDS))('a session_id that is $name', ({ session_id, moments }) => {
  test.each(moments)('$name: is served like any other, and stays inside the state folder', (moment) => {
    const host = measured();
    const before = othersOf(host);
    const result = tell(host, moment, { session_id });
    expectAllowed(moment, result);
    if (moment === PROMPT) expect(result.context).toContain('CONTEXT STATUS: NOMINAL');
    if (moment.fields.source === 'compact') expect(result.context).toContain('<compaction-alert>');
    expect(othersOf(host)).toEqual(before);
    expect(failuresOf(host)).toEqual([]);
    if (!existsSync(host.state('sessions'))) return;
    for (const id of readdirSync(host.state('sessions'))) {
      expect(id).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
      const claims = host.state('sessions', id, 'claims');
      for (const name of existsSync(claims) ? readdirSync(claims) : [])
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,80}(?:~\d+)?$/);
    }
    expect(existsSync(host.state('sessions', 'con'))).toBe(false);
  });

  test('is remembered as itself', () => {
    const host = measured();
    tell(host, PROMPT, { session_id });
    tell(host, PROMPT, { session_id: `${session_id}2` });
    expect(readdirSync(host.state('sessions'))).toHaveLength(2);
    expect(failuresOf(host)).toEqual([]);
  });
});

/** A payload with something else that is odd, and whether it is a fault. */
function expectBorne(moment: Moment, fields: Record<string, unknown>, isFault: boolean): void {
  const host = measured();
  const before = othersOf(host);
  expectAllowed(moment, tell(host, moment, fields));
  expect(othersOf(host)).toEqual(before);
  if (isFault) expect(failuresOf(host)).not.toEqual([]);
  else expect(failuresOf(host)).toEqual([]);
}

/** Odd fields, at the moments that they are read at. */
const ODD_FIELDS: [name: string, event: string, fields: Record<string, unknown>, isFault?: boolean][] = [
  ['a prompt of 3 MB full of braces', 'UserPromptSubmit', { prompt: 'if (a) { b } '.repeat(250_000) }],
  ['a tool call list that is none', 'PostToolBatch', { tool_calls: 'none' }],
  ['tool calls that are none', 'PostToolBatch', { tool_calls: [null, 7, [], { tool_use_id: 7 }] }],
  [
    '10,000 tool calls',
    'PostToolBatch',
    { tool_calls: Array.from({ length: 10_000 }, (_, n) => ({ tool_use_id: `t${n}` })) },
  ],
  ['a tool that is none', 'PostToolUse', { tool_name: 7, tool_input: 'x', tool_use_id: [] }],
  ['instructions that are an object', 'PreCompact', { custom_instructions: { a: 1 }, trigger: 7 }],
  ['an unknown source', 'SessionStart', { source: 'dream' }, true],
  ['a last answer that is a list', 'Stop', { last_assistant_message: [1], stop_hook_active: 'x' }],
  ['a last answer of 3 MB', 'Stop', { last_assistant_message: 'a } b '.repeat(500_000) }],
  ["a subagent's last answer that is a list", 'SubagentStop', { last_assistant_message: [1] }],
  ["a subagent's last answer of 3 MB", 'SubagentStop', { last_assistant_message: 'a } b '.repeat(500_000) }],
  ['a reason that is null', 'SessionEnd', { reason: null }],
];

test.each(ODD_FIELDS)('%s at %s', (_name, event, fields, isFault = false) => {
  expectBorne(MOMENTS.find((each) => each.event === event) as Moment, fields, isFault);
});

/** Odd fields that every event has. */
const ODD_ANYWHERE: { name: string; fields: Record<string, unknown>; isFault: boolean }[] = [
  { name: 'no transcript_path', fields: { transcript_path: undefined }, isFault: false },
  { name: 'an empty transcript_path', fields: { transcript_path: '' }, isFault: false },
  { name: 'null as transcript_path', fields: { transcript_path: null }, isFault: false },
  { name: 'a NUL byte in transcript_path', fields: { transcript_path: '/tmp/a\u0000b' }, isFault: true },
  {
    name: 'a transcript_path of 5,000 characters',
    fields: { transcript_path: `/${'a'.repeat(5_000)}` },
    isFault: true,
  },
  {
    name: 'unknown fields',
    fields: { of_the_future: { deep: [1, 2, { 3: 4 }] }, permission_mode: 'dream' },
    isFault: false,
  },
];

describe.each(withMoments(ODD_ANYWHERE))('$name', ({ fields, isFault, moments }) => {
  test.each(moments)('$name', (moment) => {
    // The end of a subagent is no reason to look at the transcript.
    expectBorne(moment, fields, isFault && moment.event !== 'SubagentStop');
  });
});

interface Open {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a hook, writes to its stdin, and leaves stdin open for ever. */
function leaveOpen(host: Host, moment: Moment, ...pieces: string[]): Promise<Open> {
  const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), moment.event], {
    env: host.env,
    cwd: host.project,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A hook that is done no longer listens.
  child.stdin.on('error', () => undefined);
  const write = (index: number): void => {
    const piece = pieces[index];
    if (piece === undefined || child.exitCode !== null) return;
    child.stdin.write(piece, () => setTimeout(() => write(index + 1), 60));
  };
  write(0);
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })));
}

/** In two pieces, the first of which ends in a brace: it looks complete and is not. */
function inPieces(whole: string): [string, string] {
  const cut = whole.indexOf('}') + 1;
  return [whole.slice(0, cut), whole.slice(cut)];
}

/** What is written to a stdin that stays open; in verify:long each at every moment, else they share the moments. */
const OPEN: { name: string; piecesOf: (whole: string) => string[]; isWhole: boolean }[] = [
  { name: 'whole JSON', piecesOf: (whole) => [whole], isWhole: true },
  { name: 'JSON in pieces with time between them', piecesOf: inPieces, isWhole: true },
  {
    name: 'half of the JSON',
    piecesOf: (whole) => [whole.slice(0, whole.length / 2)],
    isWhole: false,
  },
  { name: 'JSON without its last brace', piecesOf: (whole) => [whole.slice(0, -1)], isWhole: false },
  { name: 'nothing', piecesOf: () => [], isWhole: false },
  { name: 'JSON in a trickle', piecesOf: (whole) => [...whole.slice(0, -1)], isWhole: false },
];

test('on a stdin that is never closed every hook answers what is whole, and else ends by itself with a line in the failure log', async () => {
  await Promise.all(
    OPEN.flatMap(({ name, piecesOf, isWhole }, index) =>
      turnOf(MOMENTS, index, OPEN.length).map(async (moment) => {
        const host = measured();
        // The first brace that closes makes the beginning look complete.
        const whole = payloadOf(host, moment, { note: 'a brace } in the middle' });
        const result = await leaveOpen(host, moment, ...piecesOf(whole));
        const what = `${name}, ${moment.name}`;
        expect([what, result.code, result.stderr]).toEqual([what, 0, '']);
        if (isWhole) {
          expectAllowed(moment, { ...result, context: '', person: '' });
          if (moment === PROMPT) expect(result.stdout, what).toContain('CONTEXT STATUS: NOMINAL');
          expect([what, failuresOf(host)]).toEqual([what, []]);
        } else {
          expect([what, result.stdout]).toEqual([what, '']);
          expect(failuresOf(host), what).toMatchObject([{ hook: moment.event, part: 'event' }]);
        }
      }),
    ),
  );
});
