import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sensitivity, Tier, TierInput } from './tier.ts';
import { findTier, findTierStart, isAtLeast, PRESETS, TIERS, TYPICAL_STEP_TOKENS } from './tier.ts';

const input = (more: Partial<TierInput>): TierInput => ({
  usedTokens: 0,
  effectiveLimit: 200_000,
  window: 200_000,
  thresholds: PRESETS.C2,
  mode: 'static',
  typicalStepTokens: TYPICAL_STEP_TOKENS,
  ...more,
});

describe('PRESETS', () => {
  test('hold the thresholds of the design', () => {
    expect(PRESETS).toEqual({
      C1: { low: 0.7, warning: 0.8, critical: 0.9, emergency: 0.95 },
      C2: { low: 0.55, warning: 0.7, critical: 0.8, emergency: 0.88 },
      C3: { low: 0.45, warning: 0.6, critical: 0.72, emergency: 0.82 },
      C4: { low: 0.35, warning: 0.5, critical: 0.65, emergency: 0.78 },
    });
    expect(TYPICAL_STEP_TOKENS).toBe(29_000);
  });
});

describe('findTier()', () => {
  test('says EMERGENCY at exactly 0.88', () => {
    expect(findTier(input({ usedTokens: 176_000 }))).toBe('EMERGENCY');
    expect(findTier(input({ usedTokens: 175_999 }))).toBe('CRITICAL');
  });

  // [preset, usable, tier, the first usage of it]
  const steps: [Sensitivity, number, Tier, number][] = (
    [
      ['C1', [0.7, 0.8, 0.9, 0.95]],
      ['C2', [0.55, 0.7, 0.8, 0.88]],
      ['C3', [0.45, 0.6, 0.72, 0.82]],
      ['C4', [0.35, 0.5, 0.65, 0.78]],
    ] as const
  ).flatMap(([preset, fractions]) =>
    [167_000, 200_000].flatMap((usable) =>
      fractions.map((fraction, index): [Sensitivity, number, Tier, number] => [
        preset,
        usable,
        TIERS[index + 1] ?? 'NOMINAL',
        Math.round(fraction * usable),
      ]),
    ),
  );
  test.each(steps)('begins, with %s of %d, %s at exactly %d', (preset, usable, tier, first) => {
    const at = (fill: number): Tier =>
      findTier(input({ thresholds: PRESETS[preset], effectiveLimit: usable, usedTokens: fill }));
    expect(at(first)).toBe(tier);
    expect(at(first - 1)).toBe(TIERS[TIERS.indexOf(tier) - 1]);
  });

  test('says NOMINAL for an empty and EMERGENCY for an overfull context', () => {
    expect(findTier(input({ usedTokens: 0 }))).toBe('NOMINAL');
    expect(findTier(input({ usedTokens: 250_000 }))).toBe('EMERGENCY');
  });

  describe('in a window above 300,000', () => {
    const large = (fill: number, more: Partial<TierInput> = {}): Tier =>
      findTier(input({ usedTokens: fill, effectiveLimit: 967_000, window: 1_000_000, ...more }));

    test.each<[Tier, number]>([
      ['LOW', 531_850],
      ['WARNING', 851_000],
      ['CRITICAL', 909_000],
      ['EMERGENCY', 938_000],
    ])('begins %s at exactly %d, when the headroom is short too', (tier, first) => {
      expect(large(first)).toBe(tier);
      expect(large(first - 1)).toBe(TIERS[TIERS.indexOf(tier) - 1]);
    });

    test('says LOW at 80% with 193,400 tokens left', () => {
      expect(large(773_600)).toBe('LOW');
    });

    test('asks for the fraction as well as for the headroom', () => {
      expect(
        large(300_000, { effectiveLimit: 400_000, thresholds: PRESETS.C1, typicalStepTokens: 100_000 }),
      ).toBe('LOW');
      expect(
        large(320_000, { effectiveLimit: 400_000, thresholds: PRESETS.C1, typicalStepTokens: 100_000 }),
      ).toBe('WARNING');
    });

    test('takes 300,000 itself for a small one', () => {
      expect(large(264_000, { effectiveLimit: 300_000, window: 300_000, typicalStepTokens: 1 })).toBe(
        'EMERGENCY',
      );
      expect(large(264_000, { effectiveLimit: 300_000, window: 300_001, typicalStepTokens: 1 })).toBe('LOW');
    });
  });

  describe('in dynamic mode', () => {
    const dynamic = (fill: number, more: Partial<TierInput> = {}): Tier =>
      findTier(input({ usedTokens: fill, effectiveLimit: 167_000, mode: 'dynamic', ...more }));

    test.each<[string, number, Tier]>([
      ['LOW by its fraction', 91_850, 'LOW'],
      ['LOW at a headroom of exactly 2 operations', 109_000, 'LOW'],
      ['WARNING below 2 operations', 109_001, 'WARNING'],
      ['WARNING at exactly 1 operation', 138_000, 'WARNING'],
      ['CRITICAL below 1 operation', 138_001, 'CRITICAL'],
      ['CRITICAL at exactly half an operation', 152_500, 'CRITICAL'],
      ['EMERGENCY below half an operation', 152_501, 'EMERGENCY'],
      ['EMERGENCY above the effective limit', 190_000, 'EMERGENCY'],
      ['NOMINAL below LOW', 91_849, 'NOMINAL'],
    ])('says %s', (_, fill, tier) => {
      expect(dynamic(fill)).toBe(tier);
    });

    test('counts in the operations that are configured', () => {
      expect(dynamic(147_001, { typicalStepTokens: 10_000 })).toBe('WARNING');
      expect(dynamic(147_000, { typicalStepTokens: 10_000 })).toBe('LOW');
    });
  });

  test('never falls while the usage rises', () => {
    const presets = fc.constantFrom<Sensitivity>('C1', 'C2', 'C3', 'C4');
    const mode = fc.constantFrom<'static' | 'dynamic'>('static', 'dynamic');
    const window = fc.constantFrom(200_000, 500_000, 1_000_000);
    fc.assert(
      fc.property(
        presets,
        mode,
        window,
        fc.nat(1_000_000),
        fc.nat(100_000),
        (preset, how, size, fill, more) => {
          const at = (tokens: number): Tier =>
            findTier(
              input({
                usedTokens: tokens,
                thresholds: PRESETS[preset],
                mode: how,
                window: size,
                effectiveLimit: size - 33_000,
              }),
            );
          expect(isAtLeast(at(fill + more), at(fill))).toBe(true);
        },
      ),
    );
  });
});

