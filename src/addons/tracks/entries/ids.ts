// Gives a new entry its id: the next number of its kind.
import { ID_LETTERS, type Kind, type TrackEntry } from './entry.ts';

/** Gives ids of a kind, from the one behind the largest number that stands in any of the ids. */
export function idsAfter(kind: Kind, ids: readonly (string | null)[]): () => string {
  const numbers = ids.map((id) => Number(/^[A-Z]-(\d+)$/.exec(id ?? '')?.[1] ?? 0));
  let last = Math.max(0, ...numbers.filter(Number.isSafeInteger));
  return () => `${ID_LETTERS[kind]}-${String(++last).padStart(3, '0')}`;
}

/** An entry with an id, its own or the next one. */
export const withId = <E extends TrackEntry>(entry: E, next: () => string): E =>
  entry.id === null ? { ...entry, id: next() } : entry;
