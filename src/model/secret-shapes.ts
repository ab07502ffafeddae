// Patterns for secrets that are known by their own shape or by the words right before them.

import { type Hint, hintsIn } from './secret-hints.ts';
import { PASSWORD_ABROAD, PASSWORD_NAMES_ABROAD } from './secret-words.ts';

type Patterns = readonly (() => RegExp)[];

const TWILIO = () => /(?:SK|AC)[a-f0-9]{32}(?![a-fA-F0-9])/g;

/**
 * Secrets with a shape of their own. Every pattern is linear: bounded repeats, no nested ones. Where ordinary names are
 * built alike ("sk-learn-experiments", "npm_config_user_agent") a capital and a digit, or a run without hyphens, decides.
 */
const SHAPES = {
  // A private key up to its end, to the next one, or as far as the text goes.
  privateKey: [
    () =>
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S]){0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=-----BEGIN )|$)/g,
  ],
  age: [() => /AGE-SECRET-KEY-1[A-Z0-9]{20,100}/g],
  // AWS: the id of a key, and the key itself where it stands right behind.
  awsId: [() => /(?:AKIA|ASIA)[A-Z0-9]{12,}(?:[\s,:;|"']{1,5}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=]))?/g],
  awsOther: [() => /(?:AGPA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16,}/g],
  dashed: [
    () => /sk-ant-[A-Za-z0-9_-]{8,}/g,
    () => /sk-(?=[A-Za-z0-9_-]{0,200}[A-Z])(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{16,}/g,
  ],
  stripe: [() => /[rsp]k_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9]{16,}/g],
  github: [() => /gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}/g],
  gitlab: [() => /gl(?:pat|ptt|rt|dt|ft|soat|cbt|imt|agent)-[A-Za-z0-9_-]{12,}/g],
  slack: [() => /(?:xox[a-z]|xapp)-(?=[A-Za-z0-9-]{0,200}\d)[A-Za-z0-9-]{8,}/g],
  slackHook: [() => /https:\/\/hooks\.slack\.com\/[a-z]{4,20}\/[A-Za-z0-9/]{8,}/g],
  underscored: [
    () => /(?:npm|hf|gsk|sbp|ntn|figd|shp(?:at|ca|pa|ss)|r8|pscale_tkn|pscale_pw)_[A-Za-z0-9]{24,}/g,
  ],
  underscoredLong: [() => /(?:dckr_(?:pat|oat)|sntry[su]|lin_api|glc|glsa|api_org)_[A-Za-z0-9_-]{16,}/g],
  hyphened: [
    () =>
      /(?:pypi|pplx|xai|tskey|PMAK|NRAK|sq0[a-z]{3})-(?=[A-Za-z0-9_-]{0,200}[A-Z])(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{16,}/g,
  ],
  atlassian: [() => /ATATT3[A-Za-z0-9_=-]{16,}/g],
  digitalOcean: [() => /do[opr]_v1_[a-f0-9]{20,}/g],
  hexKey: [() => /(?:dapi|key-)[a-f0-9]{32}/g],
  twilio: [TWILIO],
  sendgrid: [() => /SG\.[A-Za-z0-9_-]{16,200}\.[A-Za-z0-9_-]{16,}/g],
  doppler: [() => /dp\.(?:pt|st|ct)\.[A-Za-z0-9]{32,}/g],
  google: [() => /AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{16,}/g],
  vault: [() => /hv[sb]\.[A-Za-z0-9_-]{16,}/g],
  discordHook: [() => /https:\/\/(?:[a-z]{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/[A-Za-z0-9/_-]{8,}/g],
  // JSON web tokens; the signature may be cut off.
  webToken: [() => /eyJ[A-Za-z0-9_-]{8,1000}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}/g],
} satisfies { [name in Hint]?: Patterns };
/** What stands right before a shape where text is escaped (JSON, URLs) or coloured: it is no part of a word. */
const ESCAPE = () =>
  /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|(?:\x1b|\\(?:x1b|u001b|033|e))\[[0-9;]{0,12}m)$/;

/** Whether a shape can begin here: in the middle of a word it is a part of that word. */
export const isBeginning = (text: string, at: number): boolean =>
  at === 0 ||
  text[at] === '-' ||
  /[^A-Za-z0-9]/.test(text[at - 1] ?? '') ||
  ESCAPE().test(text.slice(Math.max(0, at - 24), at));

/** An argument of a command. */
const WORD = String.raw`(?:'[^'\n]{1,300}'|"[^"\n]{1,300}"|[^\s'"|;&]{1,300})`;
/** Behind the `://` of a database. */
const DATABASE = String.raw`:/{1,2}(?<=(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+[a-z0-9]{1,20})?:/{1,2})`;
/** A password that is still to be filled in. */
const NO_PLACEHOLDER = String.raw`(?!<|\{|\$\{|\$[A-Z_]{1,60}@)`;
/** What "the password is …" goes on with where none is told. */
const PROSE =
  '(?:too|not|no|now|wrong|missing|required|invalid|empty|set|unset|stored|read|a|an|the|in|on|never|always|expired|only|used|kept|hashed|redacted|none|null|nil|undefined|true|false|correct|incorrect|weak|strong|short|long|here|shown|visible|sent|saved|shared|valid|known|unknown|being|that|this|what|your|my|to|ok|changed|rotated|leaked|exposed|hardcoded|longer|different|same|encrypted|hidden|needed|optional|still|also|just|more|less|at|from|by|for|of|as|or|and|where|when|checked|passed|given|asked|generated|managed)\\b|\\[redacted|[<$*]';

/** The same in other languages: what stands there where none is told. */
const ABROAD_PROSE =
  '[<$*({\\[._…•-]|(?:string|str|text|obligatoire|oublié|obligatorio|requerida?|обязательн)(?![\\w-])';
const IS_ABROAD = 'is|ist|es|est|é|è|er|är|jest|это|[-–—]|là|adalah|是|为|為|は|が|는|은|이';
/** Its options, one of which is `-b`: the password stands on the command line. */
const HTPASSWD = String.raw`\bhtpasswd(?=[^\n;|&]{0,120}?\s-[A-Za-z]{0,9}b)(?:\s{1,3}-[A-Za-z0-9]{1,10}(?:\s{1,3}\d{1,2}(?=\s))?){1,5}\s{1,3}`;

/** A login whose password stands behind `-p`. */
const LOGIN = () =>
  new RegExp(
    String.raw`((?:mysql\w{0,12}|mariadb\w{0,12}|mongo\w{0,12}|(?:docker|podman|buildah|crane|az|oc)\s{1,3}login|registry\s{1,3}login|\b7z\w?)(?=\s)[^\n;|&]{0,300}?\s-p=?\s?)(?![-\s])${WORD}`,
    'g',
  );

/** Secrets with words before them that say what they are: the first group stays. */
const PREFIXED: Record<Exclude<Hint, keyof typeof SHAPES>, Patterns> = {
  // Addresses with a password. Those of databases may hold any sign, and may be cut off before the host.
  address: [
    () => new RegExp(String.raw`(${DATABASE}[^\s:/@'"]{0,100}:)${NO_PLACEHOLDER}[^\s'"]{1,300}(?=@)`, 'gi'),
    () =>
      new RegExp(
        String.raw`(${DATABASE}[^\s:/@'"]{1,100}:)(?!\d{1,5}(?![^\s/?,'")…]))[^\s@/'"]{1,300}`,
        'gi',
      ),
    () => /(:\/{1,2}[^\s:/@'"]{0,100}:)(?!<|\{|\$\{|\$[A-Z_]{1,60}@)[^\s/'"]{1,300}(?=@)/g,
  ],
  // Bots of Discord and Telegram: the first part is their public id.
  bot: [
    () => /(\.)[A-Za-z0-9_-]{6}\.(?<=[MNO][A-Za-z0-9_-]{22,30}\.[A-Za-z0-9_-]{6}\.)[A-Za-z0-9_-]{27,45}/g,
  ],
  telegram: [() => /(:)AA(?<=\d{8,10}:AA)[A-Za-z0-9_-]{32,35}/g],
  // Headers: a scheme and something that is no plain word; behind the name of the header, anything.
  scheme: [
    () =>
      /(\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC|SSWS|ssws)[ \t]{1,3})(?=[A-Za-z._~+/-]{0,400}(?:[0-9=]|[a-z][A-Z]|[A-Z]{2}))[A-Za-z0-9._~+/=-]{12,}/g,
  ],
  tokenScheme: [
    () => /(\b(?:[Tt]oken|TOKEN)[ \t]{1,3})(?=[A-Za-z._~+/-]{0,400}[0-9=])[A-Za-z0-9._~+/=-]{12,}/g,
  ],
  authorization: [
    () =>
      /(authorization["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4}(?:bearer|basic|token|apikey|digest|key|ssws)\s{1,3})(?![$<{[])[^\s"'\\,]{3,2000}/gi,
    () =>
      /(authorization["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})(?=[^\s"'\\]{0,2000}\d)(?![$<{[])[^\s"'\\,]{12,2000}/gi,
  ],
  cookie: [() => /((?:set-)?cookie:\s{0,3})[^\n'"]{4,2000}/gi],
  query: [
    () => /([?&]sig=)[^\s&"'#\\]{6,2000}/gi,
    () => /([?&](?:signature|x-(?:amz|goog)-(?:signature|credential|security-token))=)[^\s&"'#\\]{6,2000}/gi,
  ],
  // Words of people and of programs.
  told: [
    () =>
      new RegExp(
        String.raw`(\b(?:password|passphrase|passcode|api key|secret)(?: (?:for|of|on|to) [^\n:,;]{1,60}?)? is:?\s{1,3})(?!${PROSE})\S{4,300}`,
        'gi',
      ),
  ],
  awsAsked: [() => /(secret access key(?: \[[^\]\n]{0,40}\])?:?\s{1,3})[A-Za-z0-9+/]{20,}/gi],
  login: [() => /(\blogin\s{1,3}\S{1,100}\s{1,20}password\s{1,3})\S{1,300}/g],
  sql: [() => /(\b(?:identified by|password)\s{1,3})'[^'\n]{1,300}'/gi],
  auth: [
    () =>
      /((?:^|[\s"',{:])_?auth["']?\s{0,3}[:=]\s{0,3}["']?)(?=[A-Za-z+/]{0,200}[A-Z0-9])[A-Za-z0-9+/]{12,2000}={0,2}(?=["'\s,}]|$)/g,
  ],
  environment: [
    () =>
      /((?:getenv|environ\.get|\benv|getProperty)\(\s{0,3}["'][A-Za-z_.]{0,60}(?:pass|secret|token|key)[A-Za-z_]{0,20}["'],\s{0,3}["'])[^"'\n]{2,300}/gi,
  ],
  // Commands that take one without a name.
  user: [
    () =>
      /((?:curl|wget|https?)\b[^\n;|]{0,300}?\s(?:-[a-zA-Z]{0,8}[ua]|--user|--auth|--proxy-user)[ =]?['"]?[^\s:'"]{1,100}:)[^\s'"]{1,200}/g,
  ],
  sshpass: [() => new RegExp(String.raw`(sshpass\s{1,3}-p\s{0,3})${WORD}`, 'g')],
  htpasswd: [
    () => new RegExp(String.raw`(${HTPASSWD}(?<=\s-[A-Za-z]{0,9}n[^\n]{0,40})${WORD}\s{1,3})${WORD}`, 'g'),
    () =>
      new RegExp(
        String.raw`(${HTPASSWD}(?<!\s-[A-Za-z]{0,9}n[^\n]{0,40})${WORD}\s{1,3}${WORD}\s{1,3})${WORD}`,
        'g',
      ),
  ],
  abroad: [
    () =>
      new RegExp(
        String.raw`(${PASSWORD_ABROAD}["'\`*\])]{0,4}[ \t]{0,3}[:=：＝][ \t]{0,3}["'\`*]{0,3})(?!${PROSE}|${ABROAD_PROSE})[^\s"'\`,;，。、<>]{3,300}`,
        'gi',
      ),
    () =>
      new RegExp(
        String.raw`(${PASSWORD_ABROAD}["'\`]?\s{0,2}(?:${IS_ABROAD})\s{0,2}["'\`*]{0,3})(?=[^\s"']{0,100}[\d!@#$%^&+=])(?!${PROSE}|${ABROAD_PROSE})[^\s"'\`,;，。、<>]{3,300}`,
        'gi',
      ),
    () =>
      new RegExp(
        String.raw`(\b(?:${PASSWORD_NAMES_ABROAD}) (?:${IS_ABROAD}) ["'\`*]{0,3})(?=[^\s"']{0,100}[\d!@#$%^&+=])[^\s"'\`,;]{3,300}`,
        'gi',
      ),
  ],
  database: [LOGIN],
  archive: [
    () =>
      new RegExp(
        String.raw`((?:redis-cli\b[^\n;|&]{0,200}?\s-a|(?:un)?zip\b[^\n;|&]{0,200}?\s-P|ldap\w{3,8}\b[^\n;|&]{0,200}?\s-w)\s{1,3})(?!-)${WORD}`,
        'g',
      ),
  ],
  passArgument: [() => /(-pass(?:in|out)?\s{1,3}['"]?pass:)[^\s'"]{1,300}/g],
  pipe: [
    () =>
      new RegExp(
        String.raw`((?:echo|printf)\s{1,3}(?:-n\s{1,3})?)${WORD}(?=\s{0,3}\|\s{0,3}(?:sudo\s[^\n|]{0,60}-S|(?:sudo\s{1,3})?chpasswd|[^\n|]{0,200}(?:--password-stdin|--with-token|--stdin)))`,
        'g',
      ),
  ],
};

/** The patterns that a text (in lower case) may match, by its hints: of whole secrets, and of what follows a prefix. */
export function patternsIn(lower: string): { shapes: RegExp[]; prefixed: RegExp[] } {
  const found = hintsIn(lower);
  // Where two begin alike, one hint speaks for both.
  if (found.has('awsOther')) found.add('twilio');
  if (found.has('login')) found.add('database');
  const made = (patterns: [string, Patterns][]): RegExp[] => {
    const wanted = patterns.flatMap(([name, each]) => (found.has(name as Hint) ? each : []));
    return [...new Set(wanted)].map((pattern) => pattern());
  };
  return { shapes: made(Object.entries(SHAPES)), prefixed: made(Object.entries(PREFIXED)) };
}
