// Draws a series of fractions as one line of small bars.

const BARS = '▁▂▃▄▅▆▇█';

/** Splits the values into `width` groups of equal length and takes the largest of each, the newest last. */
function largest(values: readonly number[], width: number): number[] {
  if (values.length <= width) return [...values];
  return Array.from({ length: width }, (_, index) => {
    const from = Math.floor((index * values.length) / width);
    const to = Math.floor(((index + 1) * values.length) / width);
    return Math.max(...values.slice(from, to));
  });
}

/**
 * Fractions as bars, at most so many columns wide: each bar is the largest value of its group, so that no peak is lost.
 * A fraction of 1 and above is a full bar, and even the smallest value is a visible one.
 */
export const sparkline = (fractions: readonly number[], width: number): string =>
  width < 1
    ? ''
    : largest(fractions, width)
        .map((each) => BARS[Math.min(BARS.length - 1, Math.max(0, Math.floor(each * BARS.length)))] ?? '')
        .join('');
