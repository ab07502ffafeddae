import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { type Outline, readOutline } from './yaml-lite.ts';

const only = (source: string): Outline | undefined => readOutline(source, ['top']).top;

describe('readOutline() on scalars', () => {
  test.each<[string, Outline]>([
    ['text', 'text'],
    ['two words', 'two words'],
    ['"quoted: # text"', 'quoted: # text'],
    ['"with \\"quotes\\" and \\u00fc and \\n"', 'with "quotes" and ü and \n'],
    ["'it''s quoted'", "it's quoted"],
    ["'a: b # c'", 'a: b # c'],
    ['""', ''],
    ["''", ''],
    ['text # a comment', 'text'],
    ['text#no comment', 'text#no comment'],
    ['"text" # a comment', 'text'],
    ['# nothing but a comment', null],
    ['17', 17],
    ['-3', -3],
    ['0.894', 0.894],
    ['007', 7],
    ['1.2.3', '1.2.3'],
    ['2026-11-27T10:00:00Z', '2026-11-27T10:00:00Z'],
    ['"17"', '17'],
    ['true', true],
    ['false', false],
    ['"true"', 'true'],
    ['null', null],
    ['~', null],
    ['', null],
    ['[]', []],
    ['{}', {}],
    ['[a, "b, c", 3, true]', ['a', 'b, c', 3, true]],
    ['[0.883, 0.927]', [0.883, 0.927]],
    ['Привет 世界 👋', 'Привет 世界 👋'],
    ['"a\u2028b\u2029c\u0085d"', 'a\u2028b\u2029c\u0085d'],
    ['http://example.com:80/a', 'http://example.com:80/a'],
    ['C:\\path\\file', 'C:\\path\\file'],
    ['Null', null],
    ['TRUE', true],
    ['False # not yet', false],
    ['.642', 0.642],
    ['1e-1', 0.1],
    ['"\\x41\\e\\_\\U0001F600\\u00fc"', 'A\u001b\u00a0😀ü'],
    ['{a: 1}', { a: 1 }],
    ['{"a":1, b: [x, {c: "}"}], d: }', { a: 1, b: ['x', { c: '}' }], d: null }],
    ['&anchor x', 'x'],
    ['*alias', null],
    ['!!str x', 'x'],
  ])('reads "top: %s"', (text, expected) => {
    expect(only(`top: ${text}\n`)).toEqual(expected);
  });
});

