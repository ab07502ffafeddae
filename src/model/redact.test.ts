import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact, redactDeep } from './redact.ts';

// Secrets are put together here, so that no scanner takes this file for a leak.
const LETTERS = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0z';
/** Characters that look random and are always the same. */
const body = (length: number, alphabet = LETTERS): string =>
  Array.from({ length }, (_, index) => alphabet[(index * 7 + length) % alphabet.length]).join('');
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Secrets that are known by what they look like. */
const TOKENS: [string, string][] = [
  ['an Anthropic key', `sk-ant-api03-${body(60)}-${body(20)}AA`],
  ['an OpenAI key of a project', `sk-proj-${body(40)}_${body(30)}`],
  ['an OpenAI key of old', `sk-${body(48)}`],
  ['a live Stripe key', ['sk', 'live', body(24)].join('_')],
  ['a restricted Stripe key', ['rk', 'live', body(24)].join('_')],
  ['a test Stripe key', ['pk', 'test', body(24)].join('_')],
  ['a GitHub token', `ghp_${body(36)}`],
  ['a GitHub token of an app', `ghs_${body(36)}`],
  ['a fine-grained GitHub token', `github_pat_${body(22)}_${body(59)}`],
  ['a GitLab token', `glpat-${body(20)}`],
  ['a Slack bot token', ['xoxb', '1234567890', '1234567890123', body(24)].join('-')],
  ['a Slack user token', ['xoxp', '1234567890', '1234567890123', body(24)].join('-')],
  ['a Slack token of an app', ['xapp', '1', 'A0123456789', '1234567890123', body(40, HEX)].join('-')],
  ['a Slack webhook', ['https://hooks.slack.com', 'services', 'T00000000', 'B00000000', body(24)].join('/')],
  ['an npm token', `npm_${body(36)}`],
  ['a PyPI token', `pypi-${body(80)}`],
  ['a Hugging Face token', `hf_${body(34)}`],
  ['a DigitalOcean token', `dop_v1_${body(64, HEX)}`],
  ['a SendGrid key', ['SG', body(22), body(43)].join('.')],
  ['an AWS key id', `AKIA${body(16, UPPER)}`],
  ['a temporary AWS key id', `ASIA${body(16, UPPER)}`],
  ['a Google key', `AIza${body(35)}`],
  ['a Google access token', `ya29.${body(60)}`],
  ['a Google client secret', ['GOCSPX', body(28)].join('-')],
  ['a JSON web token', `eyJ${body(30)}.eyJ${body(60)}.${body(43)}`],
  ['a Docker Hub token', `dckr_pat_${body(27)}`],
  ['a Vault token', `hvs.${body(90)}`],
  ['an age key', `AGE-SECRET-KEY-1${body(58, UPPER)}`],
];

/** Places where a secret stands. */
const PLACES: [string, (secret: string) => string][] = [
  ['prose', (secret) => `The key is ${secret}, please use it from now on.`],
  ['the end of a sentence', (secret) => `Use ${secret}.`],
  ['backticks', (secret) => `Set it to \`${secret}\` and go on.`],
  ['JSON', (secret) => JSON.stringify({ value: secret, next: 1 })],
  ['JSON in JSON', (secret) => JSON.stringify(JSON.stringify({ value: secret, next: 1 }))],
  ['a command', (secret) => `curl -H 'X-Value: ${secret}' https://example.com/items`],
  ['an .env line', (secret) => `NAME=app\nVALUE=${secret}\nPORT=3000`],
  ['an export in quotes', (secret) => `export VALUE="${secret}"; run`],
  ['a query', (secret) => `GET https://example.com/items?value=${secret}&page=2`],
];

