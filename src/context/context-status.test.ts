import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../test/unit/judgements.ts';
import { claudeLimits } from '../hosts/claude-code/limits.ts';
import { createSessionState, type SessionState } from '../sessions/session-state.ts';
import type { ClientUsage, TranscriptState } from './client-usage.ts';
import { buildContextStatus } from './context-status.ts';
import { foldFacts, type WithOffset } from './usage.ts';

const MODEL = 'claude-sonnet-4-5';
const answer = (offset: number, tokens: number, model = MODEL): WithOffset => ({
  kind: 'usage',
  tokens,
  input: 1,
  output: 1,
  model,
  at: null,
  messageId: `msg_${offset}`,
  offset,
});
const boundary = (offset: number): WithOffset => ({
  kind: 'boundary',
  trigger: 'auto',
  preTokens: 167_000,
  at: null,
  offset,
});
const mark = (offset: number, model: string): WithOffset => ({
  kind: 'window-mark',
  model: model.replace('[1m]', ''),
  isMarked: model.endsWith('[1m]'),
  offset,
});
const state = (more: Partial<SessionState>): SessionState => ({ ...createSessionState('a'), ...more });

const look = (given: {
  state?: SessionState;
  facts?: WithOffset[] | null;
  head?: WithOffset[];
  client?: Record<string, unknown>;
  env?: Record<string, string>;
  before?: boolean;
  isWhole?: boolean;
  feed?: (seen: TranscriptState) => ClientUsage;
}) =>
  buildContextStatus({
    state: given.state ?? null,
    facts: given.facts === null ? null : foldFacts(given.facts ?? []),
    head: given.head === undefined ? null : foldFacts(given.head),
    now: 0,
    env: given.env ?? {},
    limits: claudeLimits,
    client: given.client ?? {},
    learned: { points: {}, sizes: {} },
    settings: SETTINGS,
    feed: given.feed ?? null,
    isWhole: given.isWhole ?? true,
    ...(given.before === undefined ? {} : { before: given.before }),
  });

