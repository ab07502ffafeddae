import { describe, expect, test } from 'vitest';
import { applySpans, detectEol, findLineEnd, findLineStart, findLines } from './text-edits.ts';

describe('applySpans()', () => {
  test('replaces spans in whatever order they come, and keeps the rest', () => {
    const spans = [
      { from: 4, to: 5, text: 'E' },
      { from: 1, to: 3, text: '' },
    ];
    expect(applySpans('abcdef', spans)).toBe('adEf');
    expect(applySpans('abc', [])).toBe('abc');
  });

  test('keeps the order of insertions at one place, before what is replaced there', () => {
    const spans = [
      { from: 1, to: 2, text: 'B' },
      { from: 1, to: 1, text: '1' },
      { from: 1, to: 1, text: '2' },
    ];
    expect(applySpans('abc', spans)).toBe('a12Bc');
  });

  test('refuses spans that overlap', () => {
    const spans = [
      { from: 0, to: 2, text: 'x' },
      { from: 1, to: 3, text: 'y' },
    ];
    expect(() => applySpans('abc', spans)).toThrow(/overlap/);
  });
});

test('lines begin behind a line end and reach behind theirs', () => {
  const text = 'ab\r\ncd\nef';
  expect([0, 3, 4, 6, 7, 8].map((at) => [findLineStart(text, at), findLineEnd(text, at)])).toEqual([
    [0, 4],
    [0, 4],
    [4, 7],
    [4, 7],
    [7, 9],
    [7, 9],
  ]);
  expect([detectEol(text), detectEol('a\nb\r\n'), detectEol('a')]).toEqual(['\r\n', '\n', '\n']);
});

test('new lines at the end of a text without a last line end stand behind one', () => {
  expect(findLines('a', 1, ['b', 'c'], '\n')).toEqual({ from: 1, to: 1, text: '\nb\nc' });
  expect(findLines('a\n', 2, ['b'], '\n')).toEqual({ from: 2, to: 2, text: 'b\n' });
  expect(findLines('', 0, ['b'], '\n')).toEqual({ from: 0, to: 0, text: 'b\n' });
});
