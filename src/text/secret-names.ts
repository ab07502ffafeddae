// Tells which names are those of secrets, and finds the values behind them: `DB_PASSWORD=…`, `"apiKey": …`, `--token …`.

const SECRET_WORDS = new Set(
  'password passwd pwd pw passphrase passcode pgpassword pass secret token credential credentials passwort kennwort contrasena senha wachtwoord passord haslo heslo lozinka parola salasana'.split(
    ' ',
  ),
);
const SECRET_ENDINGS =
  /(?:password|passwd|secret|(?:api|access|account|private|auth|secret|signing|signature|encryption|storage|subscription|master|shared|service|deploy|jwt|hmac|fernet|webhook)key(?:id)?|connectionstring)$/;

/** Last words of names that say something about a secret and hold none. */
const ABOUT = new Set(
  'file path paths dir url uri endpoint type count counts budget limit limits length len size min max name names field fields expiry expires expiration expired ttl age lifetime policy reset header prefix suffix algorithm index usage used class style label placeholder input form page error errors ref manager provider helper rate rates cost costs ratio total estimate stdin through mode required enabled rotation version strength rules'.split(
    ' ',
  ),
);

/** What every name of a secret has in it. */
export const IN_NAMES =
  '(?:pass|pw|secret|token|credential|key|connectionstring|kennwort|contrasena|senha|wachtwoord|haslo|heslo|lozinka|parola|salasana)';

/** What a password is called where it could be a name in code as well. */
export const PASSWORD_NAMES_ABROAD =
  'passwort|kennwort|contrasena|senha|wachtwoord|passord|haslo|heslo|lozinka|parola|salasana';

/** What a password is called in other languages, in letters that no name in code has, or in several words. */
export const PASSWORD_ABROAD =
  '(?:contraseñas?|mots? de passe|palavra-passe|hasło|hasła|lösenord|şifre|jelszó|пароль|пароля|κωδικός(?: πρόσβασης)?|mật khẩu|kata sandi|密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน|पासवर्ड|كلمة (?:المرور|السر)|סיסמ[הא])';
const MAY_NAME = new RegExp(IN_NAMES, 'i');

/** Whether something of this name is a secret: `DB_PASSWORD`, `apiKey`, `x-api-key`; not `max_tokens`, `tokenUrl`, `PASS`. */
export function isSecretName(name: string): boolean {
  if (!MAY_NAME.test(name)) return false;
  if (name === 'PASS') return false; // of a test
  // Of `token.kind` the kind is meant, of `secret.value` the secret.
  const own =
    name
      .replace(/\.(?:value|data|key|raw)$/i, '')
      .split('.')
      .at(-1) ?? '';
  const words = own.split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
  if (words.length > 1 && ABOUT.has(words.at(-1) ?? '')) return false;
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_ENDINGS.test(words.join(''));
}

