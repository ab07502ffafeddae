// Redacts secrets in prompts, commands and outputs; nothing is written or said without it.
import { mayHoldSecret } from './secret-hints.ts';
import { hide, hideAll, hideDeep } from './secrets.ts';

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