/** Secrets that are known by the words around them, whatever they look like. */
const NAMED: [string, (secret: string) => string][] = [
  ['a password in an .env line', (secret) => `DB_PASSWORD=${secret}`],
  ['a password in quotes', (secret) => `export PGPASSWORD='${secret}'`],
  ['a password in YAML', (secret) => `database:\n  password: ${secret}\n  port: 5432`],
  ['a password in JSON', (secret) => `{"user": "me", "password": "${secret}", "port": 1}`],
  ['a password in tight JSON', (secret) => `{"user":"me","password":"${secret}"}`],
  [
    'a password in JSON in a command',
    (secret) => `curl -d "{\\"password\\":\\"${secret}\\"}" https://example.com`,
  ],
  ['a password in Ruby', (secret) => `{ password => '${secret}' }`],
  ['a password in an option', (secret) => `mysql --password ${secret} db`],
  ['a password in an option with =', (secret) => `mysql --password=${secret} db`],
  ['a pwd', (secret) => `Server=db;Uid=me;Pwd=${secret};`],
  ['a passphrase', (secret) => `passphrase: ${secret}`],
  ['a client secret', (secret) => `client_secret=${secret}`],
  ['a secret key of AWS', (secret) => `aws_secret_access_key = ${secret}`],
  ['an account key of Azure', (secret) => `AccountName=me;AccountKey=${secret};EndpointSuffix=core`],
  ['an API key in camel case', (secret) => `{"apiKey":"${secret}"}`],
  ['an API key in a header', (secret) => `curl -H "x-api-key: ${secret}" https://example.com`],
  ['an API key in a query', (secret) => `https://example.com/v1?api_key=${secret}&page=2`],
  ['a token in an option', (secret) => `deploy --token ${secret} --now`],
  ['a token in TOML', (secret) => `auth_token = "${secret}"`],
  ['a refresh token', (secret) => `"refresh_token": "${secret}",`],
  ['a private key id', (secret) => `PRIVATE_KEY=${secret}`],
  ['a bearer header', (secret) => `Authorization: Bearer ${secret}`],
  ['a basic header', (secret) => `Authorization: Basic ${secret}`],
  [
    'a token header in lower case',
    (secret) => `curl -H 'authorization: token ${secret}' https://api.example.com`,
  ],
  ['a user of curl', (secret) => `curl -u admin:${secret} https://example.com`],
  ['a user of curl in quotes', (secret) => `curl --user 'admin:${secret}' https://example.com`],
  ['a database address', (secret) => `postgres://app:${secret}@db.example.com:5432/app`],
  ['an address without a user', (secret) => `redis://:${secret}@cache:6379/0`],
  ['an address of git', (secret) => `git clone https://me:${secret}@example.com/me/it.git`],
];

const PASSWORDS = NAMED.filter(([place]) => place.startsWith('a password') && !place.includes('command'));
const LONG = body(1_000);