/** A name and what separates it from its value, in the ways in which configurations, code, JSON and options write them. */
export const NAMES = (): RegExp[] => [
  /(?<![A-Za-z0-9_.])([A-Za-z][A-Za-z0-9_.-]{1,80})["'`\\\]]{0,4}\*{0,2}[ \t]{0,3}(?:\([^)\n]{1,30}\))?(?:=>|:=|:(?!:)|\??=(?![=>]))\*{0,2}[ \t]{0,3}(?:[fbruFBRU]{1,2}(?=["']))?/g,
  /[\s"']--?([A-Za-z][A-Za-z-]{1,40})(?:[ =](?!-)|["'],[ \t\r\n]{0,20}(?=["'](?!-)))/g,
  // `set NAME value`, `ENV NAME value`
  /\b(?:setx?|ENV|ARG|add|put|config)\s(?:--?[a-zA-Z]{1,12}\s)?([A-Za-z][A-Za-z0-9]{0,40}[_.][A-Za-z0-9_.-]{1,80})[ ](?!=)/g,
  // `define('NAME', 'value')` of PHP
  /\b[dD]efine\(\s{0,3}["']([A-Za-z][A-Za-z0-9_.]{1,80})["'],\s{0,3}/g,
  // A row of a table, `| NAME | value |`, or `NAME | value` where the value is no name of a program
  /\|[ \t]{0,80}["'`]?\*{0,2}([A-Za-z][A-Za-z0-9_.-]{1,80})["'`]?\*{0,2}[ \t]{0,80}\|[ \t]{0,80}["'`]?\*{0,2}(?=[^\s|]{3,300}[ \t]{0,80}\|)/g,
  /(?<=^|\n)[ \t]{0,80}([A-Za-z][A-Za-z0-9_.-]{1,80})[ \t]{1,80}\|[ \t]{1,80}(?=[^\s|]{3,300}[ \t]{0,80}(?:\n|$))(?=[^\s|]{0,100}[\d!@#$%^&+=])/g,
  // `:name "value"`
  /[\s{(]:([a-z][a-z_-]{1,40})\s{1,3}(?=")/g,
  // `name: NAME, value: …` of Kubernetes and the like
  /[Nn]ame["']?:[ \t]{0,3}["']?([A-Za-z][A-Za-z0-9_.-]{1,80})["']?,?(?:\s|\\[nr]){0,80}["']?[Vv]alue["']?:[ \t]{0,3}/g,
];

/** What may stand as a value; an opened quote without its end reaches to the end of the line. */
export const VALUE = () =>
  /"{3}[\s\S]{1,4000}?"{3}|\\"[^"\n]{1,4000}?\\"|"(?:[^"\\\n]|\\.){1,4000}"|'(?:[^'\\\n]|\\.|''){1,4000}'|\\?["'][^\n"']{2,4000}(?=\n|$)|[|>][+-]?[ \t]{0,8}\r?\n([ \t]{1,80})[^\n]{1,4000}(?:\n\1[^\n]{1,4000}){0,50}|(?:[^\s"',;&\\]|\\[^nrt"'\\\s]){2,4000}/y;

/** Behind a name that is no secret by itself: the beginning of what can look random. */
export const KEY_VALUE = () => /["']?[A-Za-z0-9+/_=-]{20,400}["']?/y;

/** The same behind `NAME=` of a shell, where only white space and quotes end it. */
export const SHELL_VALUE = () =>
  /"(?:[^"\\\n]|\\.){1,4000}"|'[^'\n]{1,4000}'|\\?["'][^\n"']{2,4000}(?=\n|$)|(?:[^\s"'\\]|\\[^nrt"'\\\s]){2,4000}/y;

/** The cell of a table behind the one that names a secret. */
export const ROW_VALUE = () => /[^\s|"'`]{3,300}/y;
export const isRow = (match: string): boolean => /\|[\s"'`*]{0,90}$/.test(match);
/** What stands in such a cell of a description: a title, a type, yes or no. */
export const isDescription = (cell: string): boolean =>
  /^(?:[A-Z][a-z]+|text|varchar|char|uuid|yes|date|datetime|timestamp|json|jsonb|blob|enum|bigint|smallint|decimal|list|map|default|value|example|description|type|secret|password|env)$/.test(
    cell,
  );

/** `DB_PASSWORD=`, as a shell and `.env` files write it. */
export const isOfShell = (match: string): boolean => /^[A-Z][A-Z0-9_]{2,80}=$/.test(match);

/** `<password>…</password>` */
export const ELEMENT = () => /<([A-Za-z][\w.:-]{1,80})(?:\s[^<>\n]{0,200})?>([^<>\n]{1,4000})(?=<\/\1)/g;

/** `SOME_KEY=`: a secret when its value looks random, for there are keys of caches and tables too. */
export const isKeyName = (name: string): boolean => /^[A-Z0-9_]{1,60}_KEY$/.test(name);
export const looksRandom = (value: string): boolean =>
  /^["']?(?=[^\d]{0,100}\d)(?=[^A-Za-z]{0,100}[A-Za-z])[A-Za-z0-9+/_=-]{20,400}["']?$/.test(value) &&
  !/^["']?[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value);

/** Words that stand where a value would, and are none: types, states, beginnings of an expression. */
const WORDS = () =>
  /^(?:true|false|null|none|nil|undefined|nan|string|number|boolean|bool|any|unknown|never|void|object|bytes|buffer|str|int|integer|float|optional|promise|record|required|token|tokens|secretstr|credentials|include|omit|same-origin|bearer|basic|await|new|async|function|typeof|self|this|not|is|the|an|unset|missing|invalid|expired|empty|wrong|incorrect|prompt|stdin|redacted|hidden)\??(?:[<[|(][^\d]{0,200})?$|^\d{1,3}$/i;
/** A call, or what is read from where programs read: `await get(…)`, `process.env.X`, `config["x"]`. */
const EXPRESSION = () =>
  /^\$?[A-Za-z_]{1,60}(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]{0,60}){0,8}(?:[([]|\(\d{1,5}\))[^\d]{0,300}$|^\$?(?:process|import|os|env|this|self|req|request|config|settings|options|opts|args|props|params|secrets|vars|var|local|z|v|yup|joi|sa|db|models)(?:\?\.|\.|::|->)[A-Za-z_$]/;
const REFERENCE = () =>
  /^(?:\$\{\{?[^{}:]{0,100}\}{0,2}|\$[A-Z_][A-Z_]{0,80}|\$\([^\d]{0,300}|%[A-Z_]{1,80}%|\{\{.{0,100}|<[^<>\n]{1,60}>|\{[A-Za-z_$][\w$.?]{0,80}\}|!(?:Ref|Sub|GetAtt|ImportValue|Join|Select|FindInMap|If|Base64|secret|env_var|env|vault|reference)|(?:process\.env|import\.meta\.env|os\.environ)[.[][\w"'\].]{1,80}|\*{2,}|x{3,}|X{3,}|\.{2,}|…|[Yy](?:our|OUR)[-_][A-Za-z_-]{1,60}|[A-Za-z_-]{1,60}[-_](?:here|HERE))$/;

/** `this.token = token;`, `const secret = makeOne`: in a line of code a bare name is a name. */
const CODE_BEFORE = () => /(?:\b(?:const|let|var|type|return|self\.|this\.)\s?|[\w.]\s?\$)$/;
const isBareName = (value: string): boolean =>
  /^[!([{*&]{0,3}[A-Za-z_$][A-Za-z_$.]{0,80}[)\]}?]{0,3}$/.test(value);

const joined = (text: string): string => text.replace(/[-_.]/g, '').toLowerCase();

/** What stands on both sides of a value, where code can stand: `sign` is what separates it from its name. */
export interface Around {
  before: string;
  sign: string;
  after: string;
}

/**
 * Whether a value is plainly no secret, whatever its name: `token: 12`, `password: string`, `--token "$TOKEN"`.
 * @param around null where no code can stand (`NAME=` of a shell, an element of XML)
 */
export function isClearlyNoSecret(name: string, value: string, around: Around | null): boolean {
  const bare = value.replace(/^(?:\\?["'`]){1,3}|(?:\\?["'`]){1,3}$/g, '');
  const plain = bare.replace(/[)\]}>.:]{1,4}$/, '');
  if (bare.length < 3 || /^\[redacted\W{0,8}$/.test(bare) || joined(plain) === joined(name)) return true;
  if (WORDS().test(bare) || WORDS().test(plain) || REFERENCE().test(bare)) return true;
  if (/^(?:old)?pwd$/i.test(name)) return /^(?:[~.]{0,2}\/|[A-Za-z]:\\)/.test(bare);
  if (/^(?:token|pass)$/i.test(name) && /^\d{1,5}$/.test(plain)) return true;
  if (around === null || bare !== value) return false;
  if (EXPRESSION().test(bare) || /^[A-Z]+(?:_[A-Z]+)+$/.test(plain) || /^\$[a-z_]+$/.test(plain)) return true;
  const isStatement = around.sign.includes(' = ') && /^;(?:\n|$)/.test(around.after);
  const isCode = CODE_BEFORE().test(around.before) || /^(?:self|this)\./.test(name) || isStatement;
  return isCode && isBareName(bare);
}

/** What "the password is …" goes on with where none is told. */
export const PROSE =
  '(?:too|not|no|now|wrong|missing|required|invalid|empty|set|unset|stored|read|a|an|the|in|on|never|always|expired|only|used|kept|hashed|redacted|none|null|nil|undefined|true|false|correct|incorrect|weak|strong|short|long|here|shown|visible|sent|saved|shared|valid|known|unknown|being|that|this|what|your|my|to|ok|changed|rotated|leaked|exposed|hardcoded|longer|different|same|encrypted|hidden|needed|optional|still|also|just|more|less|at|from|by|for|of|as|or|and|where|when|checked|passed|given|asked|generated|managed)\\b|\\[redacted|[<$*]';

/** The same in other languages: what stands there where none is told. */
export const ABROAD_PROSE =
  '[<$*({\\[._…•-]|(?:string|str|text|obligatoire|oublié|obligatorio|requerida?|обязательн)(?![\\w-])';
export const IS_ABROAD = 'is|ist|es|est|é|è|er|är|jest|это|[-–—]|là|adalah|是|为|為|は|が|는|은|이';
