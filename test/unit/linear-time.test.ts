// Whatever a text is made of, reading it takes time that grows with its length: four times the text, not sixteen times the work.
import { describe, expect, test } from 'vitest';
import { FOREIGN } from './foreign-texts.ts';
import { HOSTILE } from './hostile-texts.ts';

/** Less than this is not measured well, and harms nobody. */
const FLOOR_MS = 25;
/** Linear is 4, and on a busy machine more; quadratic is 16. */
const MOST = 11;
const SIZES = [4_000, 16_000, 64_000];

function work(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage().user;
  try {
    read(text);
  } catch {
    // What it refuses it has read as well.
  }
  return (process.cpuUsage().user - before) / 1_000;
}

const least = (read: (text: string) => unknown, text: string): number =>
  Math.min(work(read, text), work(read, text));

/** How many times the work of a quarter of the text; 0 where it is next to nothing at every size. */
function growth(read: (text: string) => unknown, make: (size: number) => string): number {
  for (const size of SIZES) {
    const text = Buffer.from(make(size)).toString();
    if (work(read, text) < FLOOR_MS) continue;
    const quarter = Buffer.from(make(size / 4)).toString();
    const ratio = (): number => {
      const much = least(read, text);
      return much < FLOOR_MS ? 0 : much / Math.max(least(read, quarter), 1);
    };
    // What is measured on a busy machine is measured again before it counts.
    let found = ratio();
    for (let left = 3; found > MOST && left > 0; left--) found = Math.min(found, ratio());
    return found;
  }
  return 0;
}

describe('the time that it takes', () => {
  test.each(Object.entries(FOREIGN))('%s grows with its text', { timeout: 120_000 }, (_, read) => {
    const slow = Object.entries(HOSTILE).flatMap(([name, make]) => {
      const times = growth(read, make);
      return times > MOST ? [`${name}: ${times.toFixed(1)}`] : [];
    });
    expect(slow).toEqual([]);
  });

  test('shows where it does not', () => {
    const quadratic = (text: string): unknown => text.replace(/\s*\n\s*/g, ' ');
    // A busy machine can blur one measurement.
    const isSeen = [1, 2, 3].some(() => growth(quadratic, (size) => ' '.repeat(size)) > MOST);
    expect(isSeen).toBe(true);
  });
});
