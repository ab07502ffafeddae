// The one way to write: whole files or whole lines, never through a link or into somebody else's folder.
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { listEntries, readOwnStats } from './look.ts';
import { isOwnFile, openPlain } from './read.ts';
import { buildUnsafeFile } from './unsafe-file.ts';

const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants;

/** Matches a path up to and including the project's `.plimsoll` folder. */
const OURS = /^.*[\\/]\.plimsoll(?=[\\/]|$)/;

/** The `.plimsoll` folder and those below it on the way to a path, the outermost first; none for a path elsewhere. */
function ourFolders(folder: string): string[] {
  const top = OURS.exec(folder)?.[0];
  const found: string[] = [];
  if (top === undefined) return found;
  for (let at = folder; at.length >= top.length; at = dirname(at)) found.unshift(at);
  return found;
}

/** Whether a folder exists. @throws PlimsollError `unsafe-file` when it is a link, no folder, or (below `.plimsoll`) somebody else's */
function isFolderThere(folder: string, isTop: boolean): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory())
    throw buildUnsafeFile(
      `${stats.isSymbolicLink() ? 'A link' : 'A file'} stands in place of a folder`,
      folder,
    );
  if (!isTop && !isOwnFile(stats)) throw buildUnsafeFile("Somebody else's folder", folder);
  return true;
}

/** Makes sure that no link redirects a change in one of our folders. @throws PlimsollError `unsafe-file` */
function checkFolder(folder: string): void {
  for (const [index, at] of ourFolders(folder).entries()) if (!isFolderThere(at, index === 0)) return;
}

/**
 * Makes a missing folder; one of ours is for the user alone and is never made through a link.
 * @throws PlimsollError `unsafe-file`
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const ours = ourFolders(folder);
  if (ours.length === 0) mkdirSync(folder, { recursive: true, mode });
  for (const [index, at] of ours.entries())
    if (!isFolderThere(at, index === 0)) mkdirSync(at, { recursive: true, mode });
}

let counter = 0;
const temporaryName = (path: string): string => `${path}.${process.pid}.${counter++}.tmp`;

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

/** An error of writing to a descriptor, which knows no path, with the path of the file. */
const nameFile = (error: unknown, path: string): Error => Object.assign(error as Error, { path });

/** Writes a text to a temporary file beside its target, whole or not at all, and returns the temporary path. */
export function writeTemporary(
  path: string,
  text: string,
  options: { fsync: boolean; mode: number },
): string {
  const temporary = temporaryName(path);
  const descriptor = openPlain(temporary, O_RDWR | O_CREAT | O_EXCL, false, options.mode);
  try {
    writeAll(descriptor, text);
    if (options.fsync) fsyncSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    remove(temporary);
    throw nameFile(error, path);
  }
  closeSync(descriptor);
  return temporary;
}

