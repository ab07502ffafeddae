import { describe, expect, test } from 'vitest';
import { type Data, isSameData } from './json.ts';

describe('isSameData()', () => {
  test.each<[Data, Data, boolean]>([
    [1, 1, true],
    [Number.NaN, Number.NaN, true],
    [1, '1', false],
    [null, {}, false],
    [[], {}, false],
    [{ a: null }, {}, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [[1, 2], [2, 1], false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(isSameData(a, b)).toBe(same);
    expect(isSameData(b, a)).toBe(same);
  });
});
