import { describe, expect, test } from 'vitest';
import { piEntries, piFacts } from './lines.ts';

const at = '2026-11-20T10:00:00.000Z';
const line = (message: object, rest: object = {}) => ({
  ...{ type: 'message', id: 'b2', parentId: 'a1', timestamp: at, message },
  ...rest,
});
const usage = { input: 2_000, output: 20, cacheRead: 500, cacheWrite: 100, totalTokens: 2_620 };
const answer = (rest: object = {}) =>
  line({
    role: 'assistant',
    model: 'm',
    stopReason: 'stop',
    usage,
    content: [{ type: 'text', text: 'Hi' }],
    ...rest,
  });

describe('the fact of a line', () => {
  test.each<[string, unknown, object | null]>([
    [
      'an answer',
      answer(),
      { kind: 'usage', tokens: 2_600, input: 2_000, output: 20, model: 'm', at, messageId: 'b2' },
    ],
    [
      'an answer of a provider without usage',
      answer({ usage: { input: 0, output: 0 } }),
      { kind: 'unmeasured' },
    ],
    ['an answer that failed', answer({ stopReason: 'error' }), null],
    ['an answer that was cut off', answer({ stopReason: 'aborted' }), null],
    [
      'a compaction',
      { type: 'compaction', id: 'c', timestamp: at, summary: '…', tokensBefore: 16_034 },
      { kind: 'boundary', trigger: null, preTokens: 16_034, at },
    ],
    [
      'our message',
      { type: 'custom_message', customType: 'plimsoll', content: 'said' },
      { kind: 'injection', text: 'said' },
    ],
    ["another extension's message", { type: 'custom_message', customType: 'x', content: 'said' }, null],
    ['a prompt', line({ role: 'user', content: 'Hello' }), null],
    ['words of ours in a tool result', line({ role: 'toolResult', content: '<compaction-alert>' }), null],
    ['no object', 'x', null],
  ])('%s', (_, given, fact) => {
    expect(piFacts.readFact(given)).toEqual(fact);
    if (fact === null || typeof given !== 'object') return;
    // A line with a fact is looked at, because its bytes hold the words that are looked for.
    const bytes = JSON.stringify(given);
    const isUsage = 'tokens' in fact || (fact as { kind: string }).kind === 'unmeasured';
    expect(
      isUsage
        ? piFacts.usageMarkers.every((mark) => bytes.includes(mark))
        : piFacts.markers.some((mark) => bytes.includes(mark)),
    ).toBe(true);
  });
});

describe('the entries of a line', () => {
  const call = (name: string, args: object) =>
    line({
      role: 'assistant',
      stopReason: 'toolUse',
      content: [{ type: 'toolCall', id: 'call_0', name, arguments: args }],
    });
  test.each<[string, unknown, object[]]>([
    [
      'a prompt',
      line({ role: 'user', content: [{ type: 'text', text: ' Bind it ' }] }),
      [{ kind: 'request', by: 'person', text: 'Bind it', id: 'b2', offset: 7, time: at }],
    ],
    ['an answer', answer(), [{ kind: 'answer', text: 'Hi', isFinal: true }]],
    [
      'an answer that was cut off',
      answer({ stopReason: 'aborted' }),
      [
        { kind: 'answer', text: 'Hi' },
        { kind: 'notice', isInterruption: true },
      ],
    ],
    [
      'a command',
      call('bash', { command: 'npm test' }),
      [
        {
          kind: 'call',
          call: 'call_0',
          tool: 'bash',
          action: { type: 'run', command: 'npm test', description: null },
        },
      ],
    ],
    [
      'a whole file',
      call('write', { path: 'a.ts' }),
      [{ action: { type: 'write', path: 'a.ts', isWhole: true } }],
    ],
    [
      'an edit',
      call('edit', { path: 'a.ts' }),
      [{ action: { type: 'write', path: 'a.ts', isWhole: false } }],
    ],
    ['a search', call('grep', { pattern: 'x' }), [{ action: { type: 'search', pattern: 'x', path: null } }]],
    [
      'a tool of somebody else',
      call('deploy', { query: 'q' }),
      [{ action: { type: 'other', subject: 'q' } }],
    ],
    [
      'a result',
      line({ role: 'toolResult', toolCallId: 'call_0', content: [{ type: 'text', text: 'out' }] }),
      [{ kind: 'result', call: 'call_0', status: 'ok', output: 'out' }],
    ],
    [
      'a failure',
      line({ role: 'toolResult', toolCallId: 'c', isError: true, content: 'no' }),
      [{ status: 'failed' }],
    ],
    [
      'a call that we kept back',
      line({ role: 'toolResult', toolCallId: 'c', isError: true, content: 'Plimsoll: Writing a' }),
      [{ status: 'denied' }],
    ],
    [
      'a compaction',
      { type: 'compaction', id: 'c', timestamp: at, summary: 'S' },
      [
        { kind: 'boundary', trigger: null },
        { kind: 'summary', text: 'S' },
      ],
    ],
    [
      'a message of an extension',
      { type: 'custom_message', id: 'c', customType: 'plimsoll', content: 'x' },
      [],
    ],
    ['the first line', { type: 'session', version: 3, id: 'u' }, []],
    ['another type', line({ role: 'user', content: 7 }), []],
  ])('%s', (_, given, entries) => {
    expect(piEntries.readEntries(given, 7)).toMatchObject(entries);
    expect(piEntries.readEntries(given, 7)).toHaveLength(entries.length);
  });

  test('a line knows the line before it; the first line is no part of the chain', () => {
    expect(piEntries.readLink(answer())).toEqual({ id: 'b2', parent: 'a1' });
    expect(piEntries.readLink({ type: 'session', version: 3, id: 'u' })).toBeNull();
  });
});
