// Tests that output holds nothing that a terminal obeys, and that JSON stays the same data.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeControls } from './output.io.ts';

// [what is written, what is seen]
test.each([
  ['plain text, ä 🙂 מה\n\tand a line', 'plain text, ä 🙂 מה\n\tand a line'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['a\u009b2J\u007f\u0000', 'a\\u009b2J\\u007f\\u0000'],
  ['name\u202egpj.exe', 'name\\u202egpj.exe'],
  ['kept\r\nhidden\rshown', 'kept\r\nhidden\\u000dshown'],
])('%j is seen as %j', (text, expected) => {
  expect(escapeControls(text)).toBe(expected);
});

test('JSON stays the same data, with nothing in it that a terminal obeys', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'\\"u0\u001b\u0085\u009b\u202e\u2066\r\n😀') }),
      (text) => {
        const written = escapeControls(JSON.stringify({ text }, null, 2));
        expect(JSON.parse(written)).toEqual({ text });
        expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      },
    ),
  );
});