describe('buildContextStatus()', () => {
  test('knows nothing without a transcript and a state', () => {
    const found = look({ facts: null });
    expect(found).toMatchObject({
      maxTokensByModel: {},
      largeWindowByModel: {},
      firstAnswerTokens: null,
      epoch: { number: 0 },
    });
    expect(found.assessment).toMatchObject({ tier: null, headroom: null });
  });

  test('judges the last answer', () => {
    const found = look({ facts: [answer(10, 20_000), answer(20, 120_000)] });
    expect(found).toMatchObject({ firstAnswerTokens: 20_000, maxTokensByModel: { [MODEL]: 120_000 } });
    expect(found.assessment).toMatchObject({ tier: 'WARNING', headroom: 47_000 });
  });

  test('estimates after a compaction from the first call, and takes no estimate for a peak', () => {
    const found = look({ facts: [answer(10, 22_000), answer(20, 166_000), boundary(30)] });
    expect(found.assessment.reading).toMatchObject({ tokens: 32_000, estimated: true });
    expect(found).toMatchObject({ epoch: { number: 1 }, maxTokensByModel: { [MODEL]: 166_000 } });
  });

  test('judges the usage as it was before a compaction where that is wanted', () => {
    const facts = [answer(20, 166_000), boundary(30)];
    const unflushed = state({ compaction_not_in_transcript: { epoch: 1, offset: 25, at: 0 } });
    expect(look({ facts, before: true }).assessment.reading).toMatchObject({
      tokens: 166_000,
      estimated: false,
    });
    expect(look({ facts: [answer(20, 166_000)], state: unflushed }).assessment.reading.estimated).toBe(true);
    expect(
      look({ facts: [answer(20, 166_000)], state: unflushed, before: true }).assessment.reading.estimated,
    ).toBe(false);
  });

  test('takes the first call from memory, then from the beginning of the file, then from what was read', () => {
    const facts = [answer(20, 90_000)];
    const head = [answer(0, 24_000)];
    expect(look({ facts, head, state: state({ first_answer_tokens: 21_000 }) }).firstAnswerTokens).toBe(
      21_000,
    );
    expect(look({ facts, head }).firstAnswerTokens).toBe(24_000);
    expect(look({ facts }).firstAnswerTokens).toBe(90_000);
    // The tail of a long file begins with any answer but the first.
    expect(look({ facts, isWhole: false }).firstAnswerTokens).toBeNull();
  });

  test('remembers the largest usage of each model, from all sources', () => {
    const remembered = state({ max_tokens_by_model: { [MODEL]: 210_000, a: 5 } });
    const found = look({ state: remembered, facts: [answer(10, 90_000)], head: [answer(0, 50, 'b')] });
    expect(found.maxTokensByModel).toEqual({ [MODEL]: 210_000, a: 5, b: 50 });
    expect(found.assessment.window).toMatchObject({ tokens: 1_000_000, source: 'usage' });
  });

  test('remembers for the whole session that the client ran past the expected point', () => {
    const remembered = state({ max_tokens_by_compact_setting: { '200000': 180_000 } });
    const reactive = { assessment: { autoCompactAt: { tokens: 196_000, source: 'reactive' } } };
    expect(look({ state: remembered, facts: [answer(10, 90_000)] })).toMatchObject(reactive);
    const manual: WithOffset = {
      kind: 'boundary',
      trigger: 'manual',
      preTokens: 90_000,
      at: null,
      offset: 5,
    };
    expect(look({ state: remembered, facts: [manual, answer(10, 90_000)] })).toMatchObject(reactive);
    expect(look({ facts: [answer(10, 90_000)] }).assessment.autoCompactAt.source).toBe('default');
    const client = { autoCompactWindow: 150_000 };
    expect(
      look({ state: remembered, facts: [answer(10, 90_000)], client }).assessment.autoCompactAt.tokens,
    ).toBe(117_000);
  });

  test('believes in the expected point again once the client compacted near it', () => {
    const remembered = state({
      max_tokens_by_compact_setting: { '200000': 180_000 },
      last_auto_compact_tokens: 168_000,
    });
    expect(look({ state: remembered, facts: [answer(10, 90_000)] }).assessment.autoCompactAt.source).toBe(
      'default',
    );
  });

  test('knows a marked model from memory, the beginning and what was read', () => {
    const facts = [answer(10, 90_000, 'claude-opus-4-6')];
    const large = { window: { tokens: 1_000_000, source: 'mark' } };
    expect(look({ facts }).assessment.window.tokens).toBe(200_000);
    expect(look({ facts: [...facts, mark(12, 'claude-opus-4-6[1m]')] }).assessment).toMatchObject(large);
    expect(look({ facts, head: [mark(0, 'opus[1m]')] }).assessment).toMatchObject(large);
    const plain = [...facts, mark(12, 'claude-opus-4-6[1m]'), mark(14, 'claude-opus-4-6')];
    expect(look({ facts: plain }).assessment.window.tokens).toBe(200_000);
    expect(look({ facts, state: state({ large_window_by_model: { opus: true } }) }).assessment).toMatchObject(
      large,
    );
  });

  test("asks the client's settings and environment for its auto-compact threshold", () => {
    const facts = [answer(10, 90_000)];
    expect(look({ facts, client: { autoCompactWindow: 150_000 } }).assessment.autoCompactAt.tokens).toBe(
      117_000,
    );
    expect(look({ facts, env: { DISABLE_AUTO_COMPACT: '1' } }).assessment.autoCompactAt.tokens).toBeNull();
  });

  describe('with what the client itself tells', () => {
    const fed = (more: Partial<ClientUsage>) => () => ({ reading: null, window: null, ...more });
    const reading = { tokens: 90_000, at: 0, model: MODEL };

    test('the usage and the window are certain, before any answer', () => {
      const { assessment } = look({ facts: null, feed: fed({ reading, window: 1_000_000 }) });
      expect(assessment).toMatchObject({
        reading: { tokens: 90_000, model: MODEL, source: 'client', confidence: 'certain', age_s: 0 },
        window: { tokens: 1_000_000, source: 'client', confidence: 'certain' },
        tierIfStandardWindow: null,
      });
    });

    test('a fill after a compaction is no estimate', () => {
      const facts = [answer(0, 150_000), boundary(10)];
      const told = look({ facts, feed: fed({ reading, window: 200_000 }) }).assessment.reading;
      expect(told).toMatchObject({ tokens: 90_000, estimated: false, stale: false });
      const untold = look({ facts, feed: fed({ window: 200_000 }) }).assessment;
      expect(untold).toMatchObject({ reading: { estimated: true }, window: { source: 'client' } });
    });

    test('a usage that was reached with a larger window of the same model disproves nothing', () => {
      const facts = [answer(0, 300_000), answer(10, 60_000)];
      expect(look({ facts, feed: fed({ window: 200_000 }) }).assessment.window.tokens).toBe(200_000);
      expect(look({ facts }).assessment.window.tokens).toBe(1_000_000);
    });

    test('is asked about what the file shows, and about no fill where the one before a compaction is wanted', () => {
      const at = '2026-11-27T10:00:00.000Z';
      const asked: TranscriptState[] = [];
      const feed = (seen: TranscriptState): ClientUsage => {
        asked.push(seen);
        return { reading: null, window: null };
      };
      const facts: WithOffset[] = [answer(0, 1), { ...boundary(10), at } as WithOffset];
      look({ facts, feed });
      look({ facts, feed, before: true });
      const unflushed = { epoch: 2, offset: 20, at: Date.parse(at) + 5 };
      look({ facts, feed, state: state({ compaction_not_in_transcript: unflushed }) });
      expect(asked.map((each) => each.compacted - Date.parse(at))).toEqual([0, Number.POSITIVE_INFINITY, 5]);
      expect(asked[0]).toMatchObject({ usage: { model: MODEL }, now: 0 });
    });
  });
});
