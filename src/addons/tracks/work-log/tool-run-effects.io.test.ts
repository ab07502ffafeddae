import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/kit/effort.ts';
import { SECRETS } from '../../../../test/unit/secret-samples.ts';
import { redact } from '../../../text/redact.ts';
import { isPlainText } from './tool-run-effects.io.ts';

test.each([
  'src/model/tracks/log-bounds.test.ts',
  'ls -la src',
  'npm test -- --run ledger',
  'git status --short',
  'make -j4 check',
])('isPlainText() takes %s for plain', (text) => {
  expect(isPlainText(text)).toBe(true);
});

const ASKED = [
  'mysql -uroot -p',
  'mariadb -p',
  'mongosh -p ',
  '7z x a.7z -p',
  'sshpass -p ',
  'redis-cli -a ',
  'zip -P ',
  'ldapsearch -w ',
  'docker login -p ',
  'az login -p ',
  'gh --token ',
  'x --api-key ',
  'set DB_PASSWORD ',
  'login me password ',
  'openssl -passin pass ',
];

test('isPlainText() takes no command for plain that is given a secret, however short it is', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ASKED),
      fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 3, maxLength: 9 }),
      (command, secret) => {
        if (isPlainText(command + secret)) expect(redact(command + secret)).toBe(command + secret);
      },
    ),
    { numRuns: runs(1_000) },
  );
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
    { numRuns: runs(5_000) },
  );
});
