import { describe, expect, test } from 'vitest';
import { type Data, sameData } from './json.ts';

describe('sameData()', () => {
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
    expect(sameData(a, b)).toBe(same);
    expect(sameData(b, a)).toBe(same);
  });
});
