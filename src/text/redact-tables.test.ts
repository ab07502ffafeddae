import { describe, expect, test } from 'vitest';
import { redact } from './redact.ts';

/** A password that nobody takes for a word. */
const P = 'Tr0ub4dor&3x';
const W = 'hunter2';

describe('redact() hides', () => {
  test.each([
    `define('DB_PASSWORD', '${P}');`,
    `define( "DB_PASSWORD" , "${P}" );`.replace(' ,', ','),
    `define("AUTH_KEY", "${P} put it in");`,
    `| password | ${P} |`,
    `| name | value |\n|------|-------|\n| DB_PASSWORD | ${P} | of the database |`,
    `| \`api_key\` | \`${P}\` |`,
    `| 1 | db.password | ${P} | 2026-01-01 |`,
    ` password | ${P}\n user     | me`,
    `Authorization: SSWS 00${'aB3'.repeat(12)}`,
    `curl -H "Authorization: SSWS 00${'aB3'.repeat(12)}" https://example.com`,
    `the header is SSWS 00${'aB3'.repeat(12)} for this org`,
    `htpasswd -b .htpasswd me ${P}`,
    `htpasswd -bc /etc/nginx/.htpasswd me '${P}' && nginx -s reload`,
    `htpasswd -nb me ${P} > file`,
    `docker run httpd htpasswd -Bbn me ${P} 2>/dev/null`,
    `htpasswd -bnBC 10 me ${P}`,
    `Passwort: ${W}`,
    `Kennwort = ${W}`,
    `Das Passwort ist ${W}`,
    `DB_PASSWORT=${W}`,
    `Contraseña: ${W}`,
    `la contraseña es ${W}`,
    `Mot de passe : ${W}`,
    `le mot de passe est ${W}`,
    `senha: ${W}`,
    `A senha é ${W}`,
    `Wachtwoord: ${W}`,
    `Hasło: ${W}`,
    `Lösenord: ${W}`,
    `Şifre: ${W}`,
    `Пароль: ${W}`,
    `пароль — ${W}`,
    `密码：${W}`,
    `密码是${W}`,
    `密碼: ${W}`,
    `パスワード：${W}`,
    `パスワードは${W}です`,
    `비밀번호: ${W}`,
    `비밀번호는 ${W}`,
    `"пароль": "${W}"`,
    `Contraseña: geheim`,
  ])('the secret of %j', (text) => {
    const hidden = redact(text);
    expect(hidden).toContain('[redacted]');
    for (const secret of [P, W, 'aB3aB3', 'geheim']) expect(hidden).not.toContain(secret);
  });

  test('of a row the value alone', () => {
    expect(redact(`| DB_PASSWORD | ${P} | of the database |`)).toBe(
      '| DB_PASSWORD | [redacted] | of the database |',
    );
    expect(redact(`htpasswd -b file me '${P}'; ls`)).toBe('htpasswd -b file me [redacted]; ls');
    expect(redact(`define('DB_PASSWORD', '${P}');`)).toBe(`define('DB_PASSWORD', '[redacted]');`);
  });
});

describe('redact() leaves', () => {
  test.each([
    'apiKey={apiKey}',
    '<Client apiKey={apiKey} token={props.token} secret={this.secret} />',
    'url = f"https://example.com/?api_key={api_key}&page=2"',
    'Password: !Ref DbSecret',
    'password: !Ref DbSecret\nuser: me',
    "MasterUserPassword: !Sub '{{resolve:secretsmanager:db}}'",
    'password: !GetAtt Secret.Value',
    'password: ${DB_PASSWORD}',
    'DB_PASSWORD=${DB_PASSWORD}',
    'API_KEY=process.env.API_KEY',
    'apiKey: process.env.X',
    'api_key: <your-key>',
    'API_KEY=<your-key>',
    'function f(password: string, token?: string | null): void {}',
    'password: SecretStr = Field(...)',
    '| password | string | required |',
    '| password | The password of the user |',
    '|----------|-------|',
    '| Token | Meaning |',
    'type A =\n  | Token\n  | Secret\n  | Other',
    'cat token | base64',
    'get-token | pbcopy',
    'const x = password || defaultPassword || other',
    "define('PASSWORD_MIN_LENGTH', '8');",
    "define('DB_PASSWORD', getenv('DB_PASSWORD'));",
    'htpasswd -c file me',
    'Passwort vergessen?',
    'Das Passwort ist falsch',
    'la contraseña es obligatoria',
    'пароль: ********',
    '密码不能为空',
    'パスワードを入力してください',
    'passwort: string;',
  ])('%j as it is', (text) => {
    expect(redact(text)).toBe(text);
  });
});

test.each([
  ['| password ', 100_000],
  ['| password | x', 80_000],
  ['password |', 100_000],
  ["define('PASSWORD', ", 50_000],
  ['htpasswd -b ', 80_000],
  ['htpasswd -nb a ', 80_000],
  ['contraseña ', 80_000],
  ['пароль: ', 100_000],
  ['密码', 300_000],
  [' \t', 500_000],
  ['|', 1_000_000],
])('redact() needs no more than twice the time for twice as much of %j', (piece, count) => {
  const text = piece.repeat(count);
  const start = performance.now();
  redact(text);
  // Linear work of a megabyte takes some hundred milliseconds; quadratic work would take minutes.
  expect(performance.now() - start).toBeLessThan(15_000);
});
