import { describe, expect, test } from 'vitest';
import { type Data, type Edit, editsBetween, sameData } from './data-diff.ts';

describe('editsBetween()', () => {
  // [what, before, after, edits]
  const cases: [string, Data, Data, Edit[]][] = [
    ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['nothing for another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a value', { a: { b: 1 } }, { a: { b: 2 } }, [{ kind: 'set', path: ['a', 'b'], value: 2 }]],
    ['a new key', { a: {} }, { a: { b: [1] } }, [{ kind: 'add', path: ['a'], entries: [['b', [1]]] }]],
    ['a key that is gone', { a: 1, b: 2 }, { a: 1 }, [{ kind: 'remove', path: [], keys: ['b'] }]],
    ['an item at the end', { a: [1] }, { a: [1, 2] }, [{ kind: 'append', path: ['a'], items: [2] }]],
    ['a first item', { a: [] }, { a: [2] }, [{ kind: 'append', path: ['a'], items: [2] }]],
    ['an item that is gone', [1, 2, 3], [1, 3], [{ kind: 'remove', path: [], keys: [1] }]],
    [
      'one gone, one new',
      ['a', 'b', 'c'],
      ['b', 'c', 'd'],
      [
        { kind: 'remove', path: [], keys: [0] },
        { kind: 'append', path: [], items: ['d'] },
      ],
    ],
    [
      'a field of an item',
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: 3 }],
      [{ kind: 'set', path: [1, 'a'], value: 3 }],
    ],
    ['a list that gets empty', { a: [1] }, { a: [] }, [{ kind: 'set', path: ['a'], value: [] }]],
    ['a map that gets empty', { a: { b: 1 } }, { a: {} }, [{ kind: 'set', path: ['a'], value: {} }]],
    ['a value that becomes a list', { a: null }, { a: [1] }, [{ kind: 'set', path: ['a'], value: [1] }]],
    [
      'an item in between, as values that move on',
      ['a', 'c'],
      ['a', 'b', 'c'],
      [
        { kind: 'set', path: [1], value: 'b' },
        { kind: 'append', path: [], items: ['c'] },
      ],
    ],
  ];
  test.each(cases)('finds %s', (_, before, after, edits) => {
    expect(editsBetween(before, after)).toEqual(edits);
  });

  test('tells inner edits before outer ones', () => {
    const kinds = editsBetween({ a: { b: 1 }, c: 2 }, { a: { b: 3, d: 4 }, e: 5 }).map(
      (each) => each.path.length,
    );
    expect(kinds).toEqual([2, 1, 0, 0]);
  });
});

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
