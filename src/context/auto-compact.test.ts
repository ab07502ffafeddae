import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClientCompaction } from '../hosts/host.ts';
import { type AutoCompactThreshold, buildLearningKey, findAutoCompactThreshold } from './auto-compact.ts';

const PLAIN: ClientCompaction = { enabled: true, window: null, percent: null };

type Evidence = Parameters<typeof findAutoCompactThreshold>[0];

describe('findAutoCompactThreshold()', () => {
  const evidence = (more: Partial<Evidence>): Evidence => ({
    window: 200_000,
    peak: 0,
    client: PLAIN,
    ...more,
  });

  // [what, evidence, tokens, source, confidence]
  const rows: [string, Partial<Evidence>, number | null, AutoCompactThreshold['source'], string][] = [
    ['the window − 33,000 by default', {}, 167_000, 'default', 'assumed'],
    ['half of a window that is hardly larger than 33,000', { window: 40_000 }, 20_000, 'default', 'assumed'],
    ['the window − 33,000 for a large window', { window: 1_000_000 }, 967_000, 'default', 'assumed'],
    ['the configured point', { configured: 150_000 }, 150_000, 'config', 'certain'],
    ['the window where more is configured', { configured: 900_000 }, 200_000, 'config', 'certain'],
    [
      'the configured point before everything else',
      {
        configured: 150_000,
        client: { enabled: false, window: 120_000, percent: 50 },
        learned: [1, 2, 3],
        peak: 199_000,
      },
      150_000,
      'config',
      'certain',
    ],
    ['none where compaction is off', { client: { ...PLAIN, enabled: false } }, null, 'off', 'certain'],
    [
      'none where compaction is off, though points were learned and passed',
      { client: { ...PLAIN, enabled: false }, learned: [150_000, 150_000, 150_000], peak: 190_000 },
      null,
      'off',
      'certain',
    ],
    [
      "W − 33,000 with the client's window W",
      { client: { ...PLAIN, window: 150_000 } },
      117_000,
      'client',
      'inferred',
    ],
    [
      "the model's window − 33,000 where W is larger",
      { client: { ...PLAIN, window: 500_000 } },
      167_000,
      'client',
      'inferred',
    ],
    [
      'the percentage of W − 20,000 where it is lower',
      { client: { ...PLAIN, window: 150_000, percent: 50 } },
      65_000,
      'client',
      'inferred',
    ],
    [
      'W − 33,000 where the percentage is no lower',
      { client: { ...PLAIN, window: 150_000, percent: 100 } },
      117_000,
      'client',
      'inferred',
    ],
    [
      'the default where a percentage stands alone',
      { client: { ...PLAIN, percent: 50 } },
      167_000,
      'default',
      'assumed',
    ],
    [
      'the median of three learned points',
      { learned: [170_251, 155_554, 167_094] },
      167_094,
      'learned',
      'inferred',
    ],
    [
      'the lower of the middle two of four learned points',
      { learned: [150_000, 160_000, 170_000, 180_000] },
      160_000,
      'learned',
      'inferred',
    ],
    ['the default with two learned points', { learned: [155_554, 155_000] }, 167_000, 'default', 'assumed'],
    [
      'the default where points of another window or nonsense were learned',
      { learned: [0, -5, 967_000, 155_000, 155_000] },
      167_000,
      'default',
      'assumed',
    ],
    [
      "learned points before the client's settings",
      { learned: [155_000, 155_000, 155_000], client: { ...PLAIN, window: 150_000 } },
      155_000,
      'learned',
      'inferred',
    ],
    [
      'the assumed point while the usage is at most 8,000 above it',
      { peak: 175_000 },
      167_000,
      'default',
      'assumed',
    ],
    [
      'the window − 4,000 from 8,001 above the assumed point',
      { peak: 175_001 },
      196_000,
      'reactive',
      'inferred',
    ],
    [
      'the window − 4,000 where a learned point is disproved',
      { learned: [155_000, 155_000, 155_000], peak: 163_001 },
      196_000,
      'reactive',
      'inferred',
    ],
    [
      'the window − 4,000 where the point of the settings is disproved',
      { client: { ...PLAIN, window: 150_000 }, peak: 130_000 },
      196_000,
      'reactive',
      'inferred',
    ],
  ];
  test.each(rows)('gives %s', (_, more, tokens, source, confidence) => {
    expect(findAutoCompactThreshold(evidence(more))).toEqual({ tokens, source, confidence });
  });

  test.each([[10_000], [32_768], [33_000], [40_000]])(
    'gives a point above 0 for a window of %d',
    (window) => {
      expect(findAutoCompactThreshold(evidence({ window })).tokens).toBeGreaterThan(0);
    },
  );

  test('gives a point above 0 and within the window, whatever the window that can be configured', () => {
    const tokens = fc.oneof(
      fc.integer({ min: 10_000, max: 60_000 }),
      fc.integer({ min: 60_000, max: 10_000_000 }),
    );
    const client = fc.record({
      enabled: fc.constant(true),
      window: fc.option(fc.integer({ min: 100_000, max: 1_000_000 })),
      percent: fc.option(fc.integer({ min: 1, max: 100 })),
    });
    const learned = fc.array(fc.integer({ min: -5, max: 1_200_000 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.record({
          window: tokens,
          peak: fc.nat(2_000_000),
          client,
          learned,
          configured: fc.option(tokens),
        }),
        (given) => {
          const point = findAutoCompactThreshold(given);
          expect(point.tokens).toBeGreaterThan(0);
          expect(point.tokens).toBeLessThanOrEqual(given.window);
        },
      ),
    );
  });
});

describe('buildLearningKey()', () => {
  test('tells windows and settings of the client apart', () => {
    const settings: ClientCompaction[] = [
      PLAIN,
      { ...PLAIN, window: 150_000 },
      { ...PLAIN, window: 150_000, percent: 50 },
      { ...PLAIN, percent: 50 },
    ];
    const keys = settings.flatMap((client) => [
      buildLearningKey(200_000, client),
      buildLearningKey(1_000_000, client),
    ]);
    expect(new Set(keys).size).toBe(8);
    expect(keys[0]).toBe('200000');
  });
});
