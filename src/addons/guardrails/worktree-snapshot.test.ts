import { describe, expect, test } from 'vitest';
import { absorbEdits, findChangedSince, parseSnapshot, redactSnapshot } from './worktree-snapshot.ts';

const stamps = { a: '1 1', b: '1 1' };

describe('changedSince()', () => {
  test.each<[string, Record<string, string>, string[], string[], string[]]>([
    ['nothing', stamps, [], [], []],
    ['a new one', { ...stamps, c: '2 1' }, [], ['c'], []],
    ['another time or size', { a: '2 1', b: '1 2' }, [], ['a', 'b'], []],
    ['one that is gone', { ...stamps, b: 'gone' }, [], ['b'], []],
    ['one that git lists no more', { a: '1 1' }, [], [], []],
    ['one whose edit was judged', { ...stamps, c: '2 1', d: '2 1' }, ['c'], ['d'], []],
    ['one that is judged and still to come', stamps, ['c', 'c'], [], ['c']],
    [
      'one beside a folder that was judged as a whole',
      { ...stamps, 'g/c': '2 1', gc: '2 1' },
      ['g/'],
      ['gc'],
      [],
    ],
    ['nothing in a folder that is still to come', stamps, ['g/'], [], ['g/']],
  ])('finds %s', (_, now, judged, changed, left) => {
    expect(findChangedSince({ stamps, judged }, now)).toEqual({ changed, judged: left });
  });

  test('remembers the newest 200 of those that are still to come', () => {
    const judged = Array.from({ length: 300 }, (_, n) => `f${n}`);
    const { judged: left } = findChangedSince({ stamps, judged }, stamps);
    expect([left.length, left[0], left.at(-1)]).toEqual([200, 'f100', 'f299']);
  });
});

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['of a file that was listed', { a: '20 1' }, { ...stamps, a: '20 1' }, []],
  ['of a file that was not', { c: '20 1' }, { ...stamps, c: '20 1' }, []],
  ['that has not come, of a file that was listed', { a: '1 1' }, stamps, ['a']],
  ['that has not come, of one that was not', { c: '9.5 1' }, stamps, ['c']],
  ['that has not come, of one that is not there', { c: 'gone' }, stamps, ['c']],
])('afterEdits() takes an edit %s for what it is', (_, now, after, left) => {
  const judged = Object.keys(now);
  expect(absorbEdits({ stamps, at: 10 }, [...judged, ...judged], now)).toEqual({
    stamps: after,
    judged: left,
  });
});

test('lookedIn() takes only whole notes of this session', () => {
  const whole = { v: 1, session: 'c', prompt: null, at: 1, stamps: null, judged: [], read: 0 };
  expect(parseSnapshot(JSON.stringify(whole), 'c')).toEqual(whole);
  for (const other of [
    { v: 2 },
    { session: 'd' },
    { at: '1' },
    { read: null },
    { judged: 'x' },
    { stamps: 1 },
  ])
    expect(parseSnapshot(JSON.stringify({ ...whole, ...other }), 'c'), JSON.stringify(other)).toBeNull();
  for (const text of [null, '', '{', 'null', '[]']) expect(parseSnapshot(text, 'c')).toBeNull();
});

test('a file whose name holds a secret is known again by a look that keeps none', () => {
  const secret = `ghp_${'aB3dE6gH9j'.repeat(4)}`;
  const path = `/p/notes-${secret}.txt`;
  const looked = { v: 1, session: 'c', prompt: null, at: 1, read: 0 } as const;
  const kept = redactSnapshot({ ...looked, stamps: { [path]: '1 1', '/p/a': '1 1' }, judged: [path] });
  expect(JSON.stringify(kept)).not.toContain(secret);
  const before = { stamps: kept.stamps ?? {}, judged: [] };
  expect(findChangedSince(before, { [path]: '1 1', '/p/a': '1 1' }).changed).toEqual([]);
  expect(findChangedSince(before, { [path]: '2 1', '/p/a': '1 1' }).changed).toEqual([path]);
  expect(findChangedSince({ ...before, judged: kept.judged }, { [path]: '2 1' }).changed).toEqual([]);
});
