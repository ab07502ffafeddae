import fc from 'fast-check';
import { describe, test } from 'vitest';
import { EDITS, expectKept, pathOf, TEXTS } from '../../test/unit/config-edits.ts';
import { setIn, unsetIn } from './edit.ts';

const apply = (text: string, { key, value }: { key: string; value?: unknown }): string =>
  value === undefined ? unsetIn(text, pathOf(key)) : setIn(text, pathOf(key), value);

describe('any changes to any text', () => {
  test.each(Object.keys(TEXTS))(
    '200 changes of "%s" keep comments, order and line ends, and equal the model',
    (name) => {
      const before = TEXTS[name] ?? '';
      fc.assert(
        fc.property(fc.array(EDITS, { minLength: 200, maxLength: 200 }), (edits) => {
          let text = before;
          for (const edit of edits) text = apply(text, edit);
          expectKept(before, text, edits);
        }),
        { numRuns: 8 },
      );
    },
  );
});