describe('isAtLeast()', () => {
  test('orders the five tiers', () => {
    expect(TIERS).toEqual(['NOMINAL', 'LOW', 'WARNING', 'CRITICAL', 'EMERGENCY']);
    expect(isAtLeast('WARNING', 'WARNING')).toBe(true);
    expect(isAtLeast('EMERGENCY', 'LOW')).toBe(true);
    expect(isAtLeast('LOW', 'WARNING')).toBe(false);
  });
});

describe('findTierStart()', () => {
  const input = {
    effectiveLimit: 167_000,
    window: 200_000,
    thresholds: PRESETS.C2,
    mode: 'static',
    typicalStepTokens: 29_000,
  } as const;
  const rows: [string, Partial<Omit<TierInput, 'usedTokens'>>, (number | null)[]][] = [
    ['fractions of the effective limit', {}, [0, 91_850, 116_900, 133_600, 146_960]],
    [
      'headroom as well on a large window',
      { window: 1_000_000, effectiveLimit: 967_000 },
      [0, 531_850, 851_000, 909_000, 938_000],
    ],
    ['headroom alone', { mode: 'dynamic' }, [0, 91_850, 109_001, 138_001, 152_501]],
    [
      'thresholds that are all one',
      { thresholds: { low: 1, warning: 1, critical: 1, emergency: 1 } },
      [0, 167_000, 167_000, 167_000, 167_000],
    ],
  ];
  test.each(rows)('%s', (_name, more, expected) => {
    expect(TIERS.map((tier) => findTierStart(tier, { ...input, ...more }))).toEqual(expected);
  });

  test('is where the tier begins, and not a token before', () => {
    for (const mode of ['static', 'dynamic'] as const) {
      for (const window of [200_000, 1_000_000]) {
        const place = { ...input, mode, window, effectiveLimit: window - 33_000 };
        for (const tier of TIERS.slice(1)) {
          const begin = findTierStart(tier, place) ?? 0;
          expect(isAtLeast(findTier({ ...place, usedTokens: begin }), tier)).toBe(true);
          expect(isAtLeast(findTier({ ...place, usedTokens: begin - 1 }), tier)).toBe(false);
        }
      }
    }
  });

  test.each([2 ** 53 - 1, 2 ** 53, 1e15, 1e300, Number.POSITIVE_INFINITY])(
    'is looked for in any window without an endless search: %s',
    (window) => {
      for (const effectiveLimit of [167_000, window])
        for (const tier of TIERS) {
          const begin = findTierStart(tier, { ...input, window, effectiveLimit });
          expect(begin === null || Number.isSafeInteger(begin)).toBe(true);
        }
    },
  );
});
