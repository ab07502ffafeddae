import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { type Judged, judge } from '../../test/unit/judgements.ts';
import { estimateTokens } from '../text/budget.ts';
import { formatThousands } from '../text/lines.ts';
import { formatMinimalMonitor, formatShortMonitor } from './context-monitor.ts';

describe('thousands()', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [53_600, '53,600'],
    [146_400, '146,400'],
    [1_000_000, '1,000,000'],
    [1_234_567.6, '1,234,568'],
  ])('writes %d as %s', (value, expected) => {
    expect(formatThousands(value)).toBe(expected);
  });
});

describe('formatMinimalMonitor()', () => {
  test.each<[string, number, Judged, string]>([
    ['NOMINAL', 33_000, {}, 'NOMINAL ~20%'],
    ['LOW', 100_000, {}, 'LOW ~60%'],
    ['WARNING', 120_000, {}, 'WARNING ~70% (~47,000 tokens left)'],
    ['EMERGENCY', 150_000, {}, 'EMERGENCY ~90% (~17,000 tokens left)'],
    [
      'usage past a configured threshold',
      171_000,
      { settings: { autoCompactAt: 170_000 } },
      'EMERGENCY ~100% (past the expected auto-compaction)',
    ],
    ['an estimate', 33_000, { reading: { estimated: true } }, 'NOMINAL est 20%'],
    [
      'the window alone',
      150_000,
      { settings: { thresholdBase: 'window' } },
      'WARNING ~75% (~50,000 tokens left)',
    ],
  ])('says %s', (_, tokens, judged, words) => {
    expect(formatMinimalMonitor(judge(tokens, judged))).toBe(
      `<context-monitor>CONTEXT STATUS: ${words}</context-monitor>`,
    );
  });

  test('stays within 25 tokens below WARNING and within 40 from there on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        fc.constantFrom('limit', 'window' as const),
        fc.constantFrom('claude-sonnet-4-5', 'claude-opus-5-5', null),
        fc.boolean(),
        fc.boolean(),
        (tokens, thresholdBase, model, enabled, estimated) => {
          const judged = judge(tokens, {
            settings: { thresholdBase },
            reading: { model, estimated },
            client: { enabled },
          });
          const text = formatMinimalMonitor(judged) ?? '';
          const isQuiet = judged.tier === 'NOMINAL' || judged.tier === 'LOW';
          expect(estimateTokens(text)).toBeLessThanOrEqual(isQuiet ? 25 : 40);
          expect(text).toContain(`CONTEXT STATUS: ${judged.tier} ${estimated ? 'est ' : '~'}`);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe('formatShortMonitor()', () => {
  // [what, tokens, judged, the words in brackets; `~` stands for "about"]
  test.each<[string, number, Judged, RegExp]>([
    [
      'both denominators',
      83_500,
      {},
      /^NOMINAL \(~50% of the way to auto-compaction at 167,000; ~40% of the 200,000 window\)$/,
    ],
    ['the window alone', 110_000, { settings: { thresholdBase: 'window' } }, /^LOW \(~55% filled\)$/],
    [
      'an estimate',
      32_000,
      { reading: { estimated: true } },
      /^NOMINAL \(~20% of the way to auto-compaction at 167,000; ~15% of the 200,000 window; est\.\)$/,
    ],
    [
      'automatic compaction being off',
      60_000,
      { client: { enabled: false } },
      /^NOMINAL \(~30% of the 200,000 window; auto-compaction is off\)$/,
    ],
  ])('writes one line with %s', (_, tokens, judged, expected) => {
    const text = formatShortMonitor(judge(tokens, judged)) ?? '';
    const words = /^<context-monitor>CONTEXT STATUS: (.*)<\/context-monitor>$/.exec(text)?.[1] ?? '';
    expect(words.replaceAll('about ', '~')).toMatch(expected);
  });

  test.each<[string, number, Judged]>([
    ['an estimate after a compaction', 32_000, { reading: { estimated: true } }],
    ['an estimate in a large window', 32_000, { reading: { estimated: true, model: 'claude-opus-5-5' } }],
    [
      'an estimate without automatic compaction',
      32_000,
      { reading: { estimated: true }, client: { enabled: false } },
    ],
    ['a window of 2,000,000', 900_000, { settings: { windowTokens: 2_000_000 } }],
  ])('stays within 60 tokens with %s', (_, tokens, judged) => {
    expect(estimateTokens(formatShortMonitor(judge(tokens, judged)) ?? '')).toBeLessThanOrEqual(60);
  });

  test('gives equal bytes for fills that round equally', () => {
    const five = (fraction: number | null): number => Math.round((fraction ?? 0) * 20);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 116_000 }),
        fc.integer({ min: 0, max: 9_000 }),
        (tokens, more) => {
          const [one, other] = [judge(tokens), judge(tokens + more)];
          fc.pre(
            five(one.fractionOfLimit) === five(other.fractionOfLimit) &&
              five(one.fractionOfWindow) === five(other.fractionOfWindow),
          );
          fc.pre(one.tier === other.tier);
          expect(formatShortMonitor(other)).toBe(formatShortMonitor(one));
        },
      ),
    );
    expect(formatShortMonitor(judge(20_001))).toBe(formatShortMonitor(judge(20_800)));
  });
});