describe('redact()', () => {
  test.each(TOKENS)('leaves nothing of %s, wherever it stands', (_, secret) => {
    for (const [place, put] of PLACES) {
      const clean = redact(put(secret));
      expect(clean, place).toContain('[redacted]');
      expect(clean, place).not.toContain(secret.slice(-12));
    }
  });

  test.each(NAMED)('leaves nothing of %s', (_, put) => {
    const clean = redact(put('hunter2Hunter2xyz'));
    expect(clean).toContain('[redacted]');
    expect(clean).not.toMatch(/hunter|2xyz/i);
  });

  test.each(PASSWORDS)('leaves nothing of signs in %s', (_, put) => {
    const clean = redact(put('p-4$$_w0rd!~/+x='));
    expect(clean).toContain('[redacted]');
    expect(clean).not.toMatch(/p-4|w0rd|x=/);
  });

  test('leaves nothing of a password of digits alone', () => {
    for (const [place, put] of PASSWORDS) expect(redact(put('83920174')), place).not.toContain('8392');
    expect(redact('client_secret=83920174')).toBe('client_secret=[redacted]');
  });

  test('leaves nothing of a secret that ends like a harmless one', () => {
    expect(redact('password=correct-horse:17')).not.toContain('correct-horse');
    expect(redact('API_KEY=aB3dE5gH7jK9&debug=true')).not.toContain('aB3dE5gH7jK9');
  });

  test('leaves nothing of a named secret of 1,000 characters', () => {
    const places = NAMED.filter(([place]) => /\.env|quotes|JSON|TOML|client|refresh|camel/.test(place));
    for (const [place, put] of places.filter(([place]) => !/command|curl/.test(place))) {
      expect(redact(put(LONG)), place).not.toContain(LONG.slice(-20));
    }
  });

  const KEY = `${body(64)}\n${body(64)}\n${body(20)}==`;
  test.each([
    ['PRIVATE KEY'],
    ['RSA PRIVATE KEY'],
    ['EC PRIVATE KEY'],
    ['ENCRYPTED PRIVATE KEY'],
    ['OPENSSH PRIVATE KEY'],
    ['PGP PRIVATE KEY BLOCK'],
  ])('leaves nothing of a %s, whole, cut off, or in JSON', (kind) => {
    const whole = `-----BEGIN ${kind}-----\n${KEY}\n-----END ${kind}-----`;
    for (const text of [`before ${whole} after`, whole.slice(0, 120), JSON.stringify({ key: whole })]) {
      expect(redact(text)).toContain('[redacted]');
      expect(redact(text)).not.toContain(body(64).slice(0, 20));
    }
    expect(redact(`before ${whole} after`)).toBe('before [redacted] after');
  });

  test('keeps what stands around a secret', () => {
    const secret = `ghp_${body(36)}`;
    expect(redact(`git push https://me:${secret}@github.com/me/it.git main`)).toBe(
      'git push https://me:[redacted]@github.com/me/it.git main',
    );
    expect(redact('DB_PASSWORD=hunter22 npm start')).toBe('DB_PASSWORD=[redacted] npm start');
    expect(redact('{"password": "hunter22", "port": 5432}')).toMatch(
      /^\{"password": "?\[redacted\]"?, "port": 5432\}$/,
    );
  });

  test('takes a secret name inside a secret for a part of it', () => {
    expect(redact('password="one token=two three" port=1')).toBe('password="[redacted]" port=1');
  });

  test('redacts every secret of a text', () => {
    const text = TOKENS.slice(0, 10)
      .map(([kind, secret]) => `${kind}: ${secret}`)
      .join('\n');
    const clean = redact(text);
    expect(clean.match(/\[redacted\]/g)).toHaveLength(10);
    for (const [, secret] of TOKENS.slice(0, 10)) expect(clean).not.toContain(secret);
  });

  test('finds nothing more in a text that it has cleaned', () => {
    const place = fc.constantFrom(...PLACES.map(([, put]) => put), ...NAMED.map(([, put]) => put));
    const secret = fc.constantFrom(...TOKENS.map(([, token]) => token), 'hunter2Hunter2xyz', '83920174');
    fc.assert(
      fc.property(place, secret, (put, token) => {
        const once = redact(put(token));
        expect(redact(once)).toBe(once);
      }),
    );
  });

  test.each([
    ['The tests pass now, and the build is green.'],
    ['Fix the login form: the password field is too narrow'],
    ['Forgot your password? Click here.'],
    ['The password must be changed every 90 days'],
    ['src/auth/password-reset.ts'],
    ['npm test -- --grep "rejects a wrong password"'],
    ['max_tokens: 4096'],
    ['"max_tokens": 4096, "stream": true'],
    ['context_tokens=146400'],
    ['Tokens used: 146,400 / 200,000'],
    ['token: 12'],
    ['secret: true'],
    ['password: null'],
    ['api_key: none'],
    ['estimateTokens() is an upper bound'],
    ['Tokenizer: counts tokens by groups of letters'],
    ['input_tokens + cache_creation_input_tokens + cache_read_input_tokens'],
    ['commit 5f0c3a9e8d7b6c5f4e3d2c1b0a9f8e7d6c5b4a39'],
    ['sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['857c5031-0000-4000-8000-000000000002'],
    ['msg_01XFDUDYJgAACzvnptvVoYEL'],
    ['toolu_01A09q90qw90lq917835lq9'],
    ['/home/me/.claude/projects/-home-me-work-app/857c5031.jsonl'],
    ['src/sk-learn-experiments-2024/run.py'],
    ['<div class="sk-cube-grid-delay-animation">'],
    ['task-force-planning-notes-2026'],
    ['https://example.com:8443/path?page=2#top'],
    ['http://localhost:5173/@vite/client'],
    ['git@github.com:owner/repository.git'],
    ['ssh://git@example.com:22/owner/repository.git'],
    ['import { join } from "node:path"; import type { Foo } from "@scope/foo";'],
    ['me@example.com wrote: see you at 10:30'],
    ['docker run -u 1000:1000 -p 8080:80 image'],
    ['Basic configuration of the server is done'],
    ['Bearer authentication is required for this route'],
    ['Token authentication was replaced by cookies'],
    ['aws s3 ls s3://bucket/prefix --region eu-central-1'],
    ['SELECT id, name FROM users WHERE id = 17;'],
    ['error TS2345: Argument of type "string" is not assignable'],
    ['-----BEGIN CERTIFICATE-----'],
    ['-----BEGIN PUBLIC KEY-----'],
    ['data:image/png;base64,iVBORw0KGgo='],
    ['Привет, 世界, 👋'],
    ['line one\nline two\n\tindented'],
    [''],
  ])('leaves a harmless text alone: %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
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
  ])('comes to an end on 1 MB of %s', (_, piece) => {
    const hostile = piece.repeat(1_000_000 / piece.length);
    expect(redact(hostile).length).toBeGreaterThan(0);
  });
});

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
    );
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 3 })), (lists) => {
        const strings = lists.map((pieces) => pieces.join(''));
        expect(redactDeep(strings)).toEqual(strings.map((each) => redact(each)));
      }),
      { numRuns: 1_000 },
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
