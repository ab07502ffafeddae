// Cuts a text around a place in it, without the secrets in it.
import { redact } from '../model/redact.ts';
import { foldText } from './search.ts';

/** What is looked through for secrets around the place: half of one no longer looks like one. */
const LOOKED_AT = 4_096;
const BEFORE = 120;
const LENGTH = 360;

/** One line of the text around a place; `words` are found again where a secret in front of them was taken out. */
export function excerptAround(text: string, at: number, words: readonly string[]): string {
  const from = Math.max(0, at - LOOKED_AT);
  const to = Math.min(text.length, at + LOOKED_AT);
  const plain = redact(text.slice(from, to)).replace(/\s+/g, ' ');
  const folded = foldText(plain);
  const places = words.map((word) => folded.indexOf(foldText(word))).filter((place) => place >= 0);
  const place = places.length === 0 ? Math.min(at - from, plain.length) : Math.min(...places);
  const begin = Math.max(0, place - BEFORE);
  const end = Math.min(plain.length, begin + LENGTH);
  const head = begin > 0 || from > 0 ? '…' : '';
  const tail = end < plain.length || to < text.length ? '…' : '';
  return `${head}${plain
    .slice(begin, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .trim()}${tail}`;
}
