import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { EDITS, expectKept, pathOf, TEXTS } from '../../../test/unit/config-edits.ts';
import { accepted, DOCUMENTS } from '../../../test/unit/toml-documents.ts';
import { isSameValue, readValueAt, setKey, unsetKey } from './edit-toml.ts';
import { readComments } from './toml-text.ts';

const apply = (text: string, { key, value }: { key: string; value?: unknown }): string =>
  value === undefined ? unsetKey(text, pathOf(key)) : setKey(text, pathOf(key), value);

describe('any changes of any text', () => {
  test.each(Object.keys(TEXTS))(
    '200 changes of "%s" keep comments, order and line ends, and equal the model',
    (name) => {
      const before = TEXTS[name] ?? '';
      // A failure prints the seed and the shortest list of changes.
      fc.assert(
        fc.property(fc.array(EDITS, { minLength: 200, maxLength: 200 }), (edits) => {
          let text = before;
          for (const edit of edits) text = apply(text, edit);
          expectKept(before, text, edits);
        }),
        { numRuns: 6, endOnFailure: true },
      );
    },
  );

  test.each(Object.keys(TEXTS))('each single change of "%s" is checked', (name) => {
    const before = TEXTS[name] ?? '';
    fc.assert(
      fc.property(EDITS, (edit) => expectKept(before, apply(before, edit), [edit])),
      { numRuns: runs(100) },
    );
  });

  test('any TOML: a change is sound or refused, nothing else', () => {
    const paths = fc.constantFrom(
      ['a'],
      ['a', 'b'],
      ['t', 'n'],
      ['t', 'u'],
      ['t.u', 'x'],
      ['list', 'below', 'x'],
      ['new', 'x'],
    );
    const values = fc.constantFrom<unknown>(undefined, 7, 'x "y"', {}, { x: 1, z: 2 });
    const tally = { sound: 0, refused: 0 };
    fc.assert(
      fc.property(DOCUMENTS, paths, values, (text, path, value) => {
        if (accepted(text) === null) return;
        try {
          const changed = value === undefined ? unsetKey(text, path) : setKey(text, path, value);
          expect(isSameValue(readValueAt(accepted(changed), path), value)).toBe(true);
          expect(readComments(changed)).toEqual(readComments(text));
          tally.sound++;
        } catch (error) {
          expect(String(error)).toMatch(/is a (?:value|list|table)|is an inline table|with dotted keys/);
          tally.refused++;
        }
      }),
      { numRuns: runs(3_000) },
    );
    expect(tally.sound).toBeGreaterThan(tally.refused);
  });
});
