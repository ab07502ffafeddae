// The one table of secrets: how a kind is suspected at a glance, and what of the text is taken out.
import { ABROAD_PROSE, IS_ABROAD, PASSWORD_ABROAD, PASSWORD_NAMES_ABROAD, PROSE } from './secret-names.ts';

interface SecretKind {
  name: string;
  /**
   * What a text, in lower case, has wherever a pattern of this kind can match: the source of an expression without groups
   * that capture. The hints of all kinds are looked for together, in one go; no two of them match at the same place.
   */
  hint: string;
  /** Made only where the hint is found: compiling them costs more than all the rest. */
  patterns: readonly (() => RegExp)[];
  /** Whether the first group of a pattern stays: it says what the secret behind it is. */
  hasPrefix: boolean;
}

/**
 * Secrets with a shape of their own, which go whole. Every pattern is linear: bounded repeats, no nested ones. Where
 * ordinary names are built alike ("sk-learn-experiments") a capital and a digit, or a run without hyphens, decides.
 */
const whole = (name: string, hint: string, ...patterns: (() => RegExp)[]): SecretKind => ({
  name,
  hint,
  patterns,
  hasPrefix: false,
});

/** Secrets with words before them that say what they are. */
const behind = (name: string, hint: string, ...patterns: (() => RegExp)[]): SecretKind => ({
  name,
  hint,
  patterns,
  hasPrefix: true,
});

/** An argument of a command. */
const WORD = String.raw`(?:'[^'\n]{1,300}'|"[^"\n]{1,300}"|[^\s'"|;&]{1,300})`;
/** Behind the `://` of a database. */
const DATABASE = String.raw`:/{1,2}(?<=(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+[a-z0-9]{1,20})?:/{1,2})`;
/** A password that is still to be filled in. */
const NO_PLACEHOLDER = String.raw`(?!<|\{|\$\{|\$[A-Z_]{1,60}@)`;
/** Its options, one of which is `-b`: the password stands on the command line. */
const HTPASSWD = String.raw`\bhtpasswd(?=[^\n;|&]{0,120}?\s-[A-Za-z]{0,9}b)(?:\s{1,3}-[A-Za-z0-9]{1,10}(?:\s{1,3}\d{1,2}(?=\s))?){1,5}\s{1,3}`;

/** A part of a name: `jane`, `Jane99`, `CI`, `k8s`, `2024`; names of several in a row begin each with a capital. */
const NAME_PART = String.raw`(?:(?:[a-z]{1,16}|[A-Z][a-z]{2,15})(?:[A-Z][a-z]{2,15}){0,3}\d{0,4}|[A-Z]{1,10}\d{0,4}|[a-z]{1,8}\d{1,2}[a-z]{1,8}|\d{1,4})`;
const lonely = () =>
  new RegExp(
    String.raw`((?<!abfss?|wasbs?):\/\/)(?!(?![a-f0-9]{10,}@)${NAME_PART}(?:(?:[._+-]|%40)${NAME_PART}){0,7}@)[^\s:/@'"<>{}$()*\\,;|[\]]{6,300}(?=@)`,
    'g',
  );

/** A login whose password stands behind `-p`. */
const login = () =>
  new RegExp(
    String.raw`((?:mysql\w{0,12}|mariadb\w{0,12}|mongo\w{0,12}|(?:docker|podman|buildah|crane|az|oc)\s{1,3}login|registry\s{1,3}login|\b7z\w?)(?=\s)[^\n;|&]{0,300}?\s-p=?\s?)(?![-\s])${WORD}`,
    'g',
  );

