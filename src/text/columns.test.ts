import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countColumns, cutToColumns, readable } from './columns.ts';

test.each([
  ['', 0],
  ['Sonnet 4.5', 10],
  ['█░·…', 4],
  ['模型', 4],
  ['ﾓﾃﾞﾙ', 4],
  ['モデル', 6],
  ['한국', 4],
  ['ＡＢ', 4],
  ['e\u0301', 1],
  ['🚀', 2],
  ['👩‍💻', 2],
  ['👍🏽', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['#1', 2],
])('%j takes %i columns', (text, expected) => {
  expect(countColumns(text)).toBe(expected);
});

describe('readable()', () => {
  test.each([
    ['Sonnet 4.5', 'Sonnet 4.5'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b[2J\u001b[H\u001b[?25lgone', 'gone'],
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\u001bcb', 'ab'],
    ['\u009b31mx', 'x'],
    ['two\r\nlines\tand a tab', 'two lines and a tab'],
    ['a\u2028b\u2029c', 'a b c'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['nul\u0000 bell\u0007', 'nul bell'],
    ['half \ud83d', 'half'],
    ['👩‍💻 \ue0b0', '👩‍💻 \ue0b0'],
    ['\u001b', ''],
  ])('makes of %j %j', (text, expected) => {
    expect(readable(text)).toBe(expected);
  });

  test('leaves nothing that moves a cursor, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '\u001b',
            '\u009b',
            '[',
            ']',
            '31m',
            ';',
            '\u0007',
            '\\',
            'x',
            '\n',
            '\u202e',
            '模',
          ),
        ),
        (pieces) => {
          expect(readable(pieces.join(''))).not.toMatch(/[\p{Cc}\u202e]/u);
        },
      ),
    );
  });

  test('takes its time from the length alone', () => {
    expect(readable(`\u001b${';'.repeat(1_000_000)}`)).toBe('');
    expect(readable(`${'\u001b]'.repeat(500_000)}`)).toBe('');
  });
});

test('cutTo() never is wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 20 }), (text, most) => {
      expect(countColumns(cutToColumns(text, most))).toBeLessThanOrEqual(Math.max(most, 0));
    }),
  );
  expect(cutToColumns('模型模型', 5)).toBe('模型…');
  expect(cutToColumns('模型', 4)).toBe('模型');
});
