import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUsefulLine, shorten, shortenAnswer } from './work.ts';

describe('a secret at a cut', () => {
  const SECRET = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zaB3dE5gH7jK9';
  test('a key of many lines does not push the rest of an answer out', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${SECRET}\n`.repeat(20)}-----END PRIVATE KEY-----`;
    expect(shortenAnswer(`Here it is:\n${key}\nNext I deploy.`)).toBe(
      'Here it is:\n[redacted]\nNext I deploy.',
    );
  });
});

describe('shorten()', () => {
  test.each([
    ['short text', '  as it is \n', 20, 'as it is'],
    ['text of exactly the length', 'abcde', 5, 'abcde'],
    ['text of one more', 'abcdef', 5, 'abcd…'],
    ['words, at a word', 'aaaa bbbb cccc dddd', 12, 'aaaa bbbb…'],
    ['words without a near space', 'a bcdefghijklmnop', 10, 'a bcdefgh…'],
    ['a pair of surrogates, as a whole', 'abcd😀efgh', 6, 'abcd…'],
  ])('cuts %s', (_, text, characters, expected) => {
    expect(shorten(text, characters)).toBe(expected);
  });

  test('never gives more characters than wanted, nor half of a pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, characters) => {
        const short = shorten(text, characters);
        expect(short.length).toBeLessThanOrEqual(characters);
        expect(short).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      }),
    );
  });
});

describe('findUsefulLine()', () => {
  test.each<[string, string | null]>([
    ['', null],
    ['Exit code 1', null],
    ['Exit code 1\n\n  3 failed\nmore', '3 failed'],
    [
      'Exit code 2\n\n> p@1.0.0 test\n> vitest run\n\nsrc/a.test.ts\n  AssertionError: expected 3, got 4',
      'AssertionError: expected 3, got 4',
    ],
    ['src/a.ts(3,5): error TS2322: no\nsrc/b.ts(1,1): error TS1', 'src/a.ts(3,5): error TS2322: no'],
    ['12 passed, 0 failed\ncoverage is too low', '12 passed, 0 failed'],
    ['tests\n0 failed\nboom', 'tests'],
    ['\u001b[1mrun\u001b[0m\n\u001b[31mfailed\u001b[39m: one', 'failed: one'],
    ['=== RUN   TestA\n--- PASS: TestA\n=== RUN   TestB_error\n    a_test.go:3: got 1', 'a_test.go:3: got 1'],
    [
      "not ok 1 - reads\n  failureType: 'testCodeFailure'\n  error: |-\n    It is not:\n\n      assert.ok(a)\n  code: 'ERR'",
      'error: It is not: assert.ok(a)',
    ],
    [
      "thread 'main' panicked at src/main.rs:2:5:\nno such row\nnote: run",
      "thread 'main' panicked at src/main.rs:2:5: no such row",
    ],
    ['Error:', 'Error:'],
    [
      'npm error code ENOENT\nnpm error syscall open\nnpm error path /p/package.json\nnpm error errno -2\nnpm error enoent Could not read package.json: ENOENT',
      'npm error enoent Could not read package.json: ENOENT',
    ],
    ['npm error code ELIFECYCLE\nnpm error path /p\nsh: tsx: not found', 'sh: tsx: not found'],
  ])('of %j is %j', (output, expected) => {
    expect(findUsefulLine(output)).toBe(expected);
  });

  test('does not go on without end where each line announces the next one', () => {
    expect(findUsefulLine('Error:\n'.repeat(100_000))?.length).toBe(503);
  });
});