describe('readOutline() on maps and lists', () => {
  test.each<[string, string, Outline | undefined]>([
    ['a map', 'top:\n  a: 1\n  b: two\n', { a: 1, b: 'two' }],
    ['maps in maps', 'top:\n  a:\n    b:\n      c: 1\n  d: 2\n', { a: { b: { c: 1 } }, d: 2 }],
    ['a list', 'top:\n  - a\n  - 2\n  - "c: d"\n', ['a', 2, 'c: d']],
    ['a list that is not indented', 'top:\n- a\n- b\nnext: 1\n', ['a', 'b']],
    [
      'a list of maps',
      'top:\n  - id: 1\n    name: x\n  - id: 2\n    name: y\n',
      [
        { id: 1, name: 'x' },
        { id: 2, name: 'y' },
      ],
    ],
    [
      'a list of maps with lists',
      'top:\n  - id: 1\n    of:\n      - a\n      - b\n  - id: 2\n',
      [{ id: 1, of: ['a', 'b'] }, { id: 2 }],
    ],
    ['a list of maps below their dashes', 'top:\n  -\n    id: 1\n  -\n    id: 2\n', [{ id: 1 }, { id: 2 }]],
    ['empty items', 'top:\n  -\n  - a\n  -\n', [null, 'a', null]],
    ['keys in quotes', 'top:\n  "a b": 1\n  \'c\': 2\n', { 'a b': 1, c: 2 }],
    [
      'keys with dots, dashes and blanks',
      'top:\n  qg-1.a: 1\n  two words: 2\n',
      { 'qg-1.a': 1, 'two words': 2 },
    ],
    ['a literal block', 'top:\n  a: |\n    one\n    two\n  b: 1\n', { a: 'one\ntwo', b: 1 }],
    ['a folded block', 'top:\n  a: >-\n    one\n    two\n  b: 1\n', { a: 'one two', b: 1 }],
    ['comments between', '# first\ntop:\n  # here\n  a: 1 # there\n\n  b: 2\n', { a: 1, b: 2 }],
    ['a key that stands twice, the last one counting', 'top:\n  a: 1\n  a: 2\n', { a: 2 }],
    [
      'a section that stands twice, the last one counting',
      'top:\n  a: 1\nother: 1\ntop:\n  b: 2\n',
      { b: 2 },
    ],
    [
      'a literal block whose lines look like something else',
      'top:\n  a: |\n    # one\n    - two\n\n      b: 3\n  c: 1\n',
      { a: '# one\n- two\n\n  b: 3', c: 1 },
    ],
    [
      'paragraphs in a folded block',
      'top:\n  a: >\n    one\n    two\n\n    three\n',
      { a: 'one two\nthree' },
    ],
    [
      'words over several lines, up to what is none',
      'top:\n  a: one\n    two\n\n    three # c\n  b: x\n    y: z\n  c: 1\n',
      { a: 'one two\nthree', b: 'x', c: 1 },
    ],
    [
      'quoted words over several lines',
      "top:\n  a: \"one: \\\"#\n    two\\\n    \\ three\"\n  b: 'four\n\n    # ''five'\n  c: 1\n",
      { a: 'one: "# two three', b: "four\n# 'five", c: 1 },
    ],
    ['a value on a line of its own', 'top:\n  a:\n    "b: c"\n  d:\n    # e\n    f\n', { a: 'b: c', d: 'f' }],
    [
      'brackets over several lines, up to what is indented less',
      'top:\n  a: [\n    x, # y\n    "[z\n     u"\n  ]\n  b: {\n    c: 1,\n    d: [torn\n  e: 2\n',
      { a: ['x', '[z u'], b: { c: 1, d: ['torn'] }, e: 2 },
    ],
    [
      'maps in brackets as items',
      'top:\n  - {id: 1, of: [a]}\n  - { id: 2 }\n',
      [{ id: 1, of: ['a'] }, { id: 2 }],
    ],
    ['lists in lists', 'top:\n  - - a\n    - b\n  - - - c\n', [['a', 'b'], [['c']]]],
    ['a section in brackets', 'top: {a: 1,\n  b: 2}\n', { a: 1, b: 2 }],
    ['a section in quotes, with an anchor', '"top": &t\n  a: 1\n', { a: 1 }],
    ['JSON', '{\n  "other": 1,\n  "top": {"a": [1, 2]}\n}\n', { a: [1, 2] }],
    ['tabs as two columns each', 'top:\n\ta: 1\n\tb:\n\t\tc: 2\n', { a: 1, b: { c: 2 } }],
    ['the document that has it', '%YAML 1.2\n---\nother: 1\n--- # x\ntop:\n  a: 2\n...\nrest\n', { a: 2 }],
    ['the first of two documents', 'top:\n  a: 1\n---\ntop:\n  a: 2\n', { a: 1 }],
    ['a document with its mark at the beginning', '---\ntop:\n  a: 1\n', { a: 1 }],
    ['BOM and CRLF', '\uFEFFtop:\r\n  a: 1\r\n  b:\r\n    - x\r\n', { a: 1, b: ['x'] }],
    ['a section that is empty', 'top:\nother: 1\n', null],
    ['a section that is missing', 'other: 1\n', undefined],
    ['a section below another one', 'other:\n  top: 1\n', undefined],
    ['an empty file', '', undefined],
    ['a torn file', 'top:\n  a: 1\n  b:\n    c: "torn', { a: 1, b: { c: 'torn' } }],
  ])('reads %s', (_, source, expected) => {
    expect(only(source)).toEqual(expected);
  });

  test('keeps keys of a prototype out', () => {
    const found = only('top:\n  __proto__:\n    polluted: 1\n  constructor: 2\n  a: 1\n');
    expect(found).toEqual({ a: 1 });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('takes no key of the prototype of objects for one that was seen', () => {
    expect(only('top:\n  toString:\n  valueOf: 1\n')).toEqual({ toString: null, valueOf: 1 });
  });

  test('gives only the sections that are asked for', () => {
    expect(readOutline('a: 1\nb: 2\nc: 3\n', ['a', 'c', 'd'])).toEqual({ a: 1, c: 3 });
  });
});

const keyOf = (key: string): string => (/^[A-Za-z][\w.-]*$/.test(key) ? key : JSON.stringify(key));

/** The tiniest writer of YAML that is YAML. */
function write(value: Outline, indent: number): string {
  const pad = ' '.repeat(indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []\n';
    return `\n${value
      .map((item) => {
        const text = write(item, indent + 2);
        // A map begins on the line of its dash, as people write it.
        const isMap =
          typeof item === 'object' && item !== null && !Array.isArray(item) && Object.keys(item).length > 0;
        return isMap ? `${pad}- ${text.trimStart()}` : `${pad}-${text}`;
      })
      .join('')}`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return ' {}\n';
    return `\n${entries.map(([key, each]) => `${pad}${keyOf(key)}:${write(each, indent + 2)}`).join('')}`;
  }
  return ` ${JSON.stringify(value)}\n`;
}

describe('readOutline() on written documents', () => {
  const plainKey = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,7}$/).filter((text) => text !== 'constructor');
  const anyKey = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => text !== '__proto__' && text !== 'constructor');
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(
      'a: b',
      '- x',
      '# c',
      "it's",
      '"',
      '\\',
      '[',
      '{',
      '---',
      '|',
      '>',
      'null',
      '17',
      ' x ',
      'a\nb',
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const nested = (key: fc.Arbitrary<string>): fc.Arbitrary<Outline> =>
    fc.letrec<{ value: Outline }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        scalar,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    })).value;

  test.each([
    ['plain keys', plainKey],
    ['keys of any kind', anyKey],
  ])('gives back nested maps, lists and scalars with %s', (_, key) => {
    fc.assert(
      fc.property(nested(key), nested(key), (first, second) => {
        const source = `# written\nbefore:${write(first, 2)}top:${write(second, 2)}after: 1\n`;
        const found = readOutline(source, ['top', 'after']);
        expect(JSON.stringify(found.top)).toBe(JSON.stringify(second));
        expect(found.after).toBe(1);
      }),
      { numRuns: runs(500) },
    );
  });

  test('gives them back from a file with CRLF, and with comments between', () => {
    fc.assert(
      fc.property(nested(plainKey), (given) => {
        const source = `top:${write(given, 4)}`.replaceAll('\n', '\r\n    # comment\r\n');
        expect(JSON.stringify(only(source))).toBe(JSON.stringify(given));
      }),
    );
  });

  test('never throws, whatever the file holds', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'top:',
        '\n',
        '  ',
        '- ',
        ': ',
        '|',
        '>',
        '"',
        "'",
        '[',
        ']',
        '{',
        '}',
        '#',
        '---',
        '\t',
        '\r\n',
        '&a',
        '*a',
        '{a: ',
        ',',
        '\\',
        '? ',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        (pieces) => void readOutline(`top:\n${pieces.join('')}`, ['top', 'a']),
      ),
      { numRuns: runs(500) },
    );
  });
});
