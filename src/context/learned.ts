// What is learned of the client on this machine, and what an estimate right after a compaction takes from it.

import type { UsageReading } from './usage.ts';

/** What was seen of the client on this machine, in tokens; the last ones come last. */
export interface Learned {
  /** Usages at automatic compactions, by `buildLearningKey`. */
  points: Record<string, number[]>;
  /** Usages of the first answer after a compaction, by window. */
  sizes: Record<string, number[]>;
}

const listNumbers = (value: unknown): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries((value ?? {}) as Record<string, unknown>).map(([key, list]) => [
      key,
      (Array.isArray(list) ? list : []).filter((tokens): tokens is number => typeof tokens === 'number'),
    ]),
  );

/** What a file of them says, of whatever form it is. Files of 1.0.0 have no sizes. */
export const listLearned = (value: unknown): Learned => {
  const { points, sizes } = (value ?? {}) as Record<string, unknown>;
  return { points: listNumbers(points), sizes: listNumbers(sizes) };
};

/** So many of a kind say what is usual. */
export const LEAST_LEARNED = 3;

/** The middle of the values, of an even number the lower one; 0 of none. */
export const findLowerMedian = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
};

/**
 * The estimate right after a compaction by what was seen after compactions with the same window: the median of at least
 * three. It never exceeds the largest that was ever seen, nor the usage before.
 *
 * @param seen usages of the first answers after compactions with this window, in tokens
 */
export function refineEstimate(reading: UsageReading, seen: readonly number[]): UsageReading {
  const { source, tokens, last_seen } = reading;
  if (source !== 'after-compaction' || tokens === null || seen.length === 0) return reading;
  const isKnown = seen.length >= LEAST_LEARNED;
  const expected = isKnown ? findLowerMedian(seen) : tokens;
  return {
    ...reading,
    tokens: Math.min(expected, Math.max(...seen), last_seen?.tokens ?? expected),
    confidence: isKnown ? 'inferred' : 'assumed',
  };
}
