import { describe, expect, test } from 'vitest';
import { some } from '../../test/kit/effort.ts';
import { redact } from './redact.ts';

describe('redact()', () => {
  const pieces: [string, string][] = [
    ['one letter', 'a'],
    ['colons', ':'],
    ['letters and hyphens', 'a-'],
    ['letters and dots', 'a.'],
    ['beginnings of keys', '-----BEGIN '],
    ['beginnings of private keys', '-----BEGIN PRIVATE KEY-----'],
    ['addresses', 'a://'],
    ['addresses with a user', 'ab://c:'],
    ['names of secrets', 'password'],
    ['names of secrets with a sign', 'password="'],
    ['tokens cut short', 'eyJaaaaaaaa.'],
    ['options', ' --password '],
    ['spaces', ' '],
    ['quotes', '"'],
    ['databases', 'redis://a:'],
    ['beginnings of headers', 'authorization: '],
    ['commands', 'curl '],
    ['logins', 'mysql -p '],
    ['pipes', 'echo a | '],
    ['elements', '<password>'],
    ['blocks', 'password: |\n  a\n'],
    ['names of variables', '- name: TOKEN\n  '],
    ['escapes', '\\'],
    ['brackets', '(['],
    ['bots', 'Ma.'],
    ['words of people', 'the password for a is '],
    ['beginnings of web tokens', 'eyJ'],
    ['beginnings of keys of SendGrid', 'SG.aaaaaaaaaaaaaaaaaaaa'],
    ['names of keys', 'A_KEY='],
    ['tokens of a letter', 'sk-A1'],
  ];
  test.each(some(pieces, 6))('comes to an end on 1 MB of %s', (_, piece) => {
    const hostile = piece.repeat(1_000_000 / piece.length);
    expect(redact(hostile).length).toBeGreaterThan(0);
  });
});
