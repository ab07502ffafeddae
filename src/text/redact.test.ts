import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { body } from '../../test/unit/random-looking.ts';
import { redact } from './redact.ts';

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
  ['a key of Twilio', ['SK', body(32, HEX)].join('')],
  ['a bot token of Discord', `M${body(25)}.${body(6)}.${body(38)}`],
  ['a bot token of Telegram', `123456789:AA${body(33)}`],
  ['a webhook secret of Stripe', ['whsec', body(32)].join('_')],
  ['a key of Groq', `gsk_${body(52)}`],
  ['a token of Shopify', ['shpat', body(32, HEX)].join('_')],
  ['a token of Databricks', `dapi${body(32, HEX)}`],
  ['a token of Atlassian', `ATATT3xFfGF0${body(60)}`],
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
  ['an escaped query', (secret) => `GET https://example.com/items?next=%2Fx%3Fvalue%3D${secret}%26page`],
  ['a line of JSON', (secret) => JSON.stringify({ output: `first line\n${secret}\nthird line` })],
  ['a terminal in colour', (secret) => `the key is \u001b[31m${secret}\u001b[0m`],
  ['a file name', (secret) => `/srv/backup/old_${secret}.txt`],
  ['an address', (secret) => `git clone https://${secret}@example.com/me/it.git`],
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
  ['an address of a database, cut off', (secret) => `connecting to postgres://app:${secret}`],
  ['an address of a database with a driver', (secret) => `postgresql+psycopg2://app:${secret}@db/app`],
  ['a token alone in an address', (secret) => `git clone https://${secret}@example.com/me/it.git`],
  ['a token alone in a DSN', (secret) => `SENTRY_DSN=https://${secret}@o1.ingest.example.io/42`],
  ['a token alone in an address of a queue', (secret) => `amqps://${secret}@mq.example.com`],
  ['an address of MongoDB', (secret) => `mongodb+srv://app:${secret}@cluster0.example.net/app`],
  ['a password with an opened quote', (secret) => `export DB_PASSWORD="${secret} and the output ends`],
  ['a password behind an escaped quote', (secret) => `password: "a\\"${secret}"`],
  ['a password in three quotes', (secret) => `password = """${secret}"""`],
  ['a password in bold', (secret) => `**Password:** ${secret}`],
  ['a password between backticks', (secret) => `\`password\`: \`${secret}\``],
  ['a password in XML', (secret) => `<db:password type="plain">${secret}</db:password>`],
  ['a password in a block of YAML', (secret) => `password: |\n  ${secret}\n  ${secret}\nport: 1`],
  ['a password in a folded block', (secret) => `password: >-\n    ${secret}\nport: 1`],
  ['a password of Kubernetes', (secret) => `- name: DB_PASSWORD\n  value: ${secret}`],
  ['a password of a task', (secret) => `{"name": "DB_PASSWORD", "value": "${secret}"}`],
  ['a password with commas', (secret) => `DB_PASSWORD=ab,${secret};x&y npm start`],
  ['a password with an escape', (secret) => `DB_PASSWORD=ab\\$${secret}`],
  ['a password of Java', (secret) => `java -Dspring.datasource.password=${secret} -jar a.jar`],
  ['a password of PowerShell', (secret) => `$env:API_KEY = "${secret}"`],
  ['a password of Python', (secret) => `os.environ['API_KEY'] = f'${secret}'`],
  ['a default of Python', (secret) => `key = os.getenv("DB_PASSWORD", "${secret}")`],
  ['a password of Clojure', (secret) => `{:user "me" :password "${secret}"}`],
  ['a password in a list of arguments', (secret) => `["deploy", "--password", "${secret}"]`],
  ['a setting of AWS', (secret) => `aws configure set aws_secret_access_key ${secret}`],
  ['a setting of git', (secret) => `git config --global github.token ${secret}`],
  ['a line of a Dockerfile', (secret) => `ENV API_TOKEN ${secret}`],
  ['a login of Docker', (secret) => `docker login -u me -p ${secret} registry.example.com`],
  ['a login of Docker through a pipe', (secret) => `echo ${secret} | docker login -u me --password-stdin`],
  ['a login of MySQL', (secret) => `mysql -u root -p'${secret}' app`],
  ['a login of MySQL without a blank', (secret) => `mysqldump -uroot -p${secret} app`],
  ['a login of Redis', (secret) => `redis-cli -h cache -a ${secret} PING`],
  ['a login of ssh', (secret) => `sshpass -p '${secret}' ssh me@example.com`],
  ['a word for sudo', (secret) => `echo '${secret}' | sudo -S apt update`],
  ['a passphrase of openssl', (secret) => `openssl rsa -in a.pem -passin pass:${secret}`],
  ['a user of curl among options', (secret) => `curl -sSu admin:${secret} https://example.com`],
  ['a line of .netrc', (secret) => `machine example.com login me password ${secret}`],
  ['a login of a registry', (secret) => `//registry.example.com/:_auth=${secret}9xY=`],
  ['a login in a file of Docker', (secret) => `{"auths":{"r":{"auth":"${secret}9xY="}}}`],
  ['SQL', (secret) => `CREATE USER me WITH PASSWORD '${secret}'; ALTER USER you IDENTIFIED BY '${secret}'`],
  ['prose', (secret) => `The password for the staging machine is ${secret}, as ever.`],
  ['a signature of Azure', (secret) => `https://x.blob.core.windows.net/c/f?sv=2021&sig=${secret}%3D&se=1`],
  ['the secret behind a key id', (secret) => `AKIA${body(16, UPPER)},${secret}${body(23)}`],
  ['what a login asks for', (secret) => `AWS Secret Access Key [None]: ${secret}${body(23)}`],
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

  test('leaves nothing of a password of any signs, for expressions of code have no digits in their names', () => {
    const sign = fc.constantFrom(...'abcXYZ0123456789!@#%^*()-_=+[]{}.:/?~|<>'.split(''));
    const password = fc
      .array(sign, { minLength: 6, maxLength: 14 })
      .map((signs) => signs.join(''))
      .filter((text) => /^[A-Za-z0-9!@#^]/.test(text) && /\d.*[A-Za-z!@#^].*\d/.test(text));
    const place = fc.constantFrom<(secret: string) => string>(
      (secret) => `DB_PASSWORD=${secret}`,
      (secret) => `password: ${secret}`,
      (secret) => `The password: ${secret}.`,
      (secret) => `**Password:** ${secret}\n`,
      (secret) => `password = "${secret}"`,
      (secret) => `{"password":"${secret}"}`,
      (secret) => `deploy --password ${secret} --now`,
      (secret) => `Server=db;Password=${secret};Uid=me`,
      (secret) => `<password>${secret.replace(/[<>]/g, '')}</password>`,
    );
    fc.assert(
      fc.property(place, password, (put, secret) => {
        const clean = redact(put(secret));
        expect(clean).toContain('[redacted]');
        expect(clean).not.toContain(secret.replace(/[<>]/g, ''));
        expect(redact(clean)).toBe(clean);
      }),
      { numRuns: runs(3_000) },
    );
  });

  test('leaves nothing of a long key behind a name that is no secret by itself', () => {
    const key = `${body(20)}${LONG}`;
    for (const put of [(text: string) => `TLS_KEY=${text} run`, (text: string) => `TLS_KEY="${text}"`])
      expect(redact(put(key))).toMatch(/^TLS_KEY="?\[redacted\]"?(?: run)?$/);
  });

  test('takes a secret name inside a secret for a part of it', () => {
    expect(redact('password="one token=two three" port=1')).toBe('password="[redacted]" port=1');
  });

  test.each([
    ['abcdefABCDEF1234'],
    ['AbCdEfGhIjKl'],
    ['ABCDEFGHIJKLMNOP'],
    ['deadbeefcafe'],
    ['qwertyuiopasdfghjklz'],
    ['9f8e7d6c5b4a'],
    ['k3yK3yk3y'],
  ])('leaves nothing of %s alone before the @ of an address', (token) => {
    expect(redact(`https://${token}@host/x`)).toBe('https://[redacted]@host/x');
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
});
