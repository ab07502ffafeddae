import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, reading } from '../../test/unit/judgements.ts';
import { refineEstimate } from './learned.ts';

const AT = '2026-11-27T10:00:00.000Z';
const estimate = (tokens: number, before: number) =>
  reading(tokens, {
    source: 'after-compaction',
    confidence: 'assumed',
    estimated: true,
    stale: true,
    last_seen: { tokens: before, at: AT },
  });

describe('refineEstimate()', () => {
  // [what is known, estimate, usage before, sizes seen, tokens, confidence]
  const cases: [string, number, number, number[], number, string][] = [
    ['nothing: as it was', 45_000, 167_000, [], 45_000, 'assumed'],
    ['one size above it: as it was', 32_000, 167_000, [40_000], 32_000, 'assumed'],
    ['two sizes below it: no more than the larger', 150_000, 167_000, [30_000, 42_000], 42_000, 'assumed'],
    ['three sizes: their median', 150_000, 167_000, [84_375, 29_644, 34_765], 34_765, 'inferred'],
    ['four sizes: the lower of the middle two', 20_000, 167_000, [30, 10, 40, 20], 20, 'inferred'],
    [
      'three huge sizes: no more than before',
      32_000,
      150_000,
      [190_000, 180_000, 185_000],
      150_000,
      'inferred',
    ],
    ['two huge sizes: no more than before', 160_000, 150_000, [190_000, 180_000], 150_000, 'assumed'],
  ];
  test.each(cases)('takes of %s', (_, tokens, before, seen, expected, confidence) => {
    expect(refineEstimate(estimate(tokens, before), seen)).toEqual({
      ...estimate(expected, before),
      confidence,
    });
  });

  test('leaves what was measured, and what was counted from the text', () => {
    for (const each of [
      reading(150_000),
      reading(null),
      reading(150_000, { source: 'characters', estimated: true }),
    ])
      expect(refineEstimate(each, [1, 2, 3])).toBe(each);
  });
});

describe('the estimate right after a compaction', () => {
  const judgeEstimate = (tokens: number, before: number, sizes: number[], more = {}) =>
    judge(tokens, { reading: estimate(tokens, before), sizes: { '200000': sizes }, ...more });

  test.each([
    ['nothing learned', []],
    ['two huge sizes learned', [166_000, 166_500]],
    ['three huge sizes learned', [166_000, 166_500, 170_000]],
  ])('is never an EMERGENCY, with %s', (_, sizes) => {
    const { tier, tierAfterNextStep, headroom } = judgeEstimate(160_000, 167_000, sizes);
    expect(tier).toBe('CRITICAL');
    expect(tierAfterNextStep).toBe('CRITICAL');
    expect(headroom).toBeLessThanOrEqual(7_000);
  });

  test('is measured against the sizes of its own window only, and not where the client tells of itself', () => {
    const sizes = { '1000000': [90_000, 90_000, 90_000] };
    expect(judge(45_000, { reading: estimate(45_000, 167_000), sizes }).reading.tokens).toBe(45_000);
    const seen = [30_000, 30_000, 30_000];
    expect(judgeEstimate(45_000, 167_000, seen).reading.tokens).toBe(30_000);
    expect(judgeEstimate(45_000, 167_000, seen, { toldCompactsAt: 167_000 }).reading.tokens).toBe(45_000);
  });

  test('a measured usage is an EMERGENCY as before', () => {
    expect(judge(160_000, { sizes: { '200000': [30_000, 30_000, 30_000] } }).tier).toBe('EMERGENCY');
  });

  test('never exceeds the usage before, nor what was ever seen, nor makes an EMERGENCY', () => {
    const tokens = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(tokens, tokens, fc.array(tokens, { maxLength: 25 }), (first, before, sizes) => {
        const { reading: found, tier } = judgeEstimate(Math.min(first, before), before, sizes);
        expect(tier).not.toBe('EMERGENCY');
        expect(found.tokens).toBeLessThanOrEqual(
          Math.min(before, ...(sizes.length === 0 ? [] : [Math.max(...sizes)])),
        );
      }),
    );
  });
});
