import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, request } from '../../test/unit/lines.ts';
import { run } from '../../test/unit/work.ts';
import { EMPTY_WORK, shortAnswer, shorten, usefulLine, type Work, workOf } from './work.ts';

describe('a secret at a cut', () => {
  const SECRET = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zaB3dE5gH7jK9';
  const written: [string, string][] = [
    ['a token', `ghp_${SECRET}`],
    ['an address', `https://me:${SECRET}@example.com`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n${SECRET}\n-----END RSA PRIVATE KEY-----`],
    ['a password in quotes', `DB_PASSWORD="one ${SECRET} two"`],
    ['a web token', `eyJhbGciOiJIUzI1NiJ9.${SECRET}.${SECRET}`],
  ];
  // [where, characters that are kept, the work with a text there]
  const places: [string, number, (text: string) => Work][] = [
    ['a request', 1_500, (text) => workOf([request(text)])],
    ['a command', 300, (text) => workOf(run('t1', text, 'failed', true))],
    ['an output', 400, (text) => workOf(run('t1', 'deploy', text, true))],
    ['an answer', 700, (text) => workOf([answer(10, { content: [{ type: 'text', text }] })])],
    ['the answer that a Stop brought', 700, (text) => ({ ...EMPTY_WORK, last_answer: shortAnswer(text) })],
  ];

  test.each(
    written.flatMap(([kind, text]) =>
      places.map(([place, ...rest]) => [kind, place, text, ...rest] as const),
    ),
  )(
    '%s in %s leaves no part of itself, wherever the cut falls',
    (_kind, _place, text, characters, workWith) => {
      for (let left = 0; left <= text.length + 10; left++) {
        const all = `${'word '.repeat(400).slice(0, Math.max(0, characters - left - 1))} ${text} and more`;
        const kept = JSON.stringify(workWith(all));
        for (let at = 0; at + 8 <= SECRET.length; at += 4) {
          expect(kept, `${left} characters before the cut`).not.toContain(SECRET.slice(at, at + 8));
        }
      }
    },
  );

  test('a key of many lines does not push the rest of an answer out', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${SECRET}\n`.repeat(20)}-----END PRIVATE KEY-----`;
    expect(shortAnswer(`Here it is:\n${key}\nNext I deploy.`)).toBe(
      'Here it is:\n[redacted]\nNext I deploy.',
    );
  });

  test('the end of what is looked at is no beginning of a secret', () => {
    const keys = `-----BEGIN PRIVATE KEY-----\n${`${SECRET}\n`.repeat(40)}-----END PRIVATE KEY-----\n`;
    const long = `${keys.repeat(5)}${'y'.repeat(9_692 - keys.length * 5 - 30)} ghp_${SECRET}`;
    for (let more = 0; more < 60; more++) {
      const kept = JSON.stringify(workOf([request(`${'x'.repeat(more)}${long}`)]));
      expect(kept).not.toContain(SECRET.slice(0, 8));
    }
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

describe('usefulLine()', () => {
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
    ['npm error code ELIFECYCLE\nnpm error path /p\nsh: tsx: not found', 'sh: tsx: not found'],
  ])('of %j is %j', (output, expected) => {
    expect(usefulLine(output)).toBe(expected);
  });
});
