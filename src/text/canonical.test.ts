import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { formatCanonical } from './json.ts';

describe('formatCanonical()', () => {
  test.each<[string, unknown, string]>([
    [
      'sorts keys by UTF-16 units, numbers among them',
      { b: 1, a: 2, 10: 3, 2: 4 },
      '{"10":3,"2":4,"a":2,"b":1}',
    ],
    ['sorts a surrogate pair before U+FB33', { '\uFB33': 1, '😂': 2 }, '{"😂":2,"\uFB33":1}'],
    ['writes numbers as ECMAScript does', [1e30, 4.5, 0.002, 1e-27, -0], '[1e+30,4.5,0.002,1e-27,0]'],
    ['escapes only what has to be', '€$\n\u000f"\\/', '"€$\\n\\u000f\\"\\\\/"'],
    ['goes into lists and objects', [{ b: [null, true], a: {} }, []], '[{"a":{},"b":[null,true]},[]]'],
  ])('%s', (_, value, expected) => {
    expect(formatCanonical(value)).toBe(expected);
  });

  test('is what the canonicalize package says, for every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(formatCanonical(value)).toBe(canonicalize(value));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
