// What must never be written or said? Secrets that stand in prompts, commands and outputs.

/** [what it is, pattern, replacement]. Every pattern is linear: bounded repeats, no nested ones. */
const RULES: [string, RegExp, string?][] = [
  [
    'private key',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['url password', /(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@'"]{0,100}:)[^\s@'"]{1,300}(?=@)/gi, '$1[redacted]'],
  ['anthropic key', /\bsk-ant-[A-Za-z0-9_-]{8,}/g],
  ['openai key', /\bsk-(?:proj-|svcacct-|live-)?[A-Za-z0-9_-]{16,}/g],
  ['stripe key', /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{8,}/g],
  ['github token', /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})/g],
  ['gitlab token', /\bgl(?:pat|ptt|rt|dt)-[A-Za-z0-9_-]{12,}/g],
  ['slack token', /\bxox[a-z]-[A-Za-z0-9-]{8,}|https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{8,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{20,}/g],
  ['pypi token', /\bpypi-[A-Za-z0-9_-]{20,}/g],
  ['hugging face token', /\bhf_[A-Za-z0-9]{16,}/g],
  ['digitalocean token', /\bdo[opr]_v1_[a-f0-9]{20,}/g],
  ['sendgrid key', /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g],
  ['aws key id', /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}/g],
  ['google key', /\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{16,}/g],
  ['jwt', /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g],
  ['authorization', /\b((?:Bearer|Basic|Token)\s+)[A-Za-z0-9._~+/=-]{12,}/g, '$1[redacted]'],
  ['curl user', /(\s(?:-u|--user)[ =]?['"]?[^\s:'"]{1,100}:)[^\s'"]{1,200}/g, '$1[redacted]'],
  [
    'named secret',
    /\b([A-Za-z0-9_.-]{0,60}(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?|auth[_-]?key|connection[_-]?string)[A-Za-z0-9_]{0,30}["']?\s{0,3}(?:[:=]|=>)\s{0,3})(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"',;]{4,400})/gi,
    '$1[redacted]',
  ],
  [
    'secret option',
    /(\s--?(?:password|passwd|token|secret|api-key|apikey|access-key)[ =])(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|\S{3,400})/gi,
    '$1[redacted]',
  ],
];

/** Numbers and words after a secret-like name that are plainly none: `token: 12`, `secret: true`. */
const HARMLESS = /[:=]\s{0,3}(?:true|false|null|none|\d{1,9})$/i;

/** Replaces what looks like a secret by `[redacted]`; text without one comes back unchanged. */
export function redact(text: string): string {
  let result = text;
  for (const [name, pattern, replacement] of RULES) {
    if (name === 'named secret') {
      result = result.replace(pattern, (match, prefix: string) =>
        HARMLESS.test(match) || match.endsWith('[redacted]') ? match : `${prefix}[redacted]`,
      );
    } else result = result.replace(pattern, replacement ?? '[redacted]');
  }
  return result;
}

/** Redacts every string of a plain value, keys included. */
export function redactDeep<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((each) => redactDeep(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactDeep(each)])) as T;
}
