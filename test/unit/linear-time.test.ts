// Tests that reading time grows with a text's length: four times the text, not sixteen times the work.
import { describe, expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { FOREIGN } from './foreign-texts.ts';
import { HOSTILE } from './hostile-texts.ts';

const SIZE = 16_000;
/** What grows with the square of its text and takes less is done with four times the text in 25 ms, with 16 times in 410: it harms nobody. */
const FLOOR_MS = 1.6;
/** Linear is 4, quadratic is 16. */
const MOST = 10;

// Measures the time of the process, not of the clock: what else runs on the machine takes none of it.
function work(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  try {
    read(text);
  } catch {
    // What it refuses it has read as well.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const least = (read: (text: string) => unknown, text: string, runs: number): number =>
  Math.min(...Array.from({ length: runs }, () => work(read, text)));

/** How many times the work of a quarter of the text; 0 where it is next to nothing. */
function growth(read: (text: string) => unknown, make: (size: number) => string): number {
  let found = 0;
  // One run tells most apart. What looks slow is measured with more text: what compilers, collectors and other processes take does not grow with it.
  for (const [times, runs] of [
    [1, 1],
    [4, 3],
    [16, 3],
  ] as const) {
    const [text = '', quarter = ''] = [1, 4].map((part) =>
      Buffer.from(make((SIZE * times) / part)).toString(),
    );
    const much = least(read, text, runs);
    found = much < FLOOR_MS * times ** 2 ? 0 : much / least(read, quarter, runs);
    if (found <= MOST) break;
  }
  return found;
}

describe('the time that it takes', () => {
  test.each(Object.entries(FOREIGN))('%s grows with its text', { timeout: 120_000 }, (_, read) => {
    const slow = some(Object.entries(HOSTILE), 4).flatMap(([name, make]) => {
      const times = growth(read, make);
      return times > MOST ? [`${name}: ${times.toFixed(1)}`] : [];
    });
    expect(slow).toEqual([]);
  });

  test('shows where it does not', () => {
    const quadratic = (text: string): unknown => text.replace(/\s*\n\s*/g, ' ');
    // A machine under load blurs a single measurement, which lets a text pass.
    const measured = [1, 2, 3].map(() => growth(quadratic, (size) => ' '.repeat(size / 7)));
    expect(Math.max(...measured)).toBeGreaterThan(MOST);
  });
});
