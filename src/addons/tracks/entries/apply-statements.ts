// Takes statements into the entries of a track: new ones are added, what is said later changes the entry that it is about.

import { findSessionOfLog, type Statement } from './collect.ts';
import type { TrackEntry } from './entry.ts';
import type { Hash, StoredEntry } from './entry-file.ts';
import { compareByDate, digestIdentity, hasFirstText, nameEntry } from './entry-file.ts';

/**
 * An entry as a later word has it. What the word leaves out of a mitigation or of acceptance criteria stays, and so does
 * the text, which a person may have corrected, unless the word gives it a new one.
 */
function mergeEntry(known: StoredEntry['entry'], said: TrackEntry, isRenamed: boolean): StoredEntry['entry'] {
  const { id, at, transcript, source } = known;
  const kept = { id, at, transcript, source, track: null, text: isRenamed ? said.text : known.text };
  if (known.kind === 'risk' && said.kind === 'risk')
    return { ...said, ...kept, mitigation: said.mitigation ?? known.mitigation };
  if (known.kind === 'task' && said.kind === 'task')
    return { ...said, ...kept, acceptance: said.acceptance.length > 0 ? said.acceptance : known.acceptance };
  return { ...said, ...kept };
}

function createEntry(track: string, { entry, digest }: Statement, hash: Hash): StoredEntry {
  const { path, id } = nameEntry(track, entry, hash);
  const { file } = entry.source;
  return {
    path,
    entry: { ...entry, id, track: null },
    isDropped: false,
    changed: null,
    session: findSessionOfLog({ path: file, text: '' }),
    origin: file,
    said: digest,
    also: [],
    rest: '',
  };
}

/**
 * Those of an entry's statements that it has not taken yet. The one that it took last is known by its digest, and all
 * before it were taken; where it is not among them (another machine's log said it), the later time counts. So a status
 * that somebody sets in the entry's file stays until something new is said.
 */
function findNew({ said, changed, entry }: StoredEntry, statements: readonly Statement[]): Statement[] {
  if (entry.kind === 'decision') return [];
  const last = statements.findLastIndex(({ digest }) => digest === said);
  if (last >= 0) return statements.slice(last + 1);
  const known = changed ?? entry.at;
  return statements.filter(({ entry: { at } }) => (known === null ? true : at !== null && at > known));
}

/** Whether a statement gives its entry a new text: under its id, and in words in which it was not said before. */
function isRenaming(
  track: string,
  known: StoredEntry,
  said: readonly Statement[],
  at: number,
  hash: Hash,
): boolean {
  const entry = said[at]?.entry;
  if (entry === undefined || entry.id === null) return false;
  const isKnown = said.slice(0, at).some((each) => each.entry.text === entry.text);
  return !isKnown && !hasFirstText(track, { ...known, entry: { ...known.entry, text: entry.text } }, hash);
}

/** An entry with all that was said about it and that it has not taken yet. */
function applyAll(track: string, known: StoredEntry, said: readonly Statement[], hash: Hash): StoredEntry {
  let stored = known;
  for (const statement of findNew(known, said)) {
    const { entry, digest } = statement;
    const isRenamed = isRenaming(track, known, said, said.indexOf(statement), hash);
    const digits = digestIdentity(entry, hash);
    const isOther =
      entry.id === null && !hasFirstText(track, { ...known, entry: { ...entry, id: known.entry.id } }, hash);
    stored = {
      ...stored,
      entry: mergeEntry(stored.entry, entry, isRenamed),
      isDropped: false,
      changed: entry.at ?? stored.changed,
      said: digest,
      also: isOther && !stored.also.includes(digits) ? [...stored.also, digits] : stored.also,
    };
  }
  return stored;
}

/** Paths of the entries whose text is no longer their first one, by the digits of each text that they have had since. */
function findCorrected(track: string, stored: readonly StoredEntry[], hash: Hash): Map<string, string> {
  const found = new Map<string, string>();
  for (const each of [...stored].sort(compareByDate)) {
    const { entry, path, also } = each;
    if (entry.kind === 'decision') continue;
    const own = hasFirstText(track, each, hash) ? [] : [digestIdentity({ ...entry, id: null }, hash)];
    for (const digits of [...own, ...also]) if (!found.has(digits)) found.set(digits, path);
  }
  return found;
}

/**
 * The entries that are new or no longer as they were, by path. A statement is about the entry that has its id, else about
 * the one that began with its words, else about the one that was corrected to them.
 *
 * @param statements in the order in which they count
 */
export function applyStatements(
  track: string,
  stored: readonly StoredEntry[],
  statements: readonly Statement[],
  hash: Hash,
): Map<string, StoredEntry> {
  const all = new Map(stored.map((each) => [each.path, each]));
  const named = new Map<string, string>();
  const keyOf = ({ kind, id }: TrackEntry): string => `${kind} ${id}`;
  const name = ({ entry, path }: StoredEntry): void => {
    if (!named.has(keyOf(entry))) named.set(keyOf(entry), path);
  };
  for (const each of [...stored].sort(compareByDate)) name(each);
  const corrected = findCorrected(track, stored, hash);
  const about = new Map<string, Statement[]>();
  for (const statement of statements) {
    const { entry } = statement;
    // A decision that is made anew under its id is another one: both stay.
    const known = entry.id === null || entry.kind === 'decision' ? undefined : named.get(keyOf(entry));
    const own = known ?? nameEntry(track, entry, hash).path;
    const other = entry.id === null && !all.has(own) ? corrected.get(digestIdentity(entry, hash)) : undefined;
    const path = other ?? own;
    if (!all.has(path)) {
      const created = createEntry(track, statement, hash);
      all.set(path, created);
      name(created);
    }
    const others = about.get(path);
    if (others === undefined) about.set(path, [statement]);
    else others.push(statement);
  }
  const before = new Map(stored.map((each) => [each.path, each]));
  const touched = new Map<string, StoredEntry>();
  for (const [path, said] of about) {
    const known = all.get(path);
    if (known === undefined) continue;
    const after = applyAll(track, known, said, hash);
    if (after !== before.get(path)) touched.set(path, after);
  }
  return touched;
}
