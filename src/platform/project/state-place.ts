// Decides where the state of a project is: in a folder of it with a name nobody can guess, else in the user's folder, and why.

import { isWritable, readOwnStats, type Stats } from '../look.ts';
import { isOwnFile, readUntrusted, STATE_FILE } from '../read.ts';
import { listSlots, parseRootEntry, type RootEntry } from './root-entry.ts';

/** Why the state of a folder lies with the person, and not in the folder. */
export type Outside = 'no project' | 'another owner' | 'a link' | 'no folder' | 'read-only';

/** Why each of them is so, and the way out. */
const REASONS: Record<Exclude<Outside, 'no project'>, { why: string; next: string }> = {
  'another owner': {
    why: 'the project, or .plimsoll in it, belongs to another user',
    next: 'nothing needs to be done; to keep it in the project, work as its owner, or make .plimsoll your own (chown)',
  },
  'a link': {
    why: '.plimsoll in the project, or the state folder in it, is a link, which could lead anywhere',
    next: 'put a folder in its place',
  },
  'no folder': {
    why: '.plimsoll in the project, or the state folder in it, is no folder',
    next: 'remove what stands in its place',
  },
  'read-only': {
    why: 'the project, or .plimsoll in it, cannot be written',
    next: 'nothing needs to be done; to keep it in the project, make .plimsoll writable',
  },
};

/** Why, and the way out; null where there is nothing to be done. */
export const describeOutside = (outside: Outside | null): { why: string; next: string } | null =>
  outside === null || outside === 'no project' ? null : REASONS[outside];

/** What a project shares, and what commands put beside it while they change it. */
const SHARED = /^(?:\.gitignore|rules|(?:config\.toml|config\.schema\.json|quality\.md)(?:\..+)?)$/;

/** What lies in `.plimsoll` that is neither shared by the project nor our own state. */
export const listForeignNames = (names: readonly string[], own: string): string[] =>
  names.filter((name) => name !== own && !SHARED.test(name)).sort();

export const FOLDER = '.plimsoll';

export interface StatePlace {
  /** The folder that the state belongs to: the root, or the start of a session without one. */
  of: string;
  /** The state folder. */
  folder: string;
  /** Name of the state folder if it is in the project. */
  name: string;
  /** Why the state is not in the project; null if it is. */
  outside: Outside | null;
  /** The file in the user's folder that notes the name. */
  entry: string;
  isRegistered: boolean;
}

// One name per process, so that asking twice before the folder is made gives the same answer.
let fresh: string | null = null;

function freshName(): string {
  fresh ??= `state-${process.getBuiltinModule('node:crypto').randomBytes(12).toString('hex')}`;
  return fresh;
}

/** Why a folder cannot hold our state, without following links; null when it can. */
function faultAt(path: string, stats: Stats | undefined): Outside | null {
  if (!stats?.isDirectory()) return stats?.isSymbolicLink() ? 'a link' : 'no folder';
  if (!isOwnFile(stats)) return 'another owner';
  return isWritable(path) ? null : 'read-only';
}

/** Why a project cannot hold its state; null when it can. The deepest existing folder decides. */
function whyOutside(root: string, name: string): Outside | null {
  const own = `${root}/${FOLDER}`;
  const found = readOwnStats(own);
  if (found === undefined) return faultAt(root, readOwnStats(root));
  const state = found.isDirectory() && isOwnFile(found) ? readOwnStats(`${own}/${name}`) : undefined;
  return state === undefined ? faultAt(own, found) : faultAt(`${own}/${name}`, state);
}

/** The note of a name; null when there is none, undefined when it is unreadable and may be another root's. */
function noteAt(entry: string): RootEntry | null | undefined {
  try {
    const text = readUntrusted(entry, STATE_FILE);
    return text === null ? null : (parseRootEntry(text) ?? undefined);
  } catch {
    return undefined;
  }
}

/**
 * Finds the place for the state of a folder and makes nothing: without a note yet, the name is the one that would be
 * given.
 * @param user the user's own state folder
 */
export function placeState(of: string, isProject: boolean, user: string): StatePlace {
  for (const slot of listSlots(of)) {
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
