// Finds proposed invariants that nobody has accepted yet by writing them outside of our block.
import type { Invariant } from './entry.ts';
import type { Statement } from './statement.ts';
import { textLines } from './text-lines.ts';

/** An invariant has nothing but its text. */
export const mergeInvariant = (_: Invariant, said: Invariant): Invariant => said;

const BULLET = /^\s*(?:[-*+]|\d+[.)]) +(?:Invariant: +)?(?:\[I-[A-Za-z0-9]{1,12}\] +)?/;

/**
 * Those of which no line of the texts is the very words.
 *
 * @param texts files of the core tier, without our blocks
 */
export function notAccepted(
  statements: readonly Statement<Invariant>[],
  texts: readonly string[],
): Statement<Invariant>[] {
  if (statements.length === 0) return [];
  const accepted = new Set(
    texts.flatMap((text) => textLines(text).map((line) => line.text.replace(BULLET, '').trim())),
  );
  return statements.filter(({ entry }) => !accepted.has(entry.text));
}
