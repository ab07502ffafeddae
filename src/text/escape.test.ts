import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeInline } from './escape.ts';

const OURS = [
  'context-monitor',
  'compaction-alert',
  'resumption-context',
  'project-context',
  'track-context',
  'quality-context',
  'quality-reinforcement',
  'system-reminder',
];

describe('escapeInline()', () => {
  test.each(OURS)('lets no <%s> open or close, however it is written', (tag) => {
    for (const form of [
      `<${tag}>`,
      `</${tag}>`,
      `< / ${tag} >`,
      `<\n/${tag}>`,
      `<${tag.toUpperCase()} a="b">`,
      `<\u0000/${tag}>`,
      `<<${tag}>>`,
      `<\u200b/${tag}>`,
      `</\u200d${tag}>`,
      `<\ufeff\u00ad\u202e/\u2060${tag}>`,
    ]) {
      expect(escapeInline(`before ${form} after`)).not.toMatch(new RegExp(`<\\s*/?\\s*${tag}`, 'i'));
      expect(escapeInline(`before ${form} after`)).toContain(
        tag.slice(0, 5).toLowerCase() === tag.slice(0, 5) ? 'before' : '',
      );
    }
  });

  test.each([
    ['other tags', '<b>bold</b> a < b', '<b>bold</b> a < b'],
    ['a tag that only begins like ours', '<context-monitored>', '<context-monitored>'],
    ['line breaks', 'one \n\n  two\nthree', 'one two three'],
    ['carriage returns', 'one\r\ntwo', 'one two'],
    ['line separators', 'one\u2028two\u2029three', 'one two three'],
    ['control characters', 'a\u0000b\u001b[31mc\u007f', 'a b [31mc'],
    ['those of the upper half', 'a\u0085b\u009bc', 'a b c'],
    ['marks of direction and blanks without width', 'a\u202eb\u200bc\u2066d', 'a b c d'],
    ['a text in letters that nobody sees', 'a\u{e0001}\u{e0049}\u{e0067}\u{e01ef}b', 'a b'],
    ['joined signs', '👩‍💻 ❤️', '👩‍💻 ❤️'],
    ['blanks around', '  x  ', 'x'],
    ['other scripts', 'Привет 世界 👋', 'Привет 世界 👋'],
  ])('treats %s', (_, text, expected) => {
    expect(escapeInline(text)).toBe(expected);
  });

  test('gives one line, and the same again', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<', '/', '\n', '\u2028', ' ', ...OURS, ...OURS.map((tag) => `</${tag}>`)),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = escapeInline(pieces.join(''));
        expect(once).not.toMatch(/[\n\r\u2028\u2029\u0000]/);
        expect(once).not.toMatch(new RegExp(`<\\s*/?\\s*(?:${OURS.join('|')})\\b`, 'i'));
        expect(escapeInline(once)).toBe(once);
      }),
    );
  });
});
