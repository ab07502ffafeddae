import { describe, expect, test } from 'vitest';
import type { BoundaryFact, UsageFact } from '../hosts/entry.ts';
import { buildUsageReading, foldFacts, type WithOffset } from './usage.ts';

const AT = '2026-11-27T10:00:00.000Z';
const NOW = Date.parse(AT) + 90_000;

const usage = (offset: number, tokens: number, more: Partial<UsageFact> = {}): WithOffset<UsageFact> => ({
  kind: 'usage',
  tokens,
  input: 1,
  output: 50,
  model: 'claude-opus-4-7',
  at: AT,
  messageId: `msg_${offset}`,
  offset,
  ...more,
});
const boundary = (offset: number, more: Partial<BoundaryFact> = {}): WithOffset<BoundaryFact> => ({
  kind: 'boundary',
  trigger: 'auto',
  preTokens: 167_000,
  at: AT,
  offset,
  ...more,
});

describe('collectFacts()', () => {
  test('says nothing for no facts', () => {
    expect(foldFacts([])).toEqual({
      usage: null,
      boundary: null,
      boundaries: [],
      first: null,
      maxTokensByModel: {},
      largeWindowByModel: {},
      injections: [],
      isUnmeasured: false,
      characters: null,
    });
  });

  test('takes the last answer in file order, though its time is earlier', () => {
    const facts = foldFacts([usage(0, 500, { at: '2026-11-27T12:00:00Z' }), usage(9, 700, { at: AT })]);
    expect(facts.usage).toMatchObject({ tokens: 700, offset: 9 });
    expect(facts.first).toMatchObject({ tokens: 500, offset: 0 });
  });

  test('takes the last line of an answer for the last and for the first figure', () => {
    const parts = [usage(0, 8_102, { messageId: 'a' }), usage(5, 38_554, { messageId: 'a' })];
    const facts = foldFacts([
      ...parts,
      usage(9, 9_000, { messageId: 'b' }),
      usage(12, 39_000, { messageId: 'b' }),
    ]);
    expect(facts.usage?.tokens).toBe(39_000);
    expect(facts.first?.tokens).toBe(38_554);
  });

  test('keeps the largest usage of each model, and all compactions, marks and injections', () => {
    const facts = foldFacts([
      usage(0, 90, { model: 'a' }),
      usage(1, 70, { model: 'a' }),
      boundary(2),
      usage(3, 20, { model: 'b' }),
      boundary(4, { trigger: 'manual' }),
      { kind: 'window-mark', model: 'b', isMarked: true, offset: 5 },
      { kind: 'injection', text: 'words', offset: 6 },
    ]);
    expect(facts.maxTokensByModel).toEqual({ a: 90, b: 20 });
    expect(facts.boundaries.map((each) => each.offset)).toEqual([2, 4]);
    expect(facts.boundary).toMatchObject({ offset: 4, trigger: 'manual' });
    expect(facts.largeWindowByModel).toEqual({ b: true });
    expect(facts.injections).toEqual([{ text: 'words', offset: 6 }]);
  });
});

describe('buildUsageReading()', () => {
  test('gives the last answer as a certain figure with its age', () => {
    const found = buildUsageReading(
      { usage: usage(10, 91_203), boundary: null },
      { compacted: false, firstCall: 20_000, now: NOW },
    );
    expect(found).toEqual({
      tokens: 91_203,
      output: 50,
      model: 'claude-opus-4-7',
      source: 'usage',
      confidence: 'certain',
      estimated: false,
      stale: false,
      last_seen: null,
      age_s: 90,
    });
  });

  test('gives unknown, never 0, where there is no answer', () => {
    const found = buildUsageReading(
      { usage: null, boundary: null },
      { compacted: false, firstCall: null, now: NOW },
    );
    expect(found).toEqual({
      tokens: null,
      output: null,
      model: null,
      source: 'none',
      confidence: null,
      estimated: false,
      stale: false,
      last_seen: null,
      age_s: null,
    });
  });

  test('counts an answer after the boundary as a measurement again', () => {
    const found = buildUsageReading(
      { usage: usage(20, 34_765), boundary: boundary(10) },
      { compacted: false, firstCall: null, now: NOW },
    );
    expect(found).toMatchObject({ tokens: 34_765, estimated: false, stale: false, last_seen: null });
  });

  // [what is shown, before, first call, estimate]
  const estimates: [string, number, number | null, number][] = [
    ['the first call + 10,000', 166_609, 22_000, 32_000],
    ['35,000 where the first call is not known', 166_609, null, 35_000],
    [
      '35,000 where the first call is no smaller than the old fill (a resumed session)',
      166_609,
      160_000,
      35_000,
    ],
    ['35,000 where the first call + 10,000 equals the old fill', 45_000, 35_000, 35_000],
    ['the old fill where that is below 35,000 already', 12_000, null, 12_000],
  ];
  test.each(estimates)('estimates %s after a compaction', (_, before, firstCall, estimate) => {
    const found = buildUsageReading(
      { usage: usage(10, before), boundary: boundary(20) },
      { compacted: false, firstCall, now: NOW },
    );
    expect(found).toEqual({
      tokens: estimate,
      output: null,
      model: 'claude-opus-4-7',
      source: 'after-compaction',
      confidence: 'assumed',
      estimated: true,
      stale: true,
      last_seen: { tokens: before, at: AT },
      age_s: 90,
    });
  });

  test('estimates too where the compaction is known and its boundary not written yet', () => {
    const found = buildUsageReading(
      { usage: usage(10, 166_609), boundary: null },
      { compacted: true, firstCall: 22_000, now: NOW },
    );
    expect(found).toMatchObject({ tokens: 32_000, estimated: true, last_seen: { tokens: 166_609 } });
  });

  test('is unknown and stale where only a boundary stands in the file', () => {
    const found = buildUsageReading(
      { usage: null, boundary: boundary(5) },
      { compacted: false, firstCall: null, now: NOW },
    );
    expect(found).toMatchObject({ tokens: null, stale: true, estimated: false, source: 'none' });
  });

  // [what is shown, facts, tokens]
  const texts: [string, Parameters<typeof buildUsageReading>[0], number][] = [
    ['no usage at all', { usage: null, boundary: null, characters: 280_000 }, 100_000],
    ['usage once, and none since', { usage: usage(10, 50_000), boundary: null, characters: 28_000 }, 60_000],
    ['a compaction since', { usage: usage(10, 90_000), boundary: boundary(20), characters: 28_000 }, 10_000],
  ];
  test.each(texts)(
    'estimates from the length of the text where the provider reports %s',
    (_, facts, tokens) => {
      const found = buildUsageReading(facts, { compacted: false, firstCall: 20_000, now: NOW });
      expect(found).toMatchObject({ tokens, source: 'characters', confidence: 'assumed', estimated: true });
      expect(found.last_seen?.tokens ?? null).toBe(facts.usage?.tokens ?? null);
    },
  );

  test.each([
    ['no time', null, null],
    ['a time that is none', 'yesterday', null],
    ['a time in the future, as clocks go', new Date(NOW + 60_000).toISOString(), 0],
  ])('gives the age of an answer with %s', (_, at, age) => {
    const found = buildUsageReading(
      { usage: usage(1, 500, { at }), boundary: null },
      { compacted: false, firstCall: null, now: NOW },
    );
    expect(found.age_s).toBe(age);
  });
});
