// Whatever comes in on stdin, at whatever moment: exit 0 in time, one answer of the allowed form or none, nothing but ours
// on disk, and a line in the failure log where something was not understood.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import {
  call,
  expectAllowed,
  failuresOf,
  MOMENTS,
  type Moment,
  measured,
  othersOf,
  payloadOf,
  SECONDS,
} from './calls.ts';
import type { Host } from './host.ts';

const PROMPT = MOMENTS[0] as Moment;

test('every hook that init asks for is called in these tables', () => {
  expect([...new Set(MOMENTS.map((each) => each.event))].sort()).toEqual([...SECONDS.keys()].sort());
});

/** What is no payload at all: not understood at any moment. */
const GARBAGE: [string, (host: Host, moment: Moment) => string | Buffer][] = [
  ['nothing', () => ''],
  ['white space', () => ' \n\t'],
  ['a brace', () => '{'],
  ['broken JSON', (host, moment) => payloadOf(host, moment).replace(/"cwd":/, '"cwd"')],
  ['JSON that was cut off', (host, moment) => payloadOf(host, moment).slice(0, -1)],
  ['two payloads', (host, moment) => payloadOf(host, moment).repeat(2)],
  ['null', () => 'null'],
  ['a list', () => '[]'],
  ['a number', () => '7'],
  ['an empty object', () => '{}'],
  ['invalid UTF-8', () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['a NUL byte behind the payload', (host, moment) => `${payloadOf(host, moment)}\0`],
  ['1 MB of brackets', () => '['.repeat(1_000_000)],
  ['1 MB of braces', () => '}'.repeat(1_000_000)],
  [
    'the payload of an unknown event',
    (host, moment) => payloadOf(host, moment, { hook_event_name: 'Dream' }),
  ],
  ['the payload of no event', (host, moment) => payloadOf(host, moment, { hook_event_name: undefined })],
];

describe.each(GARBAGE)('%s on stdin', (_name, stdinOf) => {
  test.each(MOMENTS)('$name: silence, and a line in the failure log', (moment) => {
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
    const result = call(host, moment);
    expectAllowed(moment, result);
    expect(result.stdout).toBe('');
    expect(failuresOf(host)).toMatchObject([{ hook: event, part: 'event' }]);
  },
);

/** Ids that name no conversation, and a cwd that is none. */
const UNUSABLE: [string, Record<string, unknown>][] = [
  ['an empty session_id', { session_id: '' }],
  ['no session_id', { session_id: undefined }],
  ['a number as session_id', { session_id: 7 }],
  ['a list as session_id', { session_id: ['a'] }],
  ['an empty cwd', { cwd: '' }],
  ['no cwd', { cwd: undefined }],
];

describe.each(UNUSABLE)('%s', (_name, fields) => {
  test.each(MOMENTS)('$name: silence, and a line in the failure log', (moment) => {
    const host = measured();
    const before = othersOf(host);
    const result = call(host, moment, { fields });
    expectAllowed(moment, result);
    expect(result.stdout).toBe('');
    expect(othersOf(host)).toEqual(before);
    expect(failuresOf(host)).toMatchObject([{ hook: moment.event, part: 'event' }]);
  });
});

const HOSTILE_IDS: [string, string][] = [
  ['a path out of the folder', '../../../x'],
  ['dots', '..'],
  ['an absolute path', '/etc/passwd'],
  ['300 characters', 'a'.repeat(300)],
  ['a device name', 'con'],
  ['NUL bytes', 'a\u0000b'],
  ['newlines', 'a\nb\r\nc'],
  ['unicode', '会话-ё-👩‍👩‍👧'],
  ['half a character', 'a\uD83D'],
  ['a prototype', '__proto__'],
  ['a template of a shell', '$(touch x) `touch y`; rm -rf *'],
];

describe.each(HOSTILE_IDS)('a session_id that is %s', (_name, session_id) => {
  test.each(MOMENTS)('$name: is served like any other, and stays inside the state folder', (moment) => {
    const host = measured();
    const before = othersOf(host);
    const result = call(host, moment, { fields: { session_id } });
    expectAllowed(moment, result);
    if (moment === PROMPT) expect(result.context).toContain('CONTEXT STATUS: NOMINAL');
    if (moment.fields.source === 'compact') expect(result.context).toContain('<compaction-alert>');
    expect(othersOf(host)).toEqual(before);
    expect(failuresOf(host)).toEqual([]);
    for (const folder of ['conversations', 'claims'].map((name) => host.state(name)).filter(existsSync)) {
      for (const name of readdirSync(folder))
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,80}(?:\.json|\.ledger|\.beats|~\d+)?$/);
    }
    expect(existsSync(host.state('conversations', 'con.json'))).toBe(false);
  });

  test('is remembered as itself', () => {
    const host = measured();
    call(host, PROMPT, { fields: { session_id } });
    call(host, PROMPT, { fields: { session_id: `${session_id}2` } });
    const states = readdirSync(host.state('conversations')).filter((name) => name.endsWith('.json'));
    expect(states).toHaveLength(2);
    expect(failuresOf(host)).toEqual([]);
  });
});

/** The end of a subagent is no reason to look at the transcript. */
const readsTranscript = (moment: Moment): boolean => moment.event !== 'SubagentStop';

/** Payloads of a known conversation with something else that is odd: whether it is a fault. */
const ODD_FIELDS: [string, Record<string, unknown>, boolean | ((moment: Moment) => boolean)][] = [
  ['a prompt of 3 MB full of braces', { prompt: 'if (a) { b } '.repeat(250_000) }, false],
  ['a tool call list that is none', { tool_calls: 'none' }, false],
  ['tool calls that are none', { tool_calls: [null, 7, [], { tool_use_id: 7 }] }, false],
  [
    '10,000 tool calls',
    { tool_calls: Array.from({ length: 10_000 }, (_, n) => ({ tool_use_id: `t${n}` })) },
    false,
  ],
  ['instructions that are an object', { custom_instructions: { a: 1 }, trigger: 7 }, false],
  ['an unknown source', { source: 'dream' }, (moment) => moment.event === 'SessionStart'],
  ['a last answer that is a list', { last_assistant_message: [1], stop_hook_active: 'x' }, false],
  ['a last answer of 3 MB', { last_assistant_message: 'a } b '.repeat(500_000) }, false],
  ['a reason that is null', { reason: null }, false],
  ['unknown fields', { of_the_future: { deep: [1, 2, { 3: 4 }] }, permission_mode: 'dream' }, false],
  ['no transcript_path', { transcript_path: undefined }, false],
  ['an empty transcript_path', { transcript_path: '' }, false],
  ['null as transcript_path', { transcript_path: null }, false],
  ['a NUL byte in transcript_path', { transcript_path: '/tmp/a\u0000b' }, readsTranscript],
  ['a transcript_path of 5,000 characters', { transcript_path: `/${'a'.repeat(5_000)}` }, readsTranscript],
];

describe.each(ODD_FIELDS)('%s', (_name, fields, isFault) => {
  test.each(MOMENTS)('$name', (moment) => {
    const host = measured();
    const before = othersOf(host);
    expectAllowed(moment, call(host, moment, { fields }));
    expect(othersOf(host)).toEqual(before);
    const isLogged = typeof isFault === 'function' ? isFault(moment) : isFault;
    if (isLogged) expect(failuresOf(host)).not.toEqual([]);
    else expect(failuresOf(host)).toEqual([]);
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

/** The payload in two pieces, the first of which ends in a brace: it looks complete and is not. */
function inPieces(host: Host, moment: Moment): [string, string] {
  const payload = payloadOf(host, moment, {
    note: 'a brace } in the middle',
    transcript_path: host.transcript,
  });
  const cut = payload.indexOf('}') + 1;
  return [payload.slice(0, cut), payload.slice(cut)];
}

describe('stdin that is never closed', () => {
  test('whole JSON: every hook answers and ends by itself', async () => {
    await Promise.all(
      MOMENTS.map(async (moment) => {
        const host = measured();
        const result = await leaveOpen(host, moment, payloadOf(host, moment));
        expectAllowed(moment, { ...result, context: '', person: '' });
        if (moment === PROMPT) expect(result.stdout).toContain('CONTEXT STATUS: NOMINAL');
        expect(failuresOf(host)).toEqual([]);
      }),
    );
  });

  test('JSON in pieces with time between them: every hook answers when the last one is there', async () => {
    await Promise.all(
      MOMENTS.map(async (moment) => {
        const host = measured();
        const result = await leaveOpen(host, moment, ...inPieces(host, moment));
        expectAllowed(moment, { ...result, context: '', person: '' });
        if (moment === PROMPT) expect(result.stdout).toContain('CONTEXT STATUS: NOMINAL');
        expect(failuresOf(host)).toEqual([]);
      }),
    );
  });

  test.each([
    ['half of the JSON', (whole: string) => [whole.slice(0, whole.length / 2)]],
    ['JSON without its last brace', (whole: string) => [whole.slice(0, -1)]],
    ['JSON in a trickle', (whole: string) => [...whole.slice(0, -1)]],
  ])('%s: every hook ends by itself, in silence, with a line in the failure log', async (_name, piecesOf) => {
    await Promise.all(
      MOMENTS.map(async (moment) => {
        const host = measured();
        const result = await leaveOpen(host, moment, ...piecesOf(payloadOf(host, moment)));
        expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
        expect(failuresOf(host)).toMatchObject([{ hook: moment.event, part: 'event' }]);
      }),
    );
  });
});
