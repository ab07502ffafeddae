// Redacts secrets in prompts, commands and outputs; nothing is written or said without it.
import { isFound } from './large-expression.ts';
import {
  ELEMENT,
  IN_NAMES,
  isClearlyNoSecret,
  isDescription,
  isKeyName,
  isOfShell,
  isRow,
  isSecretName,
  KEY_VALUE,
  looksRandom,
  NAMES,
  ROW_VALUE,
  SHELL_VALUE,
  VALUE,
} from './secret-names.ts';
import { SECRET_KINDS } from './secret-table.ts';

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

function mayHoldNamed(lower: string): boolean {
  named ??= namedPattern();
  return isFound(named, lower);
}

/** Whether a text (in lower case) holds anything that a secret could be a part of. */
export function mayHoldSecret(lower: string): boolean {
  anyHint ??= new RegExp(SECRET_KINDS.map(({ hint }) => hint).join('|'));
  return isFound(anyHint, lower) || mayHoldNamed(lower);
}

/** The names of the kinds whose hint stands in a text. */
function findHints(lower: string): Set<string> {
  everyHint ??= new RegExp(SECRET_KINDS.map(({ hint }) => `(${hint})`).join('|'), 'g');
  const hints = everyHint;
  hints.lastIndex = 0;
  const found = new Set<string>();
  for (let match = hints.exec(lower); match !== null; match = hints.exec(lower)) {
    // A hint can begin inside another one.
    hints.lastIndex = match.index + 1;
    const kind = SECRET_KINDS[match.indexOf(match[0], 1) - 1];
    if (kind !== undefined) found.add(kind.name);
  }
  return found;
}

/** The patterns that a text (in lower case) may match, by its hints: of whole secrets, and of what follows a prefix. */
function patternsIn(lower: string): { shapes: RegExp[]; prefixed: RegExp[] } {
  const found = findHints(lower);
  // Where two begin alike, one hint speaks for both.
  if (found.has('awsOther')) found.add('twilio');
  if (found.has('login')) found.add('database');
  const made = (hasPrefix: boolean): RegExp[] =>
    SECRET_KINDS.filter((kind) => kind.hasPrefix === hasPrefix && found.has(kind.name)).flatMap(
      ({ patterns }) => patterns.map((pattern) => pattern()),
    );
  return { shapes: made(false), prefixed: made(true) };
}

/** What stands right before a shape where text is escaped (JSON, URLs) or coloured: it is no part of a word. */
const ESCAPE = () =>
  /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|(?:\x1b|\\(?:x1b|u001b|033|e))\[[0-9;]{0,12}m)$/;

/** Whether a shape can begin here: in the middle of a word it is a part of that word. */
const isBeginning = (text: string, at: number): boolean =>
  at === 0 ||
  text[at] === '-' ||
  /[^A-Za-z0-9]/.test(text[at - 1] ?? '') ||
  ESCAPE().test(text.slice(Math.max(0, at - 24), at));

const GONE = '[redacted]';

/** `Unexpected token: end of input`, `Second pass: link`: words that mean something else. */
const isOtherwise = (before: string, name: string): boolean =>
  (/^tokens?$/i.test(name) && /(?:expected|invalid|illegal|unknown|bad|missing)\s$/i.test(before)) ||
  (/^pass$/i.test(name) &&
    /(?:first|second|third|next|last|final|one|two|single|each|\dth)[\s-]$/i.test(before));

