// Cuts a text to a length, keeps its head and tail, and marks how much is missing.
import { redact } from '../../text/redact.ts';
import type { Excerpt } from './ledger.ts';

/** Longest text looked through for secrets before a cut; half of a secret no longer looks like one. */
const LOOKED_THROUGH = 200_000;

const withoutHalves = (text: string): string =>
  text.replace(/[\uD800-\uDBFF]$/, '').replace(/^[\uDC00-\uDFFF]/, '');

/** A text of at most so many characters, the mark included; `cut` counts what the mark stands for. */
export function buildExcerpt(text: string, most: number): Excerpt {
  const trimmed = text.trim();
  if (trimmed.length <= most) return { text: trimmed, cut: 0 };
  const safe = redact(trimmed.slice(0, LOOKED_THROUGH)) + trimmed.slice(LOOKED_THROUGH);
  const room = most - 40;
  const head = withoutHalves(safe.slice(0, Math.ceil(room * 0.7)));
  const tail = withoutHalves(safe.slice(-Math.floor(room * 0.3)));
  const cut = safe.length - head.length - tail.length;
  if (cut <= 0) return { text: safe, cut: 0 };
  return { text: `${head.trimEnd()} [… ${cut} characters cut …] ${tail.trimStart()}`, cut };
}
