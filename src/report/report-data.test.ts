// Tests the figures that a report takes from a replay, and how it writes them.
import { expect, test } from 'vitest';
import { reportInput, risingCalls } from '../../test/unit/reported.ts';
import { thinIndexes } from './charts/drawing.ts';
import { countRetention, findLimitStretches, formatMoment, formatShort, formatSpan } from './report-data.ts';

test.each<[string | null, string | null, string | null]>([
  ['2026-11-27T10:00:00Z', '2026-11-27T10:00:40Z', '40 s'],
  ['2026-11-27T10:00:00Z', '2026-11-27T10:05:00Z', '5 min'],
  ['2026-11-27T10:00:00Z', '2026-11-27T12:05:00Z', '2 h 5 min'],
  ['2026-11-27T10:00:00Z', '2026-11-30T14:00:00Z', '3 d 4 h'],
  ['2026-11-27T10:00:00Z', '2026-11-27T09:00:00Z', null],
  [null, '2026-11-27T09:00:00Z', null],
])('from %s to %s it is %s', (from, to, span) => {
  expect(formatSpan(from, to)).toBe(span);
});

test.each<[number, string]>([
  [0, '0'],
  [950, '950'],
  [1_500, '1.5k'],
  [167_000, '167k'],
  [1_000_000, '1M'],
  [1_048_576, '1.05M'],
])('%i tokens are %s in short', (tokens, text) => {
  expect(formatShort(tokens)).toBe(text);
});

test.each<[string | null, string]>([
  ['2026-11-27T10:05:33.123Z', '2026-11-27 10:05'],
  [null, 'no time'],
  ['<b>long and no time at all</b>', '<b>long and no time '],
])('the moment %j reads %j', (at, text) => {
  expect(formatMoment(at)).toBe(text);
});

test('where the model and its window change, the tiers begin elsewhere from that call on', () => {
  const calls = risingCalls(4, 1_000, 1).map((call, index) =>
    index < 3 ? call : { ...call, window: 1_000_000, limit: 967_000 },
  );
  const { assessment } = reportInput([]);
  expect(findLimitStretches(calls, assessment)).toMatchObject([
    {
      ...{ from: 0, to: 3, window: 200_000, limit: 167_000 },
      begins: [
        { tier: 'LOW', tokens: 91_850 },
        { tier: 'WARNING', tokens: 116_900 },
        { tier: 'CRITICAL', tokens: 133_600 },
        { tier: 'EMERGENCY', tokens: 146_960 },
      ],
    },
    { from: 3, to: 4, window: 1_000_000, limit: 967_000 },
  ]);
});

test('retention counts needed facts, and is unknown where none was needed', () => {
  const fact = { kind: 'k', value: 'v', bySummary: true, withOurs: true };
  const of = (facts: (typeof fact)[]) => ({ known: [], told: { text: '', tokens: 0 }, facts });
  expect(countRetention([null, of([])])).toBeNull();
  expect(countRetention([of([fact, { ...fact, bySummary: false }]), null])).toEqual({
    needed: 2,
    bySummary: 1,
    withOurs: 2,
  });
});

test.each([1, 2, 99, 100, 101, 5_000])(
  'thinned out, %i values keep ends, lowest and highest, in order',
  (count) => {
    const values = Array.from({ length: count }, (_, index) => (index * 7_919) % 1_009);
    const kept = thinIndexes(values, 100);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(count - 1);
    const heights = kept.map((index) => values[index] ?? 0);
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([Math.min(...values), Math.max(...values)]);
  },
);