/** Like `writeTemporary`, but makes a missing folder first; by default only the user may read the file. */
function prepared(path: string, text: string, options: { fsync?: boolean; mode?: number }): string {
  const folder = dirname(path);
  const all = { fsync: options.fsync ?? false, mode: options.mode ?? 0o600 };
  try {
    // Nearly always the folder is there; ours are looked at first, for links.
    if (ourFolders(folder).length === 0) return writeTemporary(path, text, all);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  makeFolder(folder);
  return writeTemporary(path, text, all);
}

/** Removes a file, or a link itself; a missing one is no error. */
export function remove(path: string): void {
  checkFolder(dirname(path));
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Sets the mode of a file that was just written: the file that it replaces may have rights that the umask took off. */
export const setMode = (path: string, mode: number): void => chmodSync(path, mode);

/** Sets the access and modification times at a path, in milliseconds since the epoch; for a link its own. */
export const setTimes = (path: string, accessed: number, changed: number): void =>
  lutimesSync(path, accessed / 1_000, changed / 1_000);

/** Renames a file of ours; a file that already has the new name is replaced. */
export function moveFile(from: string, to: string): void {
  checkFolder(dirname(to));
  renameSync(from, to);
}

/** Removes an empty folder. @throws when it is not empty */
export const removeFolder = (path: string): void => rmdirSync(path);

/** Removes a file, or a folder of ours with all that lies in it; a link goes itself, and a missing path is no error. */
export function removeOwn(path: string): void {
  if (!readOwnStats(path)?.isDirectory()) {
    remove(path);
    return;
  }
  checkFolder(path);
  for (const { name } of listEntries(path)) removeOwn(join(path, name));
  removeFolder(path);
}

/** Removes a folder of ours so that it is there whole or not at all: what of it is left by a process that dies has a temporary name. */
export function removeWhole(folder: string): void {
  const away = temporaryName(folder);
  moveFile(folder, away);
  removeOwn(away);
}

/**
 * Replaces a file as a whole: temporary file, optional fsync, rename. A link is replaced, not followed.
 * When `beforeRename` throws, the old file stays as it is.
 */
export function replaceFile(
  path: string,
  text: string,
  options: { fsync?: boolean; mode?: number; beforeRename?: (temporary: string) => void } = {},
): void {
  const temporary = prepared(path, text, options);
  try {
    options.beforeRename?.(temporary);
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

/**
 * Creates a file that must not exist yet, complete or not at all; false when the name is taken.
 * A hard link publishes the finished file under its name; file systems without links copy instead.
 */
export function createFile(
  path: string,
  text: string,
  options: { fsync?: boolean; mode?: number } = {},
): boolean {
  const temporary = prepared(path, text, options);
  try {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      if (existsSync(path)) return false;
      copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    }
    return true;
  } finally {
    remove(temporary);
  }
}

/** Makes a finished rename or link durable: without it a power cut can still lose the name. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Folders cannot be synced everywhere (Windows); the file itself is.
  }
}

/**
 * Opens a file of ours to change it in place; with `create` a missing one is made.
 * @throws PlimsollError `unsafe-file` for a link, anything but a file, a file with a second name, or somebody else's
 */
function openOwn(path: string, options: { append: boolean; create: boolean }): number {
  const flags = O_RDWR | (options.append ? O_APPEND : 0) | (options.create ? O_CREAT : 0);
  const descriptor = openPlain(path, flags, false, 0o600);
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.nlink <= 1 && isOwnFile(stats)) return descriptor;
  closeSync(descriptor);
  throw buildUnsafeFile('Not a file of ours alone', path);
}

/** Opens a file of ours to overwrite parts of it. @throws PlimsollError `unsafe-file`, also for a link in place of its folder */
function openInPlace(path: string, create: boolean): number {
  checkFolder(dirname(path));
  return openOwn(path, { append: false, create });
}

/**
 * Overwrites a part of a file of ours, or appends to it, in one write. The descriptor stays open, because the process
 * ends right after.
 */
export function writeInPlace(path: string, text: string, at: number, create: boolean): void {
  writeSync(openInPlace(path, create), text, at);
}

/**
 * Reads a part of a file of ours and overwrites what `change` gives for it, without a lock. Like `writeInPlace`, it leaves the
 * descriptor open.
 * @param part where the text begins, and its most bytes; each byte is one character
 */
export function changeInPlace(
  path: string,
  part: { create: boolean; from: number; bytes: number },
  change: (text: string) => readonly { at: number; text: string }[],
): void {
  const descriptor = openInPlace(path, part.create);
  const bytes = Buffer.alloc(part.bytes);
  const read = readSync(descriptor, bytes, 0, part.bytes, part.from);
  for (const { at, text } of change(bytes.toString('latin1', 0, read))) writeSync(descriptor, text, at);
}

/** Appends in one write to a file that is open for appending. @throws when only a part fits */
export function appendOnce(descriptor: number, text: string, path: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  try {
    written = writeSync(descriptor, bytes);
  } catch (error) {
    throw nameFile(error, path);
  }
  if (written === bytes.length) return;
  const error = new Error(`Only ${written} of ${bytes.length} bytes fit`);
  throw Object.assign(error, { code: 'ENOSPC', path });
}

/** Runs something with a file of ours that is open for reading and appending; a missing one is made. */
export function withOwn<T>(path: string, run: (descriptor: number) => T): T {
  makeFolder(dirname(path));
  const descriptor = openOwn(path, { append: true, create: true });
  try {
    return run(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Appends lines in a single write: no lock is needed on a local disk. */
export const appendText = (path: string, text: string): void =>
  withOwn(path, (descriptor) => appendOnce(descriptor, text, path));

/** Appends one JSON line. */
export const appendLine = (path: string, value: unknown): void =>
  appendText(path, `${JSON.stringify(value)}\n`);
