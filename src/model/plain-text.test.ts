import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECRETS } from '../../test/unit/secret-samples.ts';
import { isPlainText } from './plain-text.ts';
import { redact } from './redact.ts';

test.each([
  'src/model/tracks/log-bounds.test.ts',
  'ls -la src',
  'npm test -- --run ledger',
  'git status --short',
  'make -j4 check',
])('isPlainText() takes %s for plain', (text) => {
  expect(isPlainText(text)).toBe(true);
});

test('isPlainText() takes nothing for plain that redact() would change', () => {
  const word = fc.oneof(
    fc.constantFrom(
      ...'mysql mongosh 7z zip sshpass redis-cli ldapsearch docker login curl wget bearer basic token password secret -p -P -a -u -w --token --password --api-key export set env PGPASSWORD pw is the authorization cookie: xoxb-12345678 sk-ant-abcDEF12 AKIAABCDEFGHIJKL identified by'.split(
        ' ',
      ),
    ),
    fc.string({ unit: fc.constantFrom(...'abcXYZ0123456789-_./=:+@'), minLength: 1, maxLength: 24 }),
    fc.constantFrom(...SECRETS.map(({ text }) => text)),
  );
  const text = fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom(' ', ''))
    .map(([words, sign]) => words.join(sign));
  fc.assert(
    fc.property(text, (each) => {
      if (isPlainText(each)) expect(redact(each)).toBe(each);
    }),
    { numRuns: 5_000 },
  );
});
