import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { accepted, DOCUMENTS } from '../../../test/unit/toml-documents.ts';
import { isSameValue, readValueAt } from './edit-toml.ts';
import { findLine, readComments, readTomlLines } from './toml-text.ts';

describe('readTomlLines()', () => {
  test('agrees with the parser on keys and values, and leaves no sign out', () => {
    let count = 0;
    fc.assert(
      fc.property(DOCUMENTS, (text) => {
        const lines = readTomlLines(text);
        expect(lines.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text);
        const data = accepted(text);
        if (data === null) return;
        count++;
        for (const line of lines) {
          if (line.kind !== 'pair') continue;
          const { path, value } = line;
          const written = accepted(`v = ${text.slice(value.from, value.to)}`);
          const isInList = path.some((_, depth) => Array.isArray(readValueAt(data, path.slice(0, depth))));
          if (!isInList)
            expect([path, isSameValue(readValueAt(data, path), written?.v)]).toEqual([path, true]);
          expect(findLine(text, path)).not.toBeNull();
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
          readTomlLines(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: runs(5_000) },
    );
  });
});

describe('readComments()', () => {
  test('gives those on lines of their own, behind headers, keys and values, and inside values', () => {
    const text = '# a\n[t] # b\nx = [ # c\n "# no", # d\n] # e\ny = { z = "#" } # f\n \t# g';
    expect(readComments(text)).toEqual(['# a', '# b', '# c', '# d', '# e', '# f', '# g']);
  });
});

describe('findLine()', () => {
  test.each<[string, string[], number | null]>([
    ['a = 1\n\nb = 2\n', ['b'], 3],
    ['a = 1\n[t]\nx = 1\n', ['t', 'x'], 3],
    ['a = 1\n[t]\nx = 1\n', ['t'], 2],
    ['a = 1\nt = { y = 1, x = 2 }\n', ['t', 'x'], 2],
    ['t = {\n y = 1,\n x = 2 }\n', ['t', 'x'], 1],
    ['t.u.x = 1\n', ['t', 'u'], 1],
    ['a = 1\n', ['b'], null],
    ['a = """\n\n"""\r\nb = 1\r\n', ['b'], 4],
  ])('says of %j and %j: %s', (text, path, expected) => {
    expect(findLine(text, path)).toBe(expected);
  });
});
