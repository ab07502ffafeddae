// Changes a file of the user without losing a byte, a comment or somebody else's change.
import { basename, dirname, join } from 'node:path';
import { isError, PlimsollError } from '../text/plimsoll-error.ts';
import { withLock } from './lock.ts';
import { checkWritable, listNames, readStamp, readStats, resolveRealPath } from './look.ts';
import { isAlive } from './process.ts';
import { readBytes, readTextOrNull, SETTINGS_FILE } from './read.ts';
import { createFile, remove, replaceFile, setMode, setTimes, syncFolder } from './write.ts';

/** The largest size of such a file. */
const MOST_BYTES = 1024 * 1024;
/** Commands queue: each holds the lock for as long as it takes to read and to check the file. */
const WAIT_MS = 20_000;
const TRIES = 5;

function checkSize(verb: string, bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  throw new PlimsollError(
    'unusable-file',
    `it ${verb} ${Math.ceil(bytes / 1024)} KB, more than the ${MOST_BYTES / 1024} KB that are read`,
  );
}

/**
 * Text of a file; one that would not be the same when written back is refused.
 * @throws PlimsollError `unusable-file`
 */
export function readUserFile(path: string): string {
  checkSize('has', readStamp(path).size);
  const bytes = readBytes(path, SETTINGS_FILE);
  if (bytes === null) throw new PlimsollError('unusable-file', 'it is not there');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes))
    throw new PlimsollError('unusable-file', 'it is not UTF-8 text');
  return text;
}

const isSame = (path: string, text: string): boolean => readTextOrNull(path, SETTINGS_FILE) === text;

/**
 * Gives a new file a later time than the one it replaces, because file systems count in milliseconds and readers that
 * remember a file by size and time must notice every change.
 */
function makeLater(temporary: string, target: string): void {
  const [mine, theirs] = [readStamp(temporary).mtimeMs, readStamp(target).mtimeMs];
  if (mine <= theirs && theirs - mine < 1_000) setTimes(temporary, Date.now(), theirs + 2);
}

/** Removes temporary files that killed processes left in a folder beside files of ours, by their names. */
export function sweepTemporary(folder: string, isOurs: (name: string) => boolean): void {
  for (const each of listNames(folder)) {
    const [, name = '', pid] = /^(.+)\.(\d+)\.(?:\d+\.tmp|take)$/.exec(each) ?? [];
    if (pid !== undefined && isOurs(name) && !isAlive(Number(pid))) remove(join(folder, each));
  }
}

/**
 * Changes a file under its lock: read, change, replace as a whole; a symlink is followed, the mode kept.
 * If somebody changed the file without the lock, their text is read and changed instead. The change is computed before
 * the lock is taken, and again only if the text differs by then: most of its time goes into loading code, which no
 * other process should have to wait for.
 * @param change gives the new text; called again after a foreign change; what it throws leaves the file as it is
 * @param wait the most milliseconds to wait for the lock
 * @returns whether anything was written
 * @throws PlimsollError `unusable-file`, `locked`
 */
export function changeUserFile(path: string, change: (text: string) => string, wait = WAIT_MS): boolean {
  const target = resolveRealPath(path);
  let before = readUserFile(target);
  let after = change(before);
  if (after === before) return false;
  return withLock(
    target,
    (isHeld) => {
      sweepTemporary(dirname(target), (name) => name === basename(target));
      for (let left = TRIES; left > 0; left--) {
        const present = readUserFile(target);
        if (present !== before) {
          before = present;
          after = change(before);
        }
        if (after === before) return false;
        try {
          replaceIfSame(target, before, after, isHeld);
          return true;
        } catch (error) {
          if (!isError(error, 'overtaken')) throw error;
        }
      }
      throw new PlimsollError('unusable-file', 'somebody else keeps changing it');
    },
    wait,
  );
}

/** @throws PlimsollError `overtaken` when the file has changed by then, `lost-lock` when another process has taken the lock over */
function replaceIfSame(target: string, before: string, after: string, isHeld: () => boolean): void {
  // A larger file could not be read again.
  checkSize('would have', Buffer.byteLength(after));
  checkWritable(target);
  const mode = (readStats(target)?.mode ?? 0o600) & 0o7777;
  replaceFile(target, after, {
    fsync: true,
    mode,
    beforeRename: (temporary) => {
      setMode(temporary, mode);
      if (!isSame(temporary, after)) throw new Error(`"${temporary}" does not hold what was written`);
      makeLater(temporary, target);
      if (!isHeld()) throw new PlimsollError('lost-lock', `Lost the lock of "${target}"`);
      if (!isSame(target, before))
        throw new PlimsollError('overtaken', `"${target}" was changed meanwhile`, { path: target });
    },
  });
  syncFolder(dirname(target));
}

/** Creates a file of the user; false when it exists already. */
export const createUserFile = (path: string, text: string, mode = 0o666): boolean =>
  createFile(path, text, { fsync: true, mode });
