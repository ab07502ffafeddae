// What does a small file say, and has it changed?
import { accessSync, constants, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Text of a file as it is. @throws where it cannot be read, or is not there */
export const textOf = (path: string): string => readFileSync(path, 'utf8');

/** Text of a file, or null when there is none. BOM removed. */
export const readText = (path: string): string | null => readRaw(path)?.replace(/^\uFEFF/, '') ?? null;

/** Text of a file as it is, or null when there is none. */
export function readRaw(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Stats of a file; undefined where there is none, also below something that is no folder. */
function statsOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

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

/** How many names a folder holds; 0 where there is none. */
export function countIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

/** Names in a folder, and which of them are folders; none where it cannot be read. */
export function entriesIn(folder: string): { name: string; isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}

export const exists = (path: string): boolean => statsOf(path) !== undefined;

/** The `schema_version` that a JSON file names; undefined where it names none or cannot be read. */
export function versionIn(path: string): unknown {
  try {
    return (JSON.parse(readText(path) ?? 'null') as { schema_version?: unknown } | null)?.schema_version;
  } catch {
    return undefined;
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
    try {
      accessSync(path, constants.W_OK);
      return statSync(path).isDirectory();
    } catch {
      return false;
    }
  }
}

export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;
