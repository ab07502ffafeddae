// What must never be written or said? Secrets that stand in prompts, commands and outputs.

const GONE = '[redacted]';

/** Secrets known by what they look like. Every pattern is linear: bounded repeats, no nested ones. */
const TOKENS: RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S]){0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=-----BEGIN )|$)/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,100}/g,
  /\bsk-ant-[A-Za-z0-9_-]{8,}/g,
  // Without a capital and a digit it is a word such as "sk-learn-experiments".
  /\bsk-(?=[A-Za-z0-9_-]{0,200}[A-Z])(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{16,}/g,
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})/g,
  /\bgl(?:pat|ptt|rt|dt)-[A-Za-z0-9_-]{12,}/g,
  /\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]{8,}|https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{8,}/g,
  /\b(?:npm_|hf_|dckr_pat_)[A-Za-z0-9_-]{16,}/g,
  /\bpypi-[A-Za-z0-9_-]{20,}/g,
  /\bdo[opr]_v1_[a-f0-9]{20,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{16,}|\bGOCSPX-[A-Za-z0-9_-]{16,}/g,
  /\bhvs\.[A-Za-z0-9_-]{16,}/g,
  /https:\/\/(?:[a-z]{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/[A-Za-z0-9/_-]{8,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
];

/** Secrets known by what stands before them; the first group stays. */
const PREFIXED: RegExp[] = [
  /(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@'"]{0,100}:)[^\s/@'"]{1,300}(?=@)/gi,
  // A scheme and something that is no plain word.
  /(\b(?:[Bb]earer|[Bb]asic|[Tt]oken|BEARER|BASIC|TOKEN)\s{1,3})(?=[A-Za-z._~+/-]{0,400}[A-Z0-9=])[A-Za-z0-9._~+/=-]{12,}/g,
  /(\b(?:set-)?cookie:\s{0,3})[^\n'"]{4,2000}/gi,
  /(\bsshpass\s{1,3}-p\s{0,3})\S{1,300}/g,
  /(\bpassword is:?\s{1,3})(?!too |not |wrong|missing|required|invalid|empty|set|a |the )\S{4,300}/gi,
  /(\bcurl\b[^\n;|]{0,300}?\s(?:-u|--user)[ =]?['"]?[^\s:'"]{1,100}:)[^\s'"]{1,200}/g,
];

/** A name and the sign behind it, in all the ways in which configurations, code, JSON and options write them. */
const NAMES = [
  /(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_.-]{1,80})["'\\]{0,4}[ \t]{0,3}(?:=>|[:=])[ \t]{0,3}/g,
  /(?<=\s--?)([A-Za-z][A-Za-z-]{1,40})[ =](?!-)/g,
];
const VALUE = /\\"[^"\n]{1,4000}?\\"|"[^"\n]{1,4000}"|'[^'\n]{1,4000}'|[^\s"',;&\\]{2,4000}/y;

const SECRET_WORDS = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'pgpassword',
  'pass',
  'secret',
  'token',
  'credential',
  'credentials',
]);
const SECRET_ENDINGS =
  /(?:password|passwd|secret|(?:api|access|account|private|auth|secret|signing|encryption)key(?:id)?|connectionstring)$/;

/** Whether something of this name is a secret: `DB_PASSWORD`, `apiKey`, `x-api-key`; not `max_tokens`, `Tokenizer`. */
function isSecretName(name: string): boolean {
  const words = name.split(/[_.-]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_ENDINGS.test(words.join(''));
}

/** Values that are plainly none, whatever the name: `token: 12`, `secret: true`. */
const isHarmless = (value: string): boolean =>
  /^(?:true|false|null|none|nil|undefined|\d{1,3})$/i.test(value) || value === GONE;

/** Hides the value behind every secret name; what stands between two names is looked at once. */
function hideNamed(text: string, names: RegExp): string {
  let result = '';
  let done = 0;
  for (const match of text.matchAll(names)) {
    const start = match.index + match[0].length;
    if (match.index < done || !isSecretName(match[1] ?? '')) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined || isHarmless(value)) continue;
    const quote = /^(?:\\"|["'])/.exec(value)?.[0] ?? '';
    result += `${text.slice(done, start)}${quote}${GONE}${quote}`;
    done = start + value.length;
  }
  return result + text.slice(done);
}

/** Replaces what looks like a secret by `[redacted]`; text without one comes back unchanged. */
export function redact(text: string): string {
  let result = text;
  for (const pattern of TOKENS) result = result.replace(pattern, GONE);
  for (const pattern of PREFIXED) result = result.replace(pattern, `$1${GONE}`);
  for (const names of NAMES) result = hideNamed(result, names);
  return result;
}

/**
 * Redacts every string of a plain value, keys included. All of them are looked at in one go, which is the usual end of it;
 * only where that finds something each is redacted by itself. A private key is found up to the end of its own string.
 */
export function redactDeep<T>(value: T): T {
  const strings = new Set<string>();
  JSON.stringify(value, (key, each) => {
    strings.add(key);
    if (typeof each === 'string') strings.add(each);
    return each;
  });
  const all = [...strings].join('\n');
  return !all.includes('PRIVATE KEY') && redact(all) === all ? value : redactEach(value);
}

function redactEach<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((each) => redactEach(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactEach(each)])) as T;
}
