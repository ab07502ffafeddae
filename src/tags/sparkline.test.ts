import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

const rows: [fractions: number[], width: number, line: string][] = [
  [[], 10, ''],
  [[0, 0.5, 1], 10, '▁▅█'],
  [[0.01, 0.99, 1.4, -1], 10, '▁██▁'],
  [[0.1, 0.2, 0.9, 0.3, 0.1, 0.1], 3, '▂█▁'],
  [[0.1, 0.2, 0.9, 0.3, 0.1, 0.1], 1, '█'],
  [[0.5], 0, ''],
];

test.each(rows)('%j in %i columns', (fractions, width, line) => {
  expect(sparkline(fractions, width)).toBe(line);
});

test('of many values no peak is lost', () => {
  for (const width of [7, 60, 100]) {
    const values = Array.from({ length: 1_000 }, (_, index) => (index === 777 ? 1 : 0.1));
    expect(sparkline(values, width)).toHaveLength(width);
    expect(sparkline(values, width)).toContain('█');
  }
});
