// Tests which sentences of a request constrain the work.
import { expect, test } from 'vitest';
import { findConstraints } from './probe-fact.ts';

test.each<[string, string[]]>([
  ['Build a parser. Never write to the database! Thanks.', ['Never write to the database!']],
  ['- Don’t touch the lock file\n- Add a test', ['Don’t touch the lock file']],
  ['You should keep it small', ['You should keep it small']],
  ['Should we keep it small?', []],
  ['Please use tabs in here', ['Please use tabs in here']],
  ['We build the page, not the API behind it', ['We build the page, not the API behind it']],
  ['No, that is wrong', ['No, that is wrong']],
  ['Nothing is wrong in there', []],
  ['/review never mind', []],
  ['Implement the following plan:\nnever do it', []],
  ['```\nnever do this in code\n```\nso be it, and good', []],
  ['if (x) { return never; }', []],
  ['never', []],
  [`${'x'.repeat(600)}. Never do that again.`, []],
])('of %j these: %j', (request, found) => {
  expect(findConstraints(request)).toEqual(found);
});
