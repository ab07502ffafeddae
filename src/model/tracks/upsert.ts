// What becomes of a block when something was said? An entry that is there is brought up to date, by id, else by its text.
import { isKept, type Kept, type Piece } from './block-entries.ts';
import type { Entry } from './entry.ts';
import { withId } from './ids.ts';
import type { Evidence, Statement } from './statement.ts';

/** The place of a statement among those of its file, by file and digest. */
const keyOf = ({ file, digest }: Evidence): string => `${file}\n${digest}`;

function targetOf<E extends Entry>(kept: readonly Kept<E>[], { entry, evidence }: Statement<E>) {
  const key = keyOf(evidence);
  return (
    kept.find((each) => each.evidence.some((one) => keyOf(one) === key)) ??
    (entry.id === null ? undefined : kept.find((each) => each.entry.id === entry.id)) ??
    kept.find((each) => (entry.id === null || each.entry.id === null) && each.entry.text === entry.text)
  );
}

/** The evidence with one more; what was said before in the same words is said anew, and stands last. */
const withEvidence = (known: readonly Evidence[], one: Evidence): Evidence[] => [
  ...known.filter((each) => keyOf(each) !== keyOf(one)),
  one,
];

/**
 * Takes statements, in the order in which they count, into the pieces of a block.
 *
 * What of a file was taken already is not taken again: of the statements of a file about an entry the last one is known
 * by its evidence, and all before it. So a state that somebody sets in the block itself stays until something new is said.
 * A statement that is older than the entry changes nothing of it, but is evidence too.
 *
 * @param merge what becomes of an entry by a later one; the id is kept
 * @param isTaken whether an earlier compaction took a statement already
 */
export function upsert<E extends Entry>(
  pieces: readonly Piece<E>[],
  statements: readonly Statement<E>[],
  {
    merge,
    next,
    isTaken,
  }: { merge: (known: E, said: E) => E; next: () => string; isTaken: (statement: Statement<E>) => boolean },
): Piece<E>[] {
  const result: Piece<E>[] = pieces.map((piece) => (isKept(piece) ? { ...piece } : piece));
  const kept = result.filter(isKept);
  // For each entry and file, up to which statement it was taken.
  const rank = new Map(statements.map(({ evidence }, index) => [keyOf(evidence), index]));
  const taken = new Map(
    kept.map((each) => [
      each,
      new Map(each.evidence.map((one) => [one.file, rank.get(keyOf(one)) ?? -1] as const)),
    ]),
  );
  statements.forEach((statement, index) => {
    const { entry, evidence } = statement;
    const target = targetOf(kept, statement);
    if (target === undefined) {
      // It stood here once, and somebody has struck it.
      if (isTaken(statement)) return;
      const added: Kept<E> = { entry, evidence: [evidence], indent: '' };
      kept.push(added);
      result.push(added);
      return;
    }
    if (index <= (taken.get(target)?.get(evidence.file) ?? -1)) {
      // The place may have moved.
      target.evidence = target.evidence.map((each) =>
        keyOf(each) === keyOf(evidence) ? { ...each, line: evidence.line } : each,
      );
      return;
    }
    const { at } = target.entry;
    const isOlder = entry.at !== null && at !== null && entry.at < at;
    const merged = isOlder ? target.entry : merge(target.entry, entry);
    const { transcript } = isOlder || entry.at === null ? target.entry : entry;
    target.entry = {
      ...merged,
      id: target.entry.id ?? entry.id,
      at: isOlder ? at : (entry.at ?? at),
      transcript,
    };
    target.evidence = withEvidence(target.evidence, evidence);
  });
  for (const each of kept) each.entry = withId(each.entry, next);
  return result;
}
