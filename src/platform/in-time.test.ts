// Work that would run for ever is stopped; work that ends returns its result or throws its error.
import { expect, test } from 'vitest';
import { runInTime } from './process.ts';

test('what ends in time gives what it found', () => {
  expect(runInTime(1_000, () => 5)).toEqual({ done: 5 });
});

test.each<[string, () => unknown]>([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['an expression', () => /(a+)+b/.test('a'.repeat(60))],
])('%s that does not end is stopped', (_, work) => {
  expect(runInTime(20, work)).toEqual({ late: true });
});

test('what is thrown is thrown', () => {
  const throwing = (): never => {
    throw new RangeError('no');
  };
  expect(() => runInTime(1_000, throwing)).toThrow(RangeError);
});
