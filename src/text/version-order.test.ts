import { describe, expect, test } from 'vitest';
import { isNewer, isVersionAtLeast } from './version-order.ts';

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

test.each([
  ['2.1.118', true],
  ['2.1.119', true],
  ['2.2.0', true],
  ['3.0.0', true],
  ['2.1.117', false],
  ['2.0.999', false],
  ['1.9.9', false],
  ['2.1', false],
])('whether %s is 2.1.118 or later: %s', (version, expected) => {
  expect(isVersionAtLeast(version, '2.1.118')).toBe(expected);
});
