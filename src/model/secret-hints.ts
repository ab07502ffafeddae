// Tests quickly whether a text can hold a secret at all; for nearly every text the answer is no.
import { IN_NAMES, PASSWORD_ABROAD, PASSWORD_NAMES_ABROAD } from './secret-words.ts';

/**
 * What a text, in lower case, has wherever one of the patterns of this name in secret-shapes.ts can match: sources of
 * expressions without groups that capture. All are looked for together, in one go; the patterns themselves are loaded and
 * compiled only where one is found, for that costs more than all the rest. No two hints match at the same place.
 */
export const HINTS = {
  privateKey: '-----begin [a-z ]{0,40}private key',
  age: 'age-secret-key-1',
  awsId: 'a[ks]ia[a-z0-9]{12}',
  awsOther: 'a(?:gpa|ida|roa|bia|cca)[a-z0-9]{16}',
  dashed: String.raw`sk-[\w-]{8}`,
  stripe: '[rsp]k_(?:live|test)_[a-z0-9]{8}|whsec_[a-z0-9]{16}',
  github: String.raw`gh[pousr]_[a-z0-9]{16}|github_pat_\w{20}`,
  gitlab: String.raw`gl(?:pat|ptt|rt|dt|ft|soat|cbt|imt|agent)-[\w-]{12}`,
  slack: '(?:xox[a-z]|xapp)-[a-z0-9-]{8}',
  slackHook: String.raw`hooks\.slack\.com`,
  underscored: '(?:npm|hf|gsk|sbp|ntn|figd|shp(?:at|ca|pa|ss)|r8|pscale_tkn|pscale_pw)_[a-z0-9]{24}',
  underscoredLong: String.raw`(?:dckr_[po]at|sntry[su]|lin_api|glc|glsa|api_org)_[\w-]{16}`,
  hyphened: String.raw`(?:pypi|pplx|xai|tskey|pmak|nrak|sq0[a-z]{3})-[\w-]{16}`,
  atlassian: String.raw`atatt3[\w=-]{16}`,
  digitalOcean: 'do[opr]_v1_[a-f0-9]{20}',
  hexKey: '(?:dapi|key-)[a-f0-9]{32}',
  // Not in the middle of the hashes that stand in every checkpoint.
  twilio: '(?:sk|ac)[a-f0-9]{32}(?![a-f0-9])',
  sendgrid: String.raw`sg\.[\w-]{16}`,
  doppler: String.raw`dp\.[psc]t\.[a-z0-9]{32}`,
  google: String.raw`aiza[\w-]{30}|ya29\.[\w-]{16}|gocspx-[\w-]{16}`,
  vault: String.raw`hv[sb]\.[\w-]{16}`,
  discordHook: String.raw`discord(?:app)?\.com\/api\/webhooks`,
  webToken: String.raw`eyj[\w-]{8}`,
  address: String.raw`:\/{1,2}[^\s:/@'"]{0,100}:`,
  bot: String.raw`\.[\w-]{6}\.[\w-]{27}`,
  telegram: String.raw`:aa[\w-]{32}`,
  scheme: String.raw`(?:bearer|basic|ssws)[ \t]{1,3}[\w.~+/=-]{12}`,
  tokenScheme: String.raw`token[ \t]{1,3}(?=[a-z._~+/-]{0,400}[0-9=])[\w.~+/=-]{12}`,
  authorization: String.raw`authorization["'\\]{0,4}\s{0,3}[:=]`,
  cookie: 'cookie:',
  query: '[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=',
  told: String.raw`(?:password|passphrase|passcode|api key|secret) (?:is[:\s]|(?:for|of|on|to) )`,
  awsAsked: 'secret access key',
  login: String.raw`login\s{1,3}\S`,
  sql: String.raw`(?:identified by|password)\s{1,3}'`,
  auth: String.raw`auth["']?\s{0,3}[:=]`,
  environment: String.raw`(?:env|environ\.get|getproperty)\(\s{0,3}["']`,
  user: String.raw`-(?:[a-z]{0,8}[ua]|-user|-auth|-proxy-user)[ =]?['"]?[^\s:'"]{1,100}:`,
  sshpass: 'sshpass',
  htpasswd: 'htpasswd',
  abroad: `${PASSWORD_ABROAD}|(?:${PASSWORD_NAMES_ABROAD}) `,
  database: String.raw`mysql|mariadb|mongo|\b7z\w?\s`,
  archive: String.raw`redis-cli|zip\b|ldap\w`,
  passArgument: String.raw`[\s'"]pass:\S`,
  pipe: String.raw`\|\s{0,3}(?:sudo\s|chpasswd)|--(?:password-stdin|with-token|stdin)`,
};
export type Hint = keyof typeof HINTS;

const sources = Object.values(HINTS);

/**
 * Whether a text (in lower case) can hold a secret that is known by its name: such a word, and behind the name what
 * NAMES and ELEMENT of secret-names.ts ask for. Most texts speak of tokens and keys; few give one.
 */
const namedPattern = (): RegExp =>
  new RegExp(
    String.raw`${IN_NAMES}[\w.-]{0,80}(?![\w.-])(?:${[
      String.raw`["'\`\\\]]{0,4}\*{0,2}[ \t]{0,3}(?:\([^)\n]{1,30}\))?(?:[?:]?=(?!=)|:(?!:))`,
      String.raw`(?<=\bdefine\(\s{0,3}["'][\w.]{2,120})["'],`,
      String.raw`["'\`]?\*{0,2}[ \t]{0,80}\|[ \t]{0,80}[^\s|]`,
      String.raw`(?<=[\s"']--?[a-z][a-z-]{1,40})(?: (?!-)|["'],)`,
      String.raw`(?<=\b(?:setx?|env|arg|add|put|config)\s(?:--?[a-z]{1,12}\s)?[a-z][\w.-]{2,122}) `,
      String.raw`(?<=[\s{(]:[a-z][a-z_-]{1,40})\s{1,3}"`,
      String.raw`["']?,?(?:\s|\\[nr]){0,80}["']?value["']?:`,
      String.raw`(?<=<\/[\w.:-]{2,120})>`,
    ].join('|')})`,
  );

/** Made when first needed, and kept: many texts may be looked at one by one. */
let named: RegExp | undefined;
let anyHint: RegExp | undefined;
let everyHint: RegExp | undefined;

export function mayHoldNamed(lower: string): boolean {
  named ??= namedPattern();
  return named.test(lower);
}

/** Whether a text (in lower case) holds anything that a secret could be a part of. */
export function mayHoldSecret(lower: string): boolean {
  anyHint ??= new RegExp(sources.join('|'));
  return anyHint.test(lower) || mayHoldNamed(lower);
}

/** The hints in a text. */
export function hintsIn(lower: string): Set<Hint> {
  const names = Object.keys(HINTS) as Hint[];
  everyHint ??= new RegExp(sources.map((hint) => `(${hint})`).join('|'), 'g');
  const hints = everyHint;
  hints.lastIndex = 0;
  const found = new Set<Hint>();
  for (let match = hints.exec(lower); match !== null; match = hints.exec(lower)) {
    // A hint can begin inside another one.
    hints.lastIndex = match.index + 1;
    const name = names[match.indexOf(match[0], 1) - 1];
    if (name !== undefined) found.add(name);
  }
  return found;
}
