// How do we write so that a reader never sees half a file, whatever dies in between?
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { below } from './paths.ts';

let counter = 0;
const temporaryName = (path: string): string => `${path}.${process.pid}.${counter++}.tmp`;

/** Writes a text beside the file that it is for, whole or not at all; gives the path of what was written. */
export function writeTemporary(
  path: string,
  text: string,
  options: { fsync: boolean; mode: number },
): string {
  const temporary = temporaryName(path);
  const descriptor = openSync(temporary, 'wx', options.mode);
  try {
    const bytes = Buffer.from(text, 'utf8');
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return writeTemporary(path, text, { fsync: options.fsync ?? false, mode: options.mode ?? 0o600 });
}

/** Removes a file; a missing one is no error. */
export function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Replaces a file as a whole: temporary file, optional fsync, rename.
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

/** What git must not see in a state folder: everything that holds conversation content, and this very list. */
const IGNORED = [
  '.gitignore',
  'config.local.toml',
  'config.snapshot.json',
  'checkpoints/',
  'conversations/',
  'claims/',
  'events/',
  'failures.jsonl',
  'failures.old.jsonl',
  'off',
  '*.tmp',
  '*.lock',
  '*.take',
];

const HEAD = '# written by plimsoll: state of conversations stays on this machine\n';
const CONTENT_FOLDERS = ['checkpoints', 'conversations', 'claims', 'events'];

/**
 * Makes a state folder, its `.gitignore` first. In a folder that has a list of its own, the folders with content get
 * one each.
 */
export function ensureStateFolder(folder: string): void {
  const ignore = below(folder, '.gitignore');
  if (existsSync(ignore)) {
    if (readFileSync(ignore, 'utf8').startsWith(HEAD)) return;
    for (const name of CONTENT_FOLDERS) {
      const own = below(folder, `${name}/.gitignore`);
      if (!existsSync(own)) createFile(own, '*\n');
    }
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  createFile(ignore, `${HEAD}${IGNORED.join('\n')}\n`);
}
