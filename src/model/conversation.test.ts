import { describe, expect, test } from 'vitest';
import { type Conversation, mergeConversation, newConversation } from './conversation.ts';

const state = (more: Partial<Conversation>): Conversation => ({ ...newConversation('a'), ...more });

describe('newConversation()', () => {
  test('knows nothing yet', () => {
    expect(newConversation('a')).toMatchObject({
      schema_version: '1.6.0',
      session_id: 'a',
      epoch: 0,
      pending: null,
      alert: null,
      off: false,
      seen: { offset: 0, boundaries: 0, last: null },
    });
  });
});

describe('mergeConversation()', () => {
  test('changes what the patch names and nothing else', () => {
    const current = state({ epoch: 2, first_call: 20_000, transcript: '/t.jsonl' });
    expect(mergeConversation(current, { epoch: 3, said: null })).toEqual({ ...current, epoch: 3 });
  });

  test('changes neither of its arguments', () => {
    const current = state({ peaks: { a: 5 }, marks: { a: true } });
    const before = structuredClone(current);
    mergeConversation(current, { peaks: { a: 9, b: 1 }, marks: { b: true } });
    expect(current).toEqual(before);
  });

  test('lets a peak only grow', () => {
    const current = state({ peaks: { a: 100, b: 50 } });
    expect(mergeConversation(current, { peaks: { a: 90, b: 60, c: 10 } }).peaks).toEqual({
      a: 100,
      b: 60,
      c: 10,
    });
    expect(mergeConversation(current, {}).peaks).toEqual({ a: 100, b: 50 });
  });

  test('lets what is noted of calls only grow, each conversation and subagent by itself', () => {
    const current = state({ calls_noted: { main: 100, a1: 50 } });
    expect(mergeConversation(current, { calls_noted: { main: 90, a2: 10 } }).calls_noted).toEqual({
      main: 100,
      a1: 50,
      a2: 10,
    });
  });

  test('forgets no mark, and lets a later word on the same model count', () => {
    expect(mergeConversation(state({ marks: { a: true } }), { marks: { a: false } }).marks).toEqual({
      a: false,
    });
    const current = state({ marks: { a: true } });
    expect(mergeConversation(current, { marks: { b: true } }).marks).toEqual({ a: true, b: true });
  });

  test('does not forget that the client stores what hooks injected', () => {
    const current = state({ stores_injections: true });
    expect(mergeConversation(current, { stores_injections: false }).stores_injections).toBe(true);
    expect(mergeConversation(state({}), { stores_injections: true }).stores_injections).toBe(true);
  });

  const SEEN = { offset: 500, boundaries: 2, last: 400 };
  test.each([
    ['a later look', { offset: 900, boundaries: 3, last: 800 }, { offset: 900, boundaries: 3, last: 800 }],
    ['a late writer that saw less', { offset: 300, boundaries: 1, last: 100 }, SEEN],
    [
      'a later look with as many boundaries',
      { offset: 900, boundaries: 2, last: 400 },
      { offset: 900, boundaries: 2, last: 400 },
    ],
  ])('keeps the further of two looks: %s', (_, patch, expected) => {
    expect(mergeConversation(state({ seen: SEEN }), { seen: patch }).seen).toEqual(expected);
  });

  test('keeps the higher tier of two tools that ran side by side, and takes a new segment as it is', () => {
    const said = (top: 'LOW' | 'WARNING', epoch = 0, most = 0) => ({
      epoch,
      tier: top,
      top,
      window: 200_000,
      most,
    });
    const current = state({ said: said('WARNING', 0, 120_000) });
    expect(mergeConversation(current, { said: said('LOW', 0, 95_000) }).said).toMatchObject({
      top: 'WARNING',
      most: 120_000,
    });
    expect(mergeConversation(current, { said: said('LOW', 1, 95_000) }).said?.top).toBe('LOW');
  });

  test('lets pending, alert and said be taken back', () => {
    const current = state({
      pending: { checkpoint: 'cx-001', offset: 5, trigger: 'auto', at: 'now' },
      said: { epoch: 0, tier: 'LOW', top: 'LOW', window: 200_000, most: 0 },
    });
    expect(mergeConversation(current, { pending: null, said: null })).toMatchObject({
      pending: null,
      said: null,
    });
  });
});
