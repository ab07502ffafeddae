import { describe, expect, test } from 'vitest';
import { isSummary, OUR_PART, readOwnLines, readTokens } from './messages.ts';

const created = 1_796_000_000_000;
const at = new Date(created).toISOString();
const tokens = { input: 2_000, output: 20, reasoning: 0, cache: { read: 500, write: 100 }, total: 2_620 };
const info = (rest: object) => ({
  id: 'msg_1',
  sessionID: 'ses_1',
  time: { created, completed: created },
  ...rest,
});
const user = (...parts: object[]) => ({
  info: info({ role: 'user' }),
  parts: parts as Record<string, unknown>[],
});
const answer = (parts: object[], rest: object = {}) => ({
  info: info({ role: 'assistant', modelID: 'm', finish: 'stop', tokens, ...rest }),
  parts: parts as Record<string, unknown>[],
});
const said = { type: 'text', text: 'Hi' };
const tool = (name: string, input: object, state: object = {}) => ({
  type: 'tool',
  callID: 'call_0',
  tool: name,
  state: { status: 'completed', input, output: 'out', metadata: {}, ...state },
});
const usage = { kind: 'usage', tokens: 2_600, input: 2_000, output: 20, model: 'm', at, messageId: 'msg_1' };
const place = { id: 'msg_1', parent: 'msg_0', at };

describe('the lines of a message', () => {
  test.each<[string, Parameters<typeof readOwnLines>[0], object[]]>([
    [
      'a prompt, without what others put beside it',
      user({ type: 'text', text: ' Bind it ' }, { type: 'text', text: 'a file', synthetic: true }),
      [{ ...place, entries: [{ kind: 'request', by: 'person', text: 'Bind it' }] }],
    ],
    [
      'a prompt with our words: they stand in it, and prove that they came',
      user({ type: 'text', text: 'Go' }, { type: 'text', id: `${OUR_PART}x`, text: 'told', synthetic: true }),
      [
        { entries: [{ text: 'Go' }] },
        { fact: { kind: 'injection', text: 'told' }, id: 'msg_1:said', parent: 'msg_1' },
      ],
    ],
    [
      'a message that the host wrote for the person',
      user({ type: 'text', text: 'Continue', synthetic: true }),
      [{ ...place, entries: [] }],
    ],
    [
      'an answer',
      answer([said]),
      [{ ...place, fact: usage, entries: [{ kind: 'answer', text: 'Hi', isFinal: true }] }],
    ],
    ['an answer that is being written', answer([said], { time: { created } }), []],
    [
      'an answer without usage',
      answer([said], { tokens: { input: 0, output: 0 } }),
      [{ fact: { kind: 'unmeasured' } }],
    ],
    [
      'an answer that was cut off',
      answer([said], { error: { name: 'MessageAbortedError' } }),
      [{ entries: [{ kind: 'answer' }, { kind: 'notice', isInterruption: true }] }],
    ],
    [
      'a summary',
      answer([said], { summary: true }),
      [
        {
          ...place,
          fact: { kind: 'boundary', at },
          entries: [{ kind: 'boundary' }, { kind: 'summary', text: 'Hi' }],
        },
      ],
    ],
    ['a summary that failed', answer([said], { summary: true, error: {} }), []],
    [
      'a command that failed',
      answer([tool('bash', { command: 'npm test' }, { metadata: { exit: 1 } })], { finish: 'tool-calls' }),
      [
        {
          entries: [
            { kind: 'call', call: 'call_0', action: { type: 'run', command: 'npm test' } },
            { kind: 'result', call: 'call_0', status: 'failed', output: 'out' },
          ],
        },
      ],
    ],
    [
      'a call that we kept back',
      answer([
        tool(
          'write',
          { filePath: 'a' },
          { status: 'error', output: undefined, error: 'Plimsoll: Writing a' },
        ),
      ]),
      [{ entries: [{ action: { type: 'write', path: 'a', isWhole: true } }, { status: 'denied' }] }],
    ],
    [
      'a list of tasks',
      answer([
        tool('todowrite', {
          todos: [
            { id: '1', content: 'Bind', status: 'in_progress' },
            { content: 'x', status: 'cancelled' },
          ],
        }),
      ]),
      [
        {
          entries: [
            { action: { type: 'set-tasks', tasks: [{ id: '1', subject: 'Bind', status: 'in_progress' }] } },
            {},
          ],
        },
      ],
    ],
    [
      'a patch',
      answer([
        tool('apply_patch', { patchText: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n' }),
      ]),
      [{ entries: [{ action: { type: 'write', path: 'src/a.ts', isWhole: false } }, {}] }],
    ],
  ])('%s', (_, message, lines) => {
    const found = readOwnLines(message, 'msg_0');
    expect(found).toHaveLength(lines.length);
    expect(found).toMatchObject(lines);
  });
});

test('the usage is what opencode counts against its limit; a summary has none of its own', () => {
  expect(readTokens(answer([]))).toBe(2_620);
  expect(readTokens(answer([], { tokens: { ...tokens, total: undefined } }))).toBe(2_620);
  expect(readTokens(answer([], { summary: true }))).toBe(0);
  expect(isSummary(answer([], { summary: true }))).toBe(true);
  expect(isSummary(answer([], { summary: true, finish: undefined }))).toBe(false);
});