/** What a sticky pattern matches at a place. */
function textAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Hides the value behind every secret name; what stands between two names is looked at once. */
function hideNamed(text: string, names: RegExp): string {
  let result = '';
  let done = 0;
  for (const match of text.matchAll(names)) {
    const [all, name = ''] = match;
    if (match.index < done) continue;
    const isSecret = isSecretName(name);
    if (!isSecret && !isKeyName(name)) continue;
    const start = match.index + all.length;
    const isShell = isOfShell(all);
    if (!isSecret && !looksRandom(textAt(KEY_VALUE(), text, start) ?? '')) continue;
    const isCell = isRow(all);
    const value = textAt(isShell ? SHELL_VALUE() : isCell ? ROW_VALUE() : VALUE(), text, start);
    if (value === undefined || (isCell && isDescription(value))) continue;
    const before = text.slice(Math.max(0, match.index - 20), match.index);
    const after = text.slice(start + value.length, start + value.length + 2);
    const around = isShell ? null : { before, sign: all, after };
    if (isClearlyNoSecret(name, value, around) || isOtherwise(before, name)) continue;
    const quote = /^(?:\\"|["'])/.exec(value)?.[0] ?? '';
    const isClosed = value.length > quote.length && value.endsWith(quote);
    result += `${text.slice(done, start)}${quote}${GONE}${isClosed ? quote : ''}`;
    done = start + value.length;
  }
  return result + text.slice(done);
}

/** Replaces what looks like a secret in a text that may hold one. */
function hide(text: string): string {
  const lower = text.toLowerCase();
  const { shapes, prefixed } = patternsIn(lower);
  const isNamed = mayHoldNamed(lower);
  let result = text;
  for (const shape of shapes) {
    result = result.replace(shape, (found: string, ...rest: unknown[]) => {
      const [at, whole] = rest.slice(-2) as [number, string];
      return isBeginning(whole, at) ? GONE : found;
    });
  }
  for (const pattern of prefixed) result = result.replace(pattern, `$1${GONE}`);
  if (!isNamed) return result;
  for (const names of NAMES()) result = hideNamed(result, names);
  return result.replace(ELEMENT(), (found: string, name: string, value: string) =>
    isSecretName(name) && !isClearlyNoSecret(name, value, null)
      ? `${found.slice(0, found.length - value.length)}${GONE}`
      : found,
  );
}

/** Whether many texts in one hold no secret. A private key is found up to the end of its own text. */
const isClean = (all: string): boolean => !all.includes('PRIVATE KEY') && hide(all) === all;

/** Replaces the secrets in each text; `all`: the texts in one. */
const hideAll = (texts: readonly string[], all: string): readonly string[] =>
  isClean(all) ? texts : texts.map(hide);

/** Whether a text under a name has to go as a whole, whatever it looks like. */
const isNamedSecret = (name: string, value: unknown): boolean =>
  typeof value === 'string' && isSecretName(name) && !isClearlyNoSecret(name, value, null);

function holdsNamedSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNamedSecret);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => isNamedSecret(key, each) || holdsNamedSecret(each));
}

/** Replaces the secrets in every string of a plain value, keys included; `all`: its strings in one. */
const hideDeep = (value: unknown, all: string): unknown =>
  isClean(all) && !holdsNamedSecret(value) ? value : hideEach(value);

function hideEach(value: unknown): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map(hideEach);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [hide(key), isNamedSecret(key, each) ? GONE : hideEach(each)]),
  );
}

/** Replaces what looks like a secret by `[redacted]`; text without one comes back unchanged. */
export const redact = (text: string): string => (mayHoldSecret(text.toLowerCase()) ? hide(text) : text);

/** Between texts that are looked at together: no pattern reaches across it. */
const BETWEEN = '\n\uffff\n';

/** Redacts each text; where none has a secret, which is usual, all are looked at only once. */
export function redactAll(texts: readonly string[]): readonly string[] {
  const all = texts.join(BETWEEN);
  return mayHoldSecret(all.toLowerCase()) ? hideAll(texts, all) : texts;
}

/**
 * Redacts every string of a plain value, keys included. All of them are looked at in one go; only where that finds
 * something, or a key with a text is the name of a secret, each is redacted by itself.
 */
export function redactDeep<T>(value: T): T {
  const texts = new Set<string>();
  JSON.stringify(value, (key, each) => {
    texts.add(typeof each === 'string' ? `${key}:` : key);
    if (typeof each === 'string') texts.add(each);
    return each;
  });
  const all = [...texts].join(BETWEEN);
  return mayHoldSecret(all.toLowerCase()) ? (hideDeep(value, all) as T) : value;
}
