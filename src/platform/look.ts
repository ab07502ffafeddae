// Looks at names without opening anything: whether something is there, what it is, and whether it has changed.
import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type { Stats } from 'node:fs';

/** What a path leads to; undefined where there is nothing, also below something that is no folder. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The same of what stands at the path itself, of a link the link. */
export function ownStatsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const exists = (path: string): boolean => statsOf(path) !== undefined;
export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** Where a link leads as it is written; null for what is none. */
export function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/**
 * The path without links, by the system's own function: the one written in JavaScript asks for every folder on the way.
 * @throws where there is nothing
 */
export const realPath = (path: string): string => realpathSync.native(path);

/** Size and time of a file; -1 for both where there is none. */
export function stampOf(path: string): { path: string; size: number; mtimeMs: number } {
  const stats = statsOf(path);
  return { path, size: stats?.size ?? -1, mtimeMs: stats?.mtimeMs ?? -1 };
}

export function isUnchanged({
  path,
  size,
  mtimeMs,
}: {
  path: string;
  size: number;
  mtimeMs: number;
}): boolean {
  const now = statsOf(path);
  return size === (now?.size ?? -1) && mtimeMs === (now?.mtimeMs ?? -1);
}

/**
 * When anything last happened to a file, its content, its name, its place, in milliseconds since the epoch. Not the time
 * that a program may set, or a file keeps when it is moved; where the file is gone that of its folder, and infinity where
 * that is gone too.
 */
export const touchedAt = (path: string): number =>
  ownStatsOf(path)?.ctimeMs ?? ownStatsOf(dirname(path))?.mtimeMs ?? Number.POSITIVE_INFINITY;

/** What a folder holds; nothing where it cannot be read. */
function direntsIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Names in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Names in a folder, and what each is itself: links are neither files nor folders. */
export const entriesIn = (folder: string): { name: string; isFolder: boolean; isFile: boolean }[] =>
  direntsIn(folder).map((each) => ({
    name: each.name,
    isFolder: each.isDirectory(),
    isFile: each.isFile(),
  }));

/** Names of the regular files in a folder. */
export const filesIn = (folder: string): string[] =>
  direntsIn(folder).flatMap((each) => (each.isFile() ? [each.name] : []));

/** @throws where a file is not to be written by us */
export const checkWritable = (path: string): void => accessSync(path, constants.W_OK);
/** Names of the regular files in a folder that is one itself, and no link to one. */
export const filesOf = (folder: string): string[] =>
  ownStatsOf(folder)?.isDirectory() ? filesIn(folder) : [];

/** Whether we may write to what is there. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a folder can be written in, or made where it is not there yet. */
export function canWriteIn(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    try {
      lstatSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) return false;
      continue;
    }
    return isWritable(path) && isFolder(path);
  }
}
