// Tests that a line of the view stays one line, whatever a name in it holds.
import { expect, test } from 'vitest';
import { written } from './watch-screen.ts';

test('a name in a line neither breaks it nor moves the cursor; colours are our own', () => {
  const line = [{ text: 'watch  a\u001b[2J\u009b1A\nb\r', colour: '1' }, { text: '\u202e c' }];
  expect(written(line, 80, false)).toBe('watch  a b c');
  expect(written(line, 80, true)).toBe('\u001b[1mwatch  a b\u001b[0m c');
});
