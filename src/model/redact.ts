// Redacts secrets in prompts, commands and outputs; nothing is written or said without it.
import {
  ELEMENT,
  isDescription,
  isHarmless,
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
import { isBeginning, mayHoldNamed, mayHoldSecret, patternsIn } from './secret-search.ts';

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
    if (isHarmless(name, value, around) || isOtherwise(before, name)) continue;
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
    isSecretName(name) && !isHarmless(name, value, null)
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
  typeof value === 'string' && isSecretName(name) && !isHarmless(name, value, null);

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
