import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Line } from '../../../../test/unit/lines.ts';
import { answer, attachment, boundary, injection, request, summary } from '../../../../test/unit/lines.ts';
import { claudeFacts, readLineFact } from './line.ts';

const SILENT: [string, unknown][] = [
  ['an answer of a subagent', answer(9_000, {}, { isSidechain: true })],
  ['an answer with an agentId', answer(9_000, {}, { agentId: 'a1b2' })],
  ['an answer that the client made up', answer(9_000, { model: '<synthetic>' })],
  ['an API error', answer(9_000, {}, { isApiErrorMessage: true })],
  ['an answer without a message', { type: 'assistant', isSidechain: false }],
  ['an answer whose message is text', { type: 'assistant', message: 'usage' }],
  ['usage in a progress line', { type: 'progress', message: answer(9_000).message }],
  ['usage in a tool result', request('x', { toolUseResult: { usage: { input_tokens: 9_000 } } })],
  ['usage in a line of the request log', { type: 'api-request', usage: { input_tokens: 9_000 } }],
  ['the boundary of a subagent', boundary('auto', 167_000, { isSidechain: true })],
  ['the boundary with an agentId', boundary('auto', 167_000, { agentId: 'a1b2' })],
  ['another system line', { type: 'system', subtype: 'turn_duration', durationMs: 5 }],
  ['a boundary that a user quotes', request('{"subtype":"compact_boundary","type":"system"}')],
  ['a summary that hangs on a boundary', summary()],
  ['the summary of a subagent', summary({ parentUuid: null, isSidechain: true })],
  [
    'the reminder of a session allowance',
    attachment({ type: 'total_tokens_reminder', content: '9 tokens left' }),
  ],
  ['an attachment that is null', { type: 'attachment', attachment: null }],
  ['words in an attachment of a subagent', { ...injection('<compaction-alert>'), isSidechain: true }],
  ['a cost line without models', { type: 'cost-state', modelUsage: null }],
  ['a line of an unknown type', { type: 'queue-operation', operation: 'enqueue' }],
  ['a list', [answer(9_000)]],
  ['a number', 17],
  ['text', 'assistant'],
  ['null', null],
  ['nothing', undefined],
];

describe('factOf()', () => {
  test('gives the figures of an answer of the main session', () => {
    const line = answer(91_203, { id: 'msg_9', model: 'claude-opus-4-7', output: 12 });
    expect(readLineFact(line)).toEqual({
      kind: 'usage',
      tokens: 91_203,
      input: 4,
      output: 12,
      model: 'claude-opus-4-7',
      at: '2026-11-27T10:00:00.000Z',
      messageId: 'msg_9',
    });
  });

  test('gives null for the time and the id that an answer does not name', () => {
    const line = answer(100, { at: null });
    const { message } = line as { message: Line };
    expect(readLineFact({ ...line, message: { ...message, id: undefined } })).toMatchObject({
      at: null,
      messageId: null,
    });
  });

  test('takes an answer without a sidechain field, as third-party clients write it', () => {
    const { isSidechain: _, ...line } = answer(700);
    expect(readLineFact(line)).toMatchObject({ kind: 'usage', tokens: 700 });
  });

  test.each([
    ['with zeros everywhere', answer(0)],
    ['without usage', { ...answer(1), message: { id: 'm', model: 'claude-opus-5' } }],
  ])('tells of an answer %s that its provider reports no usage', (_, line) => {
    expect(readLineFact(line)).toEqual({ kind: 'unmeasured' });
  });

  // [what a line holds, line, characters]
  const texts: [string, unknown, number][] = [
    ['a request', request('12345'), 5],
    [
      'a tool call and its thoughts',
      { type: 'assistant', message: { content: [{ input: { a: ['12'] } }, { thinking: '345' }] } },
      2,
    ],
    ['a picture', request([{ source: { data: '123' }, text: '45' }] as never), 2],
    ['the words of a hook', injection('1234'), 4],
    ['a file of a subagent', request('12345', { isSidechain: true }), 0],
    ['what only the client keeps', request('1', { toolUseResult: { stdout: '23456' } }), 1],
    ['text', '12345', 0],
  ];
  test.each(texts)('counts the characters of %s', (_, line, characters) => {
    expect(claudeFacts.countCharacters(line)).toBe(characters);
  });

  test.each(SILENT)('says nothing about the main context for %s', (_, line) => {
    expect(readLineFact(line)).toBeNull();
  });

  test.each([
    ['auto', boundary('auto', 167_117), { trigger: 'auto', preTokens: 167_117 }],
    ['manual', boundary('manual', 142_431), { trigger: 'manual', preTokens: 142_431 }],
    ['without figures', boundary('auto', null), { trigger: 'auto', preTokens: null }],
    ['with a text for a figure', boundary('auto', '167117'), { trigger: 'auto', preTokens: null }],
    ['with 0 tokens', boundary('auto', 0), { trigger: 'auto', preTokens: null }],
    ['without metadata', { type: 'system', subtype: 'compact_boundary' }, { trigger: null, preTokens: null }],
    [
      'of an unknown trigger',
      boundary('auto', 5, { compactMetadata: { trigger: 'idle', preTokens: 5 } }),
      { trigger: null, preTokens: 5 },
    ],
    ['of a client without boundaries', summary({ parentUuid: null }), { trigger: null, preTokens: null }],
  ])('gives the compaction %s', (_, line, expected) => {
    expect(readLineFact(line)).toMatchObject({ kind: 'boundary', ...expected });
  });

  test.each([
    ['a model attachment', attachment({ type: 'model', identity: { modelId: 'claude-opus-4-6[1m]' } })],
    ['an older model attachment', attachment({ type: 'model', modelId: 'claude-opus-4-6[1m]' })],
  ])('gives the window named in %s', (_, line) => {
    expect(readLineFact(line)).toEqual({ kind: 'window-mark', model: 'claude-opus-4-6', isMarked: true });
  });

  test('takes a model attachment without a mark for a word against it', () => {
    const line = attachment({ type: 'model', identity: { modelId: 'claude-opus-4-6' } });
    expect(readLineFact(line)).toEqual({ kind: 'window-mark', model: 'claude-opus-4-6', isMarked: false });
  });

  test('takes no mark from a list of all models that were ever used', () => {
    expect(readLineFact({ type: 'cost-state', modelUsage: { 'claude-opus-4-6[1m]': {} } })).toBeNull();
  });

  test.each([
    ['a list of texts', ['one', 'two'], 'one\ntwo'],
    ['one text', 'one', 'one'],
    ['a list with odd parts', ['one', 5, null, 'two'], 'one\ntwo'],
    ['nothing', undefined, ''],
  ])('gives the words of a hook stored as %s', (_, content, text) => {
    expect(readLineFact(attachment({ type: 'hook_additional_context', content }))).toEqual({
      kind: 'injection',
      text,
    });
  });

  test('never throws, whatever a line holds', () => {
    const key = fc.constantFrom(
      'type',
      'subtype',
      'message',
      'usage',
      'attachment',
      'compactMetadata',
      'modelUsage',
      'isCompactSummary',
      'parentUuid',
      'content',
      'identity',
    );
    const value = fc.oneof(
      fc.constantFrom(
        'assistant',
        'system',
        'user',
        'attachment',
        'cost-state',
        'compact_boundary',
        'model',
        true,
        null,
      ),
      fc.anything({ maxDepth: 2 }),
    );
    const line = fc.letrec((tie) => ({
      line: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, value, tie('line'))),
    })).line;
    fc.assert(fc.property(line, (each) => void readLineFact(each)));
  });
});
