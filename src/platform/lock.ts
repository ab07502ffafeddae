// Lets two processes change one file without losing either change.
import { renameSync, statSync } from 'node:fs';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { isAlive, pause } from './process.ts';
import { FOREIGN_FILE, readTextOrNull } from './read.ts';
import { createFile, remove } from './write.ts';

const WAIT_MS = 400;
const STALE_MS = 5_000;
const LONGEST_PAUSE_MS = 25;

const ownerOf = (path: string): string | null => readTextOrNull(path, FOREIGN_FILE);

/** The process that a lock's line names: process, time, count. 0 where it was written only in part, or is none of ours. */
export const holderIn = (line: string): number => Number(/^(\d+) \d+ \d+$/.exec(line)?.[1] ?? 0);

/** Whether the lock's holder is gone. A holder that released it and ended counts as gone only if nobody else took it. */
function isStale(path: string, owner: string): boolean {
  const holder = holderIn(owner);
  try {
    const isOld = Date.now() - statSync(path).mtimeMs > STALE_MS;
    return (isOld || !(holder > 0 && isAlive(holder))) && ownerOf(path) === owner;
  } catch {
    return false;
  }
}

/** Replaces a dead holder's lock by our own. One process at a time may: another one may have judged the same holder, and be late. */
function takeOver(path: string, dead: string, me: string): boolean {
  const mine = `${path}.take`;
  if (!createFile(mine, me)) {
    const other = ownerOf(mine);
    if (other !== null && isStale(mine, other)) remove(mine);
    return false;
  }
  if (ownerOf(path) === dead) {
    renameSync(mine, path);
    return true;
  }
  remove(mine);
  return false;
}

let counter = 0;

/**
 * Runs `change` while holding the lock of a file. Its argument tells whether the lock is still held: a process that was
 * stopped for long may have lost it.
 * @param wait milliseconds; a hook waits for 0.4 s at the most, a command can wait longer
 * @throws PlimsollError `locked` when the lock is not to be had in that time; nothing was changed then
 */
export function withLock<T>(file: string, change: (isHeld: () => boolean) => T, wait = WAIT_MS): T {
  const path = `${file}.lock`;
  const me = `${process.pid} ${Date.now()} ${counter++}`;
  const end = Date.now() + wait;
  for (let tries = 0; ; tries++) {
    // Reading costs less than trying to create: processes that wait leave the machine to the holder.
    let owner = ownerOf(path);
    if (owner === null) {
      if (createFile(path, me)) break;
      owner = ownerOf(path);
    }
    if (owner !== null && isStale(path, owner) && takeOver(path, owner, me)) break;
    if (Date.now() > end)
      throw new PlimsollError(
        'locked',
        `Cannot lock "${file}": held by process ${owner?.split(' ')[0] ?? '?'}`,
        { path: file },
      );
    pause(Math.min(3 + tries, LONGEST_PAUSE_MS));
  }
  try {
    return change(() => ownerOf(path) === me);
  } finally {
    if (ownerOf(path) === me) remove(path);
  }
}
