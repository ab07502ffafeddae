import { expect, test } from 'vitest';
import { isFound } from './large-expression.ts';

test.each<[string, RegExp, string, boolean]>([
  ['in the middle', /\b(?:next|new) task\b/iu, 'And now a New task', true],
  ['at the beginning alone', /^(?:and |but )?why/u, 'I ask why', false],
  ['only blanks', /^\s+$/, ' ', true],
  ['nothing', /^$/, '', true],
])('an expression is found the first time as at any other: %s', (_, expression, text, expected) => {
  expect([1, 2, 3].map(() => isFound(expression, text))).toEqual([expected, expected, expected]);
});
