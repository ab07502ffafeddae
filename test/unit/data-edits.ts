// The smallest edits between two pieces of data, as an oracle for tests of what a change of a file may touch.

import { type Data, type DataMap, isMap, isSameData, type Path } from '../../src/text/json.ts';
import { isError } from '../../src/text/plimsoll-error.ts';

export type Edit =
  /** Another value at a place that is there. */
  | { kind: 'set'; path: Path; value: Data }
  /** New keys of a map that is there. */
  | { kind: 'add'; path: Path; entries: [key: string, value: Data][] }
  /** New items in a list that is there. */
  | { kind: 'insert'; path: Path; items: Data[] }
  /** Keys of a map, or positions in a list; something is left. */
  | { kind: 'remove'; path: Path; keys: (string | number)[] };

/** Pairs of positions that hold the same in two lists, as many as there can be in one order. */
function commonItems(before: Data[], after: Data[]): [number, number][] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row)
        row[j] = isSameData(before[i], after[j])
          ? at(i + 1, j + 1) + 1
          : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (isSameData(before[i], after[j])) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Between two items that stay: pair by pair, and then what is new, or what is gone. */
function listEdits(before: Data[], after: Data[], path: Path): Edit[] {
  const edits: Edit[] = [];
  const removed: number[] = [];
  const inserted: Data[] = [];
  let i = 0;
  let j = 0;
  for (const [nextI, nextJ] of [...commonItems(before, after), [before.length, after.length] as const]) {
    for (; i < nextI && j < nextJ; i++, j++)
      edits.push(...editsBetween(before[i] ?? null, after[j] ?? null, [...path, i]));
    for (; i < nextI; i++) removed.push(i);
    inserted.push(...after.slice(j, nextJ));
    i = nextI + 1;
    j = nextJ + 1;
  }
  if (removed.length > 0) edits.push({ kind: 'remove', path, keys: removed });
  if (inserted.length > 0) edits.push({ kind: 'insert', path, items: inserted });
  return edits;
}

function mapEdits(before: DataMap, after: DataMap, path: Path): Edit[] {
  const edits: Edit[] = [];
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const added: [string, Data][] = [];
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) edits.push(...editsBetween(before[key] ?? null, value, [...path, key]));
    else added.push([key, value]);
  }
  // A map that loses all of its keys at once is written anew.
  if (removed.length === Object.keys(before).length && removed.length > 0)
    return [{ kind: 'set', path, value: after }];
  if (removed.length > 0) edits.push({ kind: 'remove', path, keys: removed });
  if (added.length > 0) edits.push({ kind: 'add', path, entries: added });
  return edits;
}

/**
 * The smallest edits that lead from one state to the other, inner ones first.
 * A list keeps its items where it can: what is equal stays, what is new is put in, what is gone is taken out.
 */
export function editsBetween(before: Data, after: Data, path: Path = []): Edit[] {
  if (isSameData(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && after.length > 0)
    return listEdits(before, after, path);
  if (isMap(before) && isMap(after) && Object.keys(after).length > 0) return mapEdits(before, after, path);
  return [{ kind: 'set', path, value: after }];
}

/**
 * Whether a change may be refused, with nothing written: a comment would be lost, or the blank lines behind a section
 * that is removed would become those of a block scalar above it which keeps them (`>+`).
 */
export const mayRefuse = (text: string, error: unknown): boolean =>
  isError(error, 'change-refused') &&
  (/holds a comment that would be lost/.test(error.message) ||
    (/cannot be changed alone/.test(error.message) && /[|>]\d?\+/.test(text)));
