import { expect, test } from 'vitest';
import { splitTagged } from '../../entry.ts';
import { type HookTrace, readHookTrace } from './timeline.ts';

const AT = '2026-11-27T10:00:00.000Z';
const line = (attachment: object, more: object = {}): object => ({
  type: 'attachment',
  timestamp: AT,
  attachment,
  ...more,
});
const OURS = `f='/home/x/.local/share/plimsoll/current/hook.cjs'; exec node "$f" Stop`;
const context = (...content: string[]) => ({
  type: 'hook_additional_context',
  content,
  hookName: 'PostToolUse:Bash',
  hookEvent: 'PostToolUse',
});
const MONITOR = '<context-monitor>CONTEXT STATUS: LOW</context-monitor>';

// [what it is, the line, what it comes to]
const rows: [string, unknown, Partial<HookTrace> | null][] = [
  [
    'words of ours',
    line(context(MONITOR)),
    { kind: 'said', isOurs: true, event: 'PostToolUse', at: AT, text: MONITOR },
  ],
  ['words of others', line(context('be nice')), { kind: 'said', isOurs: false }],
  ['no words', line(context('')), null],
  [
    'too many words',
    line(
      context(
        `<persisted-output>\nOutput too large (11.7KB). Full output saved to: /x\n${MONITOR.slice(0, 30)}`,
      ),
    ),
    { kind: 'cut', isOurs: true },
  ],
  [
    'too many plain words',
    line({ type: 'hook_success', hookEvent: 'Stop', content: '<persisted-output>\n…', command: 'cat' }),
    { kind: 'cut', isOurs: false },
  ],
  [
    'a run that went well',
    line({ type: 'hook_success', hookEvent: 'Stop', content: 'fine', stdout: 'fine' }),
    null,
  ],
  [
    'a run that took too long',
    line({ type: 'hook_cancelled', hookEvent: 'Stop', command: OURS, timedOut: true, timeoutMs: 5_000 }),
    { kind: 'timeout', isOurs: true },
  ],
  [
    'a run that Esc broke off',
    line({ type: 'hook_cancelled', hookEvent: 'Stop', command: OURS, timedOut: false }),
    { kind: 'cancelled', isOurs: true },
  ],
  [
    'a cancelled run of an older client',
    line({ type: 'hook_cancelled', hookName: 'PostToolUse:Bash' }),
    { kind: 'cancelled', isOurs: null, event: 'PostToolUse' },
  ],
  [
    'an answer for another event',
    line({ type: 'hook_non_blocking_error', hookEvent: 'Stop', stderr: 'wrong name\nmore', command: OURS }),
    { kind: 'failed', isOurs: true, text: 'wrong name' },
  ],
  [
    'an error of the client',
    line({ type: 'hook_error_during_execution', hookEvent: 'Stop', content: 'spawn' }),
    { kind: 'failed', isOurs: null, text: 'spawn' },
  ],
  [
    'a hook that blocks',
    line({
      type: 'hook_blocking_error',
      hookEvent: 'Stop',
      blockingError: { blockingError: 'no', command: 'x' },
    }),
    { kind: 'failed', isOurs: false, text: 'no' },
  ],
  ['a line of a subagent', line(context(MONITOR), { isSidechain: true }), null],
  ['a line of an agent', line(context(MONITOR), { agentId: 'a' }), null],
  ['another attachment', line({ type: 'model' }), null],
  ['an attachment of another shape', line([] as object), null],
  ['no line', null, null],
];

test.each(rows)('%s', (_name, value, expected) => {
  const trace = readHookTrace(value);
  if (expected === null) expect(trace).toBeNull();
  else expect(trace).toMatchObject(expected);
});

test('what stands in our tags is found, each with its tag; what stands outside is not', () => {
  const alert = '<compaction-alert>\nCOMPACTION EVENT\n</compaction-alert>';
  expect(splitTagged(`x ${alert}\n${MONITOR} y <other>z</other>`)).toEqual([
    { tag: 'compaction-alert', text: alert },
    { tag: 'context-monitor', text: MONITOR },
  ]);
  expect(splitTagged('<context-monitor>cut off')).toEqual([
    { tag: 'context-monitor', text: '<context-monitor>cut off' },
  ]);
  expect(splitTagged('nothing')).toEqual([]);
  expect(splitTagged('<track-context>\nTRACK: cache\n</track-context>').map(({ tag }) => tag)).toEqual([
    'track-context',
  ]);
});
