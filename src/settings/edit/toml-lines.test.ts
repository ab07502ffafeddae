import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { accepted, DOCUMENTS } from '../../../test/unit/toml-documents.ts';
import { commentsOf, lineOf, type TomlPair, tomlLines } from './toml-lines.ts';
import { isSameValue, valueAt } from './toml-location.io.ts';

const pairsIn = (text: string): TomlPair[] => {
  const all = (pairs: readonly TomlPair[]): TomlPair[] =>
    pairs.flatMap((each) => [each, ...all(each.entries ?? [])]);
  return all(tomlLines(text).flatMap((line) => (line.kind === 'pair' ? [line.pair] : [])));
};

describe('tomlLines()', () => {
  test('agrees with the parser on keys and values, and leaves no sign out', () => {
    let count = 0;
    fc.assert(
      fc.property(DOCUMENTS, (text) => {
        const lines = tomlLines(text);
        expect(lines.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text);
        const data = accepted(text);
        if (data === null) return;
        count++;
        for (const { path, value } of pairsIn(text)) {
          const found = valueAt(data, path);
          const written = accepted(`v = ${text.slice(value.from, value.to)}`);
          const isInList = path.includes('[]');
          if (!isInList) expect([path, isSameValue(found, written?.v)]).toEqual([path, true]);
          expect(lineOf(text, path)).not.toBeNull();
        }
      }),
      { numRuns: runs(2_000) },
    );
    expect(count).toBeGreaterThan(0.05 * runs(2_000));
  });

  test('comes to an end on any text', () => {
    const signs = fc.constantFrom(...'[]{}=,."\'#\n\r\\ a1', '"""', "'''");
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
        try {
          tomlLines(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: runs(5_000) },
    );
  });
});

describe('commentsOf()', () => {
  test('gives those on lines of their own, behind headers, keys and values, and inside values', () => {
    const text = '# a\n[t] # b\nx = [ # c\n "# no", # d\n] # e\ny = { z = "#" } # f\n \t# g';
    expect(commentsOf(text)).toEqual(['# a', '# b', '# c', '# d', '# e', '# f', '# g']);
  });
});

describe('lineOf()', () => {
  test.each<[string, string[], number | null]>([
    ['a = 1\n\nb = 2\n', ['b'], 3],
    ['a = 1\n[t]\nx = 1\n', ['t', 'x'], 3],
    ['a = 1\n[t]\nx = 1\n', ['t'], 2],
    ['a = 1\nt = { y = 1, x = 2 }\n', ['t', 'x'], 2],
    ['t = {\n y = 1,\n x = 2 }\n', ['t', 'x'], 3],
    ['t.u.x = 1\n', ['t', 'u'], 1],
    ['a = 1\n', ['b'], null],
    ['a = """\n\n"""\r\nb = 1\r\n', ['b'], 4],
  ])('says of %j and %j: %s', (text, path, expected) => {
    expect(lineOf(text, path)).toBe(expected);
  });
});
