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
      { numRuns: 3_000 },
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
    ['Unicode set for the Basic Multilingual Plane'],
    ['const token = await getToken(user);'],
    ['interface Props { password?: string; onChange: (token: Token) => void }'],
    ['def login(token: str, secret: Optional[str] = None) -> bool:'],
    ['if (token === undefined || token == null) return;'],
    ['items.map((token) => token.value)'],
    ['secret: z.string().min(8)'],
    ['this.token = token; pair.srcToken = item;'],
    ['lastToken.raw += "\\n"; token.indent = "none"'],
    ['const { password } = req.body'],
    ['let secret; const passwords = []'],
    ['apiKey: process.env.API_KEY,'],
    ['password=config.password, token=self._next_token()'],
    ['connect(password=password)'],
    ['fetch(url, { credentials: "same-origin" })'],
    ['Token::parse(input)'],
    ['token: ${{ secrets.GITHUB_TOKEN }}'],
    ['password: $DB_PASSWORD'],
    ['deploy --token "$TOKEN"'],
    ['API_KEY=$API_KEY npm start'],
    ['curl -H "Authorization: Bearer ${TOKEN}" https://example.com'],
    ['Authorization: Bearer <token>'],
    ['https://<user>:<password>@example.com/ and https://me:${TOKEN}@example.com/'],
    ['SyntaxError: invalid token: unexpected end of input'],
    ['--- PASS: TestParse (0.00s)'],
    ['// Second pass: link all modules'],
    ['pass: 1853, fail: 0'],
    ['PWD=/home/me/project OLDPWD=/tmp'],
    ['max_token_count: 4096, token_type: bearer, token_budget=50000'],
    ['tokenUrl: https://example.com/oauth/token'],
    ['secretName: app-tls'],
    ['secretKeyRef:\n  name: db\n  key: password'],
    ['mount --password-file /run/secrets/db; PASSWORD_FILE=/run/secrets/db'],
    ['docker login -u me --password-stdin < file'],
    ['docker compose -p project up; cp -p a b; mysql -h db -P 3306'],
    ['echo "done" | tee log; echo building | grep x'],
    ['npm_config_user_agent=npm/10 npm_package_dependencies_foo_bar=1'],
    ['pypi-package-name-that-is-long-2024, hf_hub_download_with_progress'],
    ['xapp-launcher-settings-daemon'],
    ['CACHE_KEY=users SORT_KEY=created_at'],
    ['IDEMPOTENCY_KEY=857c5031-0000-4000-8000-000000000002'],
    ['public_key: ssh-rsa AAAAB3NzaC1yc2E, primary_key: id, "key": "value"'],
    ['The password is stored in the vault, and the secret is not set'],
    ['set the password field, put the secret in a vault, set password policy'],
    ['kubectl get secret my-secret -o yaml'],
    ['feat(auth): rotate the token when the password changes'],
    ['<input type="password" name="password" accesskey="p"> <token> goes here'],
    ['password: <your-password>, token: ..., secret: ********, pw: your_password_here'],
    ['password: "", secret = \'\''],
    ['com.example.service.PasswordEncoder, x.module.abstractFactoryBeanProvider'],
    ['docker pull image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['import x from "https://deno.land/std@0.1/x.ts"; http://localhost:3000/a:b@c'],
    ['the previous token\n  this.lastTokenEndLocation = null;'],
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
