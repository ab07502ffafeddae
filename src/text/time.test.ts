import { expect, test } from 'vitest';
import { formatAge } from './time.ts';

test.each([
  [0, 'just now'],
  [89, 'just now'],
  [90, '2 min ago'],
  [1_380, '23 min ago'],
  [5_399, '90 min ago'],
  [5_400, '2 h ago'],
  [86_400, '24 h ago'],
  [172_799, '48 h ago'],
  [172_800, '2 days ago'],
  [864_000, '10 days ago'],
])('ago() says of %d seconds: %s', (seconds, expected) => {
  expect(formatAge(seconds)).toBe(expected);
});
