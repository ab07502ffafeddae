// Inspects paths without opening files: whether they exist, what they are, whether they changed or can be written.
import type { Dirent, Stats } from 'node:fs';
import { accessSync, constants, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type { Stats } from 'node:fs';

/** Stats of what a path leads to; undefined when nothing is there or a parent is no folder. */
export function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Stats of what is at the path itself, for a link those of the link. */
export function readOwnStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const exists = (path: string): boolean => readStats(path) !== undefined;
export const isFolder = (path: string): boolean => readStats(path)?.isDirectory() ?? false;

/** The target of a link as written in it; null for anything else. */
export function readLinkTarget(path: string): string | null {
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
export const resolveRealPath = (path: string): string => realpathSync.native(path);

/** Size and time of a file; -1 for both when it does not exist. */
export function readStamp(path: string): { path: string; size: number; mtimeMs: number } {
  const stats = readStats(path);
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
  const now = readStats(path);
  return size === (now?.size ?? -1) && mtimeMs === (now?.mtimeMs ?? -1);
}

/**
 * When the content, name or place of a file last changed, in milliseconds since the epoch. It is not the time that a
 * program can set or that a file keeps when it is moved. For a missing file it is that of its folder, and infinity when
 * that is missing too.
 */
export const readTouchTime = (path: string): number =>
  readOwnStats(path)?.ctimeMs ?? readOwnStats(dirname(path))?.mtimeMs ?? Number.POSITIVE_INFINITY;

/** The entries of a folder; none when it cannot be read. */
function direntsIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Names in a folder; none when it cannot be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Names in a folder, and what each is itself: links are neither files nor folders. */
export const listEntries = (folder: string): { name: string; isFolder: boolean; isFile: boolean }[] =>
  direntsIn(folder).map((each) => ({
    name: each.name,
    isFolder: each.isDirectory(),
    isFile: each.isFile(),
  }));

/** Names of the regular files in a folder. */
export const listFiles = (folder: string): string[] =>
  direntsIn(folder).flatMap((each) => (each.isFile() ? [each.name] : []));

/** @throws when we may not write to the file */
export const checkWritable = (path: string): void => accessSync(path, constants.W_OK);
/** Names of the regular files in a folder; none when the path is a link to a folder. */
export const listFilesUnlinked = (folder: string): string[] =>
  readOwnStats(folder)?.isDirectory() ? listFiles(folder) : [];

/** Whether a path is a file that may be started. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return readStats(path)?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Whether we may write to an existing path. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether we can write in a folder, or make it when it does not exist yet. */
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
