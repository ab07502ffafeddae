// Merges statements into the entries of a block, found by id or else by text.
import { type BlockItem, isManaged, type ManagedEntry } from './block-entries.ts';
import type { TrackEntry } from './entry.ts';
import { withId } from './ids.ts';
import { type Evidence, isListed, type Statement } from './statement.ts';

/** The place of a statement among those of its file, by file and digest. */
const keyOf = ({ file, digest }: Evidence): string => `${file}\n${digest}`;
const isKnownBy = ({ evidence }: ManagedEntry, key: string): boolean =>
  evidence.some((one) => keyOf(one) === key);

/** Which entries are meant by the items of a document's list: no two items mean the same one, unless their ids say so. */
interface Owners<E extends TrackEntry> {
  /** Of a statement that was taken up before: the entry that it became. */
  known: ReadonlyMap<Statement<E>, ManagedEntry<E>>;
  isTaken: (file: string, kept: ManagedEntry<E>) => boolean;
  /** Whether an entry without an id is an item of a document in which another item has this id. */
  isOther: (kept: ManagedEntry<E>, id: string) => boolean;
  take: (file: string, kept: ManagedEntry<E>) => void;
}

function ownersOf<E extends TrackEntry>(
  kept: readonly ManagedEntry<E>[],
  statements: readonly Statement<E>[],
): Owners<E> {
  const known = new Map<Statement<E>, ManagedEntry<E>>();
  const owned = new Map<string, Set<ManagedEntry<E>>>();
  const items = statements.filter(({ entry }) => isListed(entry));
  // Also an entry that gets its id only now: which of the items comes first has no say.
  const named = new Set(items.map(({ entry, evidence }) => `${evidence.file}\n${entry.id}`));
  const isTaken = (file: string, each: ManagedEntry<E>): boolean =>
    owned.get(file)?.has(each) === true || (each.entry.id !== null && named.has(`${file}\n${each.entry.id}`));
  const isOther = (each: ManagedEntry<E>, id: string): boolean =>
    [...owned].some(([file, entries]) => entries.has(each) && named.has(`${file}\n${id}`));
  const take = (file: string, each: ManagedEntry<E>): void =>
    void owned.set(file, (owned.get(file) ?? new Set()).add(each));
  for (const item of items) {
    const { entry, evidence } = item;
    const own = kept.find(
      (each) => isKnownBy(each, keyOf(evidence)) && (entry.id !== null || !isTaken(evidence.file, each)),
    );
    if (own === undefined) continue;
    known.set(item, own);
    take(evidence.file, own);
  }
  return { known, isTaken, isOther, take };
}

function targetOf<E extends TrackEntry>(
  kept: readonly ManagedEntry<E>[],
  statement: Statement<E>,
  owners: Owners<E>,
) {
  const { entry, evidence } = statement;
  const isItem = isListed(entry);
  return (
    (isItem ? owners.known.get(statement) : kept.find((each) => isKnownBy(each, keyOf(evidence)))) ??
    (entry.id === null ? undefined : kept.find((each) => each.entry.id === entry.id)) ??
    kept.find(
      (each) =>
        (entry.id === null || (each.entry.id === null && !owners.isOther(each, entry.id))) &&
        each.entry.text === entry.text &&
        !(isItem && owners.isTaken(evidence.file, each)),
    )
  );
}

/** The evidence with one more; what was said before in the same words is said anew, and stands last. */
const withEvidence = (known: readonly Evidence[], one: Evidence): Evidence[] => [
  ...known.filter((each) => keyOf(each) !== keyOf(one)),
  one,
];

/** For each entry and file, up to which of the statements it was taken. */
function takenUpTo<E extends TrackEntry>(
  kept: readonly ManagedEntry<E>[],
  statements: readonly Statement<E>[],
  { known }: Owners<E>,
): Map<ManagedEntry<E>, Map<string, number>> {
  const rank = new Map(statements.map(({ evidence }, index) => [keyOf(evidence), index]));
  const rankFor = (each: ManagedEntry<E>, one: Evidence): number => {
    const index = rank.get(keyOf(one)) ?? -1;
    const statement = statements[index];
    const isOthers = statement !== undefined && isListed(statement.entry) && known.get(statement) !== each;
    return isOthers ? -1 : index;
  };
  return new Map(
    kept.map((each) => [each, new Map(each.evidence.map((one) => [one.file, rankFor(each, one)] as const))]),
  );
}

/**
 * Takes statements, in the order in which they count, into the pieces of a block.
 *
 * Statements that were taken already are not taken again: the evidence names the last statement of a file about an entry,
 * and all before it count as taken. So a state that somebody sets in the block itself stays until something new is said.
 * A statement that is older than the entry changes nothing of it, but is evidence too.
 *
 * @param merge what becomes of an entry by a later one; the id is kept
 * @param isTaken whether an earlier compaction took a statement already
 */
export function mergeEntries<E extends TrackEntry>(
  pieces: readonly BlockItem<E>[],
  statements: readonly Statement<E>[],
  {
    merge,
    next,
    isTaken,
  }: { merge: (known: E, said: E) => E; next: () => string; isTaken: (statement: Statement<E>) => boolean },
): BlockItem<E>[] {
  const result: BlockItem<E>[] = pieces.map((piece) => (isManaged(piece) ? { ...piece } : piece));
  const kept = result.filter(isManaged);
  const owners = ownersOf(kept, statements);
  const taken = takenUpTo(kept, statements, owners);
  statements.forEach((statement, index) => {
    const { entry, evidence } = statement;
    const target = targetOf(kept, statement, owners);
    if (target === undefined) {
      // The user deleted this entry; do not add it back unless another item still refers to it.
      if (isTaken(statement) && !kept.some((each) => isKnownBy(each, keyOf(evidence)))) return;
      const added: ManagedEntry<E> = { entry, evidence: [evidence], indent: '' };
      kept.push(added);
      result.push(added);
      owners.take(evidence.file, added);
      return;
    }
    owners.take(evidence.file, target);
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
