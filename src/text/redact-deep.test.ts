import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { body } from '../../test/unit/random-looking.ts';
import { redact, redactDeep } from './redact.ts';

describe('redactDeep()', () => {
  const SECRET = `ghp_${body(36)}`;

  test('redacts strings in lists and objects, keys included, and keeps everything else', () => {
    const value = {
      text: `Use ${SECRET}.`,
      list: [SECRET, 5, null, true, { deep: `a ${SECRET}` }],
      [SECRET]: 'key',
      number: 17,
      nothing: null,
    };
    expect(redactDeep(value)).toEqual({
      text: 'Use [redacted].',
      list: ['[redacted]', 5, null, true, { deep: 'a [redacted]' }],
      '[redacted]': 'key',
      number: 17,
      nothing: null,
    });
  });

  test('takes the value of a name that is a secret for one, whatever it looks like', () => {
    const value = { agent_summaries: { db_password: 'correct horse', builder: 'done' }, max_tokens: 'many' };
    expect(redactDeep(value)).toEqual({
      agent_summaries: { db_password: '[redacted]', builder: 'done' },
      max_tokens: 'many',
    });
  });

  test('leaves any value without secrets as it is', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as fc.JsonSharedConstraints),
        (value) => {
          fc.pre(redact(JSON.stringify(value)) === JSON.stringify(value));
          expect(JSON.stringify(redactDeep(value))).toBe(JSON.stringify(value));
        },
      ),
    );
  });

  test('finds in a list what redact() finds in each of its strings', () => {
    const piece = fc.constantFrom(
      `ghp_${body(36)}`,
      'password: hunter22',
      '--password',
      ' hunter22',
      'Bearer ',
      `${body(20)}`,
      '-----BEGIN RSA PRIVATE KEY-----',
      'abc',
      'token=',
      'curl -u',
      'me:pw',
      'postgres://me:pw@host',
      '\n',
      '"',
      'redis://me:pw',
      'password: |',
      '<password>',
      'hunter22</password>',
      'name: DB_TOKEN',
      'value: hunter22',
      'echo hunter22 | sudo -S',
    );
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 3 })), (lists) => {
        const strings = lists.map((pieces) => pieces.join(''));
        expect(redactDeep(strings)).toEqual(strings.map((each) => redact(each)));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('finds a private key without its end, though a long text follows in another string', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${body(200)}`;
    expect(redactDeep([key, 'x '.repeat(20_000)])[0]).toBe('[redacted]');
  });

  test('does not change what it was given', () => {
    const value = { list: [SECRET] };
    redactDeep(value);
    expect(value).toEqual({ list: [SECRET] });
  });
});
