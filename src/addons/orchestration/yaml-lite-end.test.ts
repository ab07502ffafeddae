// Tests that reading a YAML file by its outline always ends, however large or nested the file is.
import { describe, expect, test } from 'vitest';
import { readOutline } from './yaml-lite.ts';

describe('readOutline() on long files', () => {
  test('comes to an end on 1 MB of anything', () => {
    for (const piece of [
      '- ',
      '  - a\n',
      'top:\n',
      'a: b\n',
      ' ',
      '"',
      '- - - ',
      'x',
      '\n',
      '- a: 1\n  ',
      '[',
      '{a: ',
      '"\\',
      'a: "\n',
      'a: |\n   x\n',
      '\t',
    ] as const) {
      readOutline(`top:\n  ${piece.repeat(1_000_000 / piece.length)}`, ['top']);
    }
  });

  test('comes to an end on a line of blanks between two words', () => {
    const blanks = ' '.repeat(1_000_000);
    for (const line of [`a${blanks}b`, `  a${blanks}b`, `  - a${blanks}b`, `  a: [b${blanks}c`])
      expect(readOutline(`top:\n  x: 1\n${line}\n`, ['other'])).toEqual({});
  });

  test('follows brackets in brackets, but not without end', () => {
    const nested = (depth: number): string =>
      `top:\n  a: ${'['.repeat(depth)}1${']'.repeat(depth)}\n  b: 2\n`;
    expect(readOutline(nested(3), ['top'])).toEqual({ top: { a: [[[1]]], b: 2 } });
    for (const depth of [100, 5_000, 100_000]) {
      expect(readOutline(nested(depth), ['top']).top).toMatchObject({ b: 2 });
    }
  });
});