export const SECRET_KINDS: readonly SecretKind[] = [
  // A private key up to its end, to the next one, or as far as the text goes.
  whole(
    'privateKey',
    '-----begin [a-z ]{0,40}private key',
    () =>
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S]){0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=-----BEGIN )|$)/g,
  ),
  whole('age', 'age-secret-key-1', () => /AGE-SECRET-KEY-1[A-Z0-9]{20,100}/g),
  // AWS: the id of a key, and the key itself where it stands right behind.
  whole(
    'awsId',
    'a[ks]ia[a-z0-9]{12}',
    () => /(?:AKIA|ASIA)[A-Z0-9]{12,}(?:[\s,:;|"']{1,5}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=]))?/g,
  ),
  whole(
    'awsOther',
    'a(?:gpa|ida|roa|bia|cca)[a-z0-9]{16}',
    () => /(?:AGPA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16,}/g,
  ),
  whole(
    'dashed',
    String.raw`sk-[\w-]{8}`,
    () => /sk-ant-[A-Za-z0-9_-]{8,}/g,
    () => /sk-(?=[A-Za-z0-9_-]{0,200}[A-Z])(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{16,}/g,
  ),
  whole(
    'stripe',
    '[rsp]k_(?:live|test)_[a-z0-9]{8}|whsec_[a-z0-9]{16}',
    () => /[rsp]k_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9]{16,}/g,
  ),
  whole(
    'github',
    String.raw`gh[pousr]_[a-z0-9]{16}|github_pat_\w{20}`,
    () => /gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}/g,
  ),
  whole(
    'gitlab',
    String.raw`gl(?:pat|ptt|rt|dt|ft|soat|cbt|imt|agent)-[\w-]{12}`,
    () => /gl(?:pat|ptt|rt|dt|ft|soat|cbt|imt|agent)-[A-Za-z0-9_-]{12,}/g,
  ),
  whole(
    'slack',
    '(?:xox[a-z]|xapp)-[a-z0-9-]{8}',
    () => /(?:xox[a-z]|xapp)-(?=[A-Za-z0-9-]{0,200}\d)[A-Za-z0-9-]{8,}/g,
  ),
  whole(
    'slackHook',
    String.raw`hooks\.slack\.com`,
    () => /https:\/\/hooks\.slack\.com\/[a-z]{4,20}\/[A-Za-z0-9/]{8,}/g,
  ),
  whole(
    'underscored',
    '(?:npm|hf|gsk|sbp|ntn|figd|shp(?:at|ca|pa|ss)|r8|pscale_tkn|pscale_pw)_[a-z0-9]{24}',
    () => /(?:npm|hf|gsk|sbp|ntn|figd|shp(?:at|ca|pa|ss)|r8|pscale_tkn|pscale_pw)_[A-Za-z0-9]{24,}/g,
  ),
  whole(
    'underscoredLong',
    String.raw`(?:dckr_[po]at|sntry[su]|lin_api|glc|glsa|api_org)_[\w-]{16}`,
    () => /(?:dckr_(?:pat|oat)|sntry[su]|lin_api|glc|glsa|api_org)_[A-Za-z0-9_-]{16,}/g,
  ),
  whole(
    'hyphened',
    String.raw`(?:pypi|pplx|xai|tskey|pmak|nrak|sq0[a-z]{3})-[\w-]{16}`,
    () =>
      /(?:pypi|pplx|xai|tskey|PMAK|NRAK|sq0[a-z]{3})-(?=[A-Za-z0-9_-]{0,200}[A-Z])(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{16,}/g,
  ),
  whole('atlassian', String.raw`atatt3[\w=-]{16}`, () => /ATATT3[A-Za-z0-9_=-]{16,}/g),
  whole('digitalOcean', 'do[opr]_v1_[a-f0-9]{20}', () => /do[opr]_v1_[a-f0-9]{20,}/g),
  whole('hexKey', '(?:dapi|key-)[a-f0-9]{32}', () => /(?:dapi|key-)[a-f0-9]{32}/g),
  // Not in the middle of the hashes that stand in every checkpoint.
  whole('twilio', '(?:sk|ac)[a-f0-9]{32}(?![a-f0-9])', () => /(?:SK|AC)[a-f0-9]{32}(?![a-fA-F0-9])/g),
  whole('sendgrid', String.raw`sg\.[\w-]{16}`, () => /SG\.[A-Za-z0-9_-]{16,200}\.[A-Za-z0-9_-]{16,}/g),
  whole('doppler', String.raw`dp\.[psc]t\.[a-z0-9]{32}`, () => /dp\.(?:pt|st|ct)\.[A-Za-z0-9]{32,}/g),
  whole(
    'google',
    String.raw`aiza[\w-]{30}|ya29\.[\w-]{16}|gocspx-[\w-]{16}`,
    () => /AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{16,}/g,
  ),
  whole('vault', String.raw`hv[sb]\.[\w-]{16}`, () => /hv[sb]\.[A-Za-z0-9_-]{16,}/g),
  whole(
    'discordHook',
    String.raw`discord(?:app)?\.com\/api\/webhooks`,
    () => /https:\/\/(?:[a-z]{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/[A-Za-z0-9/_-]{8,}/g,
  ),
  // JSON web tokens; the signature may be cut off. A second beginning in the first part starts anew, so that many cost no more.
  whole(
    'webToken',
    String.raw`eyj[\w-]{8}`,
    () => /eyJ(?:(?!eyJ)[A-Za-z0-9_-]){8,1000}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}/g,
  ),
  // Addresses with a password. Those of databases may hold any sign, and may be cut off before the host.
  behind(
    'address',
    String.raw`:\/{1,2}[^\s:/@'"]{0,100}:`,
    () => new RegExp(String.raw`(${DATABASE}[^\s:/@'"]{0,100}:)${NO_PLACEHOLDER}[^\s'"]{1,300}(?=@)`, 'gi'),
    () =>
      new RegExp(
        String.raw`(${DATABASE}[^\s:/@'"]{1,100}:)(?!\d{1,5}(?![^\s/?,'")…]))[^\s@/'"]{1,300}`,
        'gi',
      ),
    () => /(:\/{1,2}[^\s:/@'"]{0,100}:)(?!<|\{|\$\{|\$[A-Z_]{1,60}@)[^\s/'"]{1,300}(?=@)/g,
  ),
  // A token alone before the `@` of an address; a name of words, each with a few digits, is a user's or an organisation's.
  behind('lonely', String.raw`:\/\/[^\s:/@'"]{6,300}@`, lonely),
  // Bots of Discord and Telegram: the first part is their public id.
  behind(
    'bot',
    String.raw`\.[\w-]{6}\.[\w-]{27}`,
    () => /(\.)[A-Za-z0-9_-]{6}\.(?<=[MNO][A-Za-z0-9_-]{22,30}\.[A-Za-z0-9_-]{6}\.)[A-Za-z0-9_-]{27,45}/g,
  ),
  behind('telegram', String.raw`:aa[\w-]{32}`, () => /(:)AA(?<=\d{8,10}:AA)[A-Za-z0-9_-]{32,35}/g),
  // Headers: a scheme and something that is no plain word; behind the name of the header, anything.
  behind(
    'scheme',
    String.raw`(?:bearer|basic|ssws)[ \t]{1,3}[\w.~+/=-]{12}`,
    () =>
      /(\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC|SSWS|ssws)[ \t]{1,3})(?=[A-Za-z._~+/-]{0,400}(?:[0-9=]|[a-z][A-Z]|[A-Z]{2}))[A-Za-z0-9._~+/=-]{12,}/g,
  ),
  behind(
    'tokenScheme',
    String.raw`token[ \t]{1,3}(?=[a-z._~+/-]{0,400}[0-9=])[\w.~+/=-]{12}`,
    () => /(\b(?:[Tt]oken|TOKEN)[ \t]{1,3})(?=[A-Za-z._~+/-]{0,400}[0-9=])[A-Za-z0-9._~+/=-]{12,}/g,
  ),
  behind(
    'authorization',
    String.raw`authorization["'\\]{0,4}\s{0,3}[:=]`,
    () =>
      /(authorization["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4}(?:bearer|basic|token|apikey|digest|key|ssws)\s{1,3})(?![$<{[])[^\s"'\\,]{3,2000}/gi,
    () =>
      /(authorization["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})(?=[^\s"'\\]{0,2000}\d)(?![$<{[])[^\s"'\\,]{12,2000}/gi,
  ),
  behind('cookie', 'cookie:', () => /((?:set-)?cookie:\s{0,3})[^\n'"]{4,2000}/gi),
  behind(
    'query',
    '[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=',
    () => /([?&]sig=)[^\s&"'#\\]{6,2000}/gi,
    () => /([?&](?:signature|x-(?:amz|goog)-(?:signature|credential|security-token))=)[^\s&"'#\\]{6,2000}/gi,
  ),
  // Words of people and of programs.
  behind(
    'told',
    String.raw`(?:password|passphrase|passcode|api key|secret) (?:is[:\s]|(?:for|of|on|to) )`,
    () =>
      new RegExp(
        String.raw`(\b(?:password|passphrase|passcode|api key|secret)(?: (?:for|of|on|to) [^\n:,;]{1,60}?)? is:?\s{1,3})(?!${PROSE})\S{4,300}`,
        'gi',
      ),
  ),
  behind(
    'awsAsked',
    'secret access key',
    () => /(secret access key(?: \[[^\]\n]{0,40}\])?:?\s{1,3})[A-Za-z0-9+/]{20,}/gi,
  ),
  behind(
    'login',
    String.raw`login\s{1,3}\S`,
    () => /(\blogin\s{1,3}\S{1,100}\s{1,20}password\s{1,3})\S{1,300}/g,
  ),
  behind(
    'sql',
    String.raw`(?:identified by|password)\s{1,3}'`,
    () => /(\b(?:identified by|password)\s{1,3})'[^'\n]{1,300}'/gi,
  ),
  behind(
    'auth',
    String.raw`auth["']?\s{0,3}[:=]`,
    () =>
      /((?:^|[\s"',{:])_?auth["']?\s{0,3}[:=]\s{0,3}["']?)(?=[A-Za-z+/]{0,200}[A-Z0-9])[A-Za-z0-9+/]{12,2000}={0,2}(?=["'\s,}]|$)/g,
  ),
  behind(
    'environment',
    String.raw`(?:env|environ\.get|getproperty)\(\s{0,3}["']`,
    () =>
      /((?:getenv|environ\.get|\benv|getProperty)\(\s{0,3}["'][A-Za-z_.]{0,60}(?:pass|secret|token|key)[A-Za-z_]{0,20}["'],\s{0,3}["'])[^"'\n]{2,300}/gi,
  ),
  // Commands that take one without a name.
  behind(
    'user',
    String.raw`-(?:[a-z]{0,8}[ua]|-user|-auth|-proxy-user)[ =]?['"]?[^\s:'"]{1,100}:`,
    () =>
      /((?:curl|wget|https?)\b[^\n;|]{0,300}?\s(?:-[a-zA-Z]{0,8}[ua]|--user|--auth|--proxy-user)[ =]?['"]?[^\s:'"]{1,100}:)[^\s'"]{1,200}/g,
  ),
  behind('sshpass', 'sshpass', () => new RegExp(String.raw`(sshpass\s{1,3}-p\s{0,3})${WORD}`, 'g')),
  behind(
    'htpasswd',
    'htpasswd',
    () => new RegExp(String.raw`(${HTPASSWD}(?<=\s-[A-Za-z]{0,9}n[^\n]{0,40})${WORD}\s{1,3})${WORD}`, 'g'),
    () =>
      new RegExp(
        String.raw`(${HTPASSWD}(?<!\s-[A-Za-z]{0,9}n[^\n]{0,40})${WORD}\s{1,3}${WORD}\s{1,3})${WORD}`,
        'g',
      ),
  ),
  behind(
    'abroad',
    `${PASSWORD_ABROAD}|(?:${PASSWORD_NAMES_ABROAD}) `,
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
  ),
  behind('database', String.raw`mysql|mariadb|mongo|\b7z\w?\s`, login),
  behind(
    'archive',
    String.raw`redis-cli|zip\b|ldap\w`,
    () =>
      new RegExp(
        String.raw`((?:redis-cli\b[^\n;|&]{0,200}?\s-a|(?:un)?zip\b[^\n;|&]{0,200}?\s-P|ldap\w{3,8}\b[^\n;|&]{0,200}?\s-w)\s{1,3})(?!-)${WORD}`,
        'g',
      ),
  ),
  behind(
    'passArgument',
    String.raw`[\s'"]pass:\S`,
    () => /(-pass(?:in|out)?\s{1,3}['"]?pass:)[^\s'"]{1,300}/g,
  ),
  behind(
    'pipe',
    String.raw`\|\s{0,3}(?:sudo\s|chpasswd)|--(?:password-stdin|with-token|stdin)`,
    () =>
      new RegExp(
        String.raw`((?:echo|printf)\s{1,3}(?:-n\s{1,3})?)${WORD}(?=\s{0,3}\|\s{0,3}(?:sudo\s[^\n|]{0,60}-S|(?:sudo\s{1,3})?chpasswd|[^\n|]{0,200}(?:--password-stdin|--with-token|--stdin)))`,
        'g',
      ),
  ),
];
