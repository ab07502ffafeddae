// The one way to write: whole files or whole lines, in folders that are what they seem, through no link.
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
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isOurs, openPlain } from './read.ts';
import { UnsafeFile } from './unsafe-file.ts';

const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants;

/** A path in the folder of ours in a project, and the part of it that ends with that folder. */
const OURS = /^.*[\\/]\.plimsoll(?=[\\/]|$)/;

/** Folders of ours on the way to a path, the outermost first; none for a path elsewhere. */
function ourFolders(folder: string): string[] {
  const top = OURS.exec(folder)?.[0];
  const found: string[] = [];
  if (top === undefined) return found;
  for (let at = folder; at.length >= top.length; at = dirname(at)) found.unshift(at);
  return found;
}

/** Whether a folder is there. @throws UnsafeFile where it is a link, no folder, or below `.plimsoll` somebody else's */
function isFolderThere(folder: string, isTop: boolean): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory())
    throw new UnsafeFile(
      `${stats.isSymbolicLink() ? 'A link' : 'A file'} stands in place of a folder: "${folder}"`,
    );
  if (!isTop && !isOurs(stats)) throw new UnsafeFile(`Somebody else's folder: "${folder}"`);
  return true;
}

/** Makes sure that what is changed in a folder is changed there. @throws UnsafeFile */
function checkFolder(folder: string): void {
  for (const [index, at] of ourFolders(folder).entries()) if (!isFolderThere(at, index === 0)) return;
}

/**
 * Makes a folder where it is missing; one of ours for the user alone, and through no link.
 * @throws UnsafeFile
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

/** Writes a text beside the file that it is for, whole or not at all; gives the path of what was written. */
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
    throw error;
  }
  closeSync(descriptor);
  return temporary;
}

/** The same, in a folder that is made where it is missing; unless told otherwise for the user alone. */
function prepared(path: string, text: string, options: { fsync?: boolean; mode?: number }): string {
  makeFolder(dirname(path));
  return writeTemporary(path, text, { fsync: options.fsync ?? false, mode: options.mode ?? 0o600 });
}

/** Removes a file, of a link the link; a missing one is no error. */
export function remove(path: string): void {
  checkFolder(dirname(path));
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Sets the rights of a file that was just written: what the user's mask has taken off, a file that it replaces may have. */
export const setMode = (path: string, mode: number): void => chmodSync(path, mode);

/** Sets the times of access and change of what stands at a path, in milliseconds since the epoch; of a link its own. */
export const setTimes = (path: string, accessed: number, changed: number): void =>
  lutimesSync(path, accessed / 1_000, changed / 1_000);

/** Gives a file of ours another name in its folder; what stands there goes. */
export function moveFile(from: string, to: string): void {
  checkFolder(dirname(to));
  renameSync(from, to);
}

/** Removes an empty folder. @throws where it is not empty */
export const removeFolder = (path: string): void => rmdirSync(path);

/**
 * Replaces a file as a whole: temporary file, optional fsync, rename. A link is replaced, not followed.
 * `beforeRename` is the last word: what it throws leaves the old file as it is.
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
 * Opens a file of ours to change it in place; it is made where it is missing, if `create` says so.
 * @throws UnsafeFile for a link, what is no file, a file under a second name, or somebody else's
 */
function openOwn(path: string, options: { append: boolean; create: boolean }): number {
  const flags = O_RDWR | (options.append ? O_APPEND : 0) | (options.create ? O_CREAT : 0);
  const descriptor = openPlain(path, flags, false, 0o600);
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.nlink <= 1 && isOurs(stats)) return descriptor;
  closeSync(descriptor);
  throw new UnsafeFile(`Not a file of ours alone: "${path}"`);
}

/**
 * Writes over a part of a file of ours, or behind its end. One write; its descriptor is closed by the end of the process,
 * which is next.
 */
export function writeInPlace(path: string, text: string, at: number, create: boolean): void {
  writeSync(openOwn(path, { append: false, create }), text, at);
}

/** One write to a file that was opened for appending, whole or an error. */
export function appendOnce(descriptor: number, text: string, path: string): void {
  const bytes = Buffer.from(text, 'utf8');
  const written = writeSync(descriptor, bytes);
  if (written !== bytes.length) throw new Error(`Only ${written} of ${bytes.length} bytes fit: "${path}"`);
}

/** Runs something with a file of ours that is open for reading and appending, and made where it is missing. */
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
