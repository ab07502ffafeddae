import { describe, expect, test } from 'vitest';
import { isNewer, isNewerFault, NEWER } from './newer.ts';

describe('isNewer()', () => {
  const rows: [unknown, boolean][] = [
    ['1.1.0', false],
    ['1.99.0', false],
    ['0.9.0', false],
    ['2.0.0', true],
    ['10.0.0', true],
    [2, true],
    [1, false],
    ['', false],
    ['new', false],
    [null, false],
    [undefined, false],
    [{ major: 9 }, false],
  ];
  test.each(rows)('looks at the major number alone: %j is %s', (found, expected) => {
    expect(isNewer(found, '1.1.0')).toBe(expected);
  });
});

test('a fault about a newer file is known by its words', () => {
  expect(isNewerFault(new Error(`${NEWER}: "a"`))).toBe(true);
  expect(isNewerFault(new Error('no such file'))).toBe(false);
  expect(isNewerFault(`${NEWER}: "a"`)).toBe(false);
});
