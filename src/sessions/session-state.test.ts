import { describe, expect, test } from 'vitest';
import { createSessionState, mergeSessionState, type SessionState } from './session-state.ts';

const state = (more: Partial<SessionState>): SessionState => ({ ...createSessionState('a'), ...more });

describe('newConversation()', () => {
  test('knows nothing yet', () => {
    expect(createSessionState('a')).toMatchObject({
      schema_version: '1.11.0',
      session_id: 'a',
      epoch: 0,
      pending_compaction: null,
      alert: null,
      off: false,
      transcript_position: { offset: 0, boundaries: 0, last: null },
    });
  });
});

describe('mergeConversation()', () => {
  test('changes what the patch names and nothing else', () => {
    const current = state({ epoch: 2, first_answer_tokens: 20_000, transcript: '/t.jsonl' });
    expect(mergeSessionState(current, { epoch: 3, last_announced: null })).toEqual({ ...current, epoch: 3 });
  });

  test('changes neither of its arguments', () => {
    const current = state({ max_tokens_by_model: { a: 5 }, large_window_by_model: { a: true } });
    const before = structuredClone(current);
    mergeSessionState(current, { max_tokens_by_model: { a: 9, b: 1 }, large_window_by_model: { b: true } });
    expect(current).toEqual(before);
  });

  test('lets a peak only grow', () => {
    const current = state({ max_tokens_by_model: { a: 100, b: 50 } });
    expect(
      mergeSessionState(current, { max_tokens_by_model: { a: 90, b: 60, c: 10 } }).max_tokens_by_model,
    ).toEqual({
      a: 100,
      b: 60,
      c: 10,
    });
    expect(mergeSessionState(current, {}).max_tokens_by_model).toEqual({ a: 100, b: 50 });
  });

  test('lets what is noted of calls only grow, each session and subagent by itself', () => {
    const current = state({ logged_tool_call_offsets: { main: 100, a1: 50 } });
    expect(
      mergeSessionState(current, { logged_tool_call_offsets: { main: 90, a2: 10 } }).logged_tool_call_offsets,
    ).toEqual({
      main: 100,
      a1: 50,
      a2: 10,
    });
  });

  test('forgets no mark, and lets a later word on the same model count', () => {
    expect(
      mergeSessionState(state({ large_window_by_model: { a: true } }), {
        large_window_by_model: { a: false },
      }).large_window_by_model,
    ).toEqual({
      a: false,
    });
    const current = state({ large_window_by_model: { a: true } });
    expect(mergeSessionState(current, { large_window_by_model: { b: true } }).large_window_by_model).toEqual({
      a: true,
      b: true,
    });
  });

  test('does not forget that the client stores what hooks injected', () => {
    const current = state({ client_stores_hook_output: true });
    expect(mergeSessionState(current, { client_stores_hook_output: false }).client_stores_hook_output).toBe(
      true,
    );
    expect(mergeSessionState(state({}), { client_stores_hook_output: true }).client_stores_hook_output).toBe(
      true,
    );
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
    expect(
      mergeSessionState(state({ transcript_position: SEEN }), { transcript_position: patch })
        .transcript_position,
    ).toEqual(expected);
  });

  test('keeps the higher tier of two tools that ran side by side, and takes a new segment as it is', () => {
    const said = (top: 'LOW' | 'WARNING', epoch = 0, most = 0) => ({
      epoch,
      tier: top,
      highest_tier: top,
      window: 200_000,
      max_tokens: most,
    });
    const current = state({ last_announced: said('WARNING', 0, 120_000) });
    expect(
      mergeSessionState(current, { last_announced: said('LOW', 0, 95_000) }).last_announced,
    ).toMatchObject({
      highest_tier: 'WARNING',
      max_tokens: 120_000,
    });
    expect(
      mergeSessionState(current, { last_announced: said('LOW', 1, 95_000) }).last_announced?.highest_tier,
    ).toBe('LOW');
  });

  test('lets pending, alert and said be taken back', () => {
    const current = state({
      pending_compaction: { checkpoint: 'cx-001', offset: 5, trigger: 'auto', at: 'now' },
      last_announced: { epoch: 0, tier: 'LOW', highest_tier: 'LOW', window: 200_000, max_tokens: 0 },
    });
    expect(mergeSessionState(current, { pending_compaction: null, last_announced: null })).toMatchObject({
      pending_compaction: null,
      last_announced: null,
    });
  });
});
