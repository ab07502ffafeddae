import { describe, expect, test } from 'vitest';
import { changedSince, lookedIn } from './looked.ts';

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
  ])('finds %s', (_, now, judged, changed, left) => {
    expect(changedSince({ stamps, judged }, now)).toEqual({ changed, judged: left });
  });

  test('remembers the newest 200 of those that are still to come', () => {
    const judged = Array.from({ length: 300 }, (_, n) => `f${n}`);
    const { judged: left } = changedSince({ stamps, judged }, stamps);
    expect([left.length, left[0], left.at(-1)]).toEqual([200, 'f100', 'f299']);
  });
});

test('lookedIn() takes only whole notes of this conversation', () => {
  const whole = { v: 1, conversation: 'c', prompt: null, at: 1, stamps: null, judged: [], read: 0 };
  expect(lookedIn(JSON.stringify(whole), 'c')).toEqual(whole);
  for (const other of [
    { v: 2 },
    { conversation: 'd' },
    { at: '1' },
    { read: null },
    { judged: 'x' },
    { stamps: 1 },
  ])
    expect(lookedIn(JSON.stringify({ ...whole, ...other }), 'c'), JSON.stringify(other)).toBeNull();
  for (const text of [null, '', '{', 'null', '[]']) expect(lookedIn(text, 'c')).toBeNull();
});
