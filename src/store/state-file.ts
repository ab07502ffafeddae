// How is a file of the user changed so that no byte, no comment and no foreign change is lost?
import { basename, dirname, join } from 'node:path';
import { LostLock, withLock } from '../platform/lock.ts';
import { checkWritable, namesIn, realPath, stampOf, statsOf } from '../platform/look.ts';
import { isAlive } from '../platform/process.ts';
import { readBytes, readTextOrNull, SETTINGS } from '../platform/read.ts';
import { createFile, remove, replaceFile, setMode, setTimes, syncFolder } from '../platform/write.ts';

/** Larger files are no state of a workflow. */
const MOST_BYTES = 1024 * 1024;
/** Commands queue: each holds the lock for as long as it takes to read and to check the file. */
const WAIT_MS = 20_000;
const TRIES = 5;

/** Why a file cannot be read as text, or changed now. */
export class FileRefused extends Error {}

/** The file changed between our look and our rename. */
class Overtaken extends Error {}

function checkSize(verb: string, bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  throw new FileRefused(
    `it ${verb} ${Math.ceil(bytes / 1024)} KB, more than the ${MOST_BYTES / 1024} KB that are read`,
  );
}

/**
 * Text of a file, byte for byte: what would not come back the same when written is refused.
 * @throws FileRefused
 */
export function readStateFile(path: string): string {
  checkSize('has', stampOf(path).size);
  const bytes = readBytes(path, SETTINGS);
  if (bytes === null) throw new FileRefused('it is not there');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new FileRefused('it is not UTF-8 text');
  return text;
}

const isSame = (path: string, text: string): boolean => readTextOrNull(path, SETTINGS) === text;

/**
 * Gives a new file a later time than the one it replaces: clocks of file systems tick in milliseconds, and who remembers a
 * file by size and time must see every change.
 */
function makeLater(temporary: string, target: string): void {
  const [mine, theirs] = [stampOf(temporary).mtimeMs, stampOf(target).mtimeMs];
  if (mine <= theirs && theirs - mine < 1_000) setTimes(temporary, Date.now(), theirs + 2);
}

/** Removes what a killed process left beside the file. */
function sweep(target: string): void {
  const name = basename(target);
  for (const each of namesIn(dirname(target))) {
    const pid = each.startsWith(`${name}.`) ? /\.(\d+)\.(?:\d+\.tmp|take)$/.exec(each)?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(dirname(target), each));
  }
}

/**
 * Changes a file under its lock: read, change, replace as a whole; a symlink is followed, the mode kept.
 * When the file was changed by somebody who knows no lock, their text is read and changed instead. The change is worked
 * out before the lock is taken, and again only where the text is another one by then: most of its time goes into loading
 * what it needs, which nobody else has to wait for.
 * @param change gives the new text; called again after a foreign change; what it throws leaves the file as it is
 * @param wait milliseconds to wait for the lock at the most
 * @returns whether anything was written
 * @throws FileRefused, Locked
 */
export function changeStateFile(path: string, change: (text: string) => string, wait = WAIT_MS): boolean {
  const target = realPath(path);
  let before = readStateFile(target);
  let after = change(before);
  if (after === before) return false;
  return withLock(
    target,
    (isHeld) => {
      sweep(target);
      for (let left = TRIES; left > 0; left--) {
        const present = readStateFile(target);
        if (present !== before) {
          before = present;
          after = change(before);
        }
        if (after === before) return false;
        try {
          replaceIfSame(target, before, after, isHeld);
          return true;
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error;
        }
      }
      throw new FileRefused('somebody else keeps changing it');
    },
    wait,
  );
}

/** @throws Overtaken when the file is another one by then, LostLock when somebody has taken over, who may write at any time */
function replaceIfSame(target: string, before: string, after: string, isHeld: () => boolean): void {
  // Nobody could read it any more.
  checkSize('would have', Buffer.byteLength(after));
  checkWritable(target);
  const mode = (statsOf(target)?.mode ?? 0o600) & 0o7777;
  replaceFile(target, after, {
    fsync: true,
    mode,
    beforeRename: (temporary) => {
      setMode(temporary, mode);
      if (!isSame(temporary, after)) throw new Error(`"${temporary}" does not hold what was written`);
      makeLater(temporary, target);
      if (!isHeld()) throw new LostLock(`Lost the lock of "${target}"`);
      if (!isSame(target, before)) throw new Overtaken();
    },
  });
  syncFolder(dirname(target));
}

/** Creates a file of the user; false when it is there already. */
export const createStateFile = (path: string, text: string, mode = 0o666): boolean =>
  createFile(path, text, { fsync: true, mode });
