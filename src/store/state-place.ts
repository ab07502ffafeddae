// Decides where the state of a project lies: in a folder of it whose name nobody can guess, else with the person.
import type { Outside } from '../model/outside.ts';
import { parseRootEntry, type RootEntry, slotsOf } from '../model/root-entry.ts';
import { isWritable, ownStatsOf, type Stats } from '../platform/look.ts';
import { isOurs, readUntrusted, STATE } from '../platform/read.ts';

export const FOLDER = '.plimsoll';

export interface StatePlace {
  /** The folder whose state it is: the root, or where a session without one began. */
  of: string;
  /** The state folder. */
  folder: string;
  /** Name of the state folder where the project holds it. */
  name: string;
  /** Null where the state lies in the project. */
  outside: Outside | null;
  /** The person's note of the name. */
  entry: string;
  isRegistered: boolean;
}

// One for all that this process may make: whoever asks twice before anything is made is told the same.
let fresh: string | null = null;

function freshName(): string {
  fresh ??= `state-${process.getBuiltinModule('node:crypto').randomBytes(12).toString('hex')}`;
  return fresh;
}

/** What speaks against a folder of ours as it stands there, links not followed; null when nothing does. */
function faultAt(path: string, stats: Stats | undefined): Outside | null {
  if (!stats?.isDirectory()) return stats?.isSymbolicLink() ? 'a link' : 'no folder';
  if (!isOurs(stats)) return 'another owner';
  return isWritable(path) ? null : 'read-only';
}

/** Why a project cannot hold its state; null where it can. The nearest folder that is there decides. */
function whyOutside(root: string, name: string): Outside | null {
  const own = `${root}/${FOLDER}`;
  const found = ownStatsOf(own);
  if (found === undefined) return faultAt(root, ownStatsOf(root));
  const state = found.isDirectory() && isOurs(found) ? ownStatsOf(`${own}/${name}`) : undefined;
  return state === undefined ? faultAt(own, found) : faultAt(`${own}/${name}`, state);
}

/** What the person noted; null where nothing is, undefined for what cannot be read: it may be another root's. */
function noteAt(entry: string): RootEntry | null | undefined {
  try {
    const text = readUntrusted(entry, STATE);
    return text === null ? null : (parseRootEntry(text) ?? undefined);
  } catch {
    return undefined;
  }
}

/**
 * Where the state of a folder lies. Nothing is made: where the person has no note of it yet, the name is the one that
 * would be given.
 * @param user the person's own state folder
 */
export function placeState(of: string, isProject: boolean, user: string): StatePlace {
  for (const slot of slotsOf(of)) {
    const entry = `${user}/roots/${slot}.json`;
    const noted = noteAt(entry);
    if (noted !== null && noted?.root !== of) continue;
    const name = noted?.state ?? freshName();
    const outside = isProject ? whyOutside(of, name) : 'no project';
    const folder = outside === null ? `${of}/${FOLDER}/${name}` : `${user}/projects/${slot}`;
    return { of, folder, name, outside, entry, isRegistered: noted !== null };
  }
  throw new Error(`No place for the state of "${of}": remove what you do not need in "${user}/roots"`);
}
