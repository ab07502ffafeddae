// How do two processes change one file without losing either change?
import { readFileSync, renameSync, statSync } from 'node:fs';
import { createFile, remove, replaceFile } from './atomic.ts';
import { pause } from './pause.ts';
import { isAlive } from './process.ts';

const WAIT_MS = 400;
const STALE_MS = 5_000;
const SETTLE_MS = 5;

const ownerOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

function isStale(path: string, owner: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > STALE_MS || !isAlive(Number(owner.split(' ')[0]));
  } catch {
    return false;
  }
}

/** Replaces a dead holder's lock by our own; after a moment only the last of several takers still finds its name. */
function takeOver(path: string, me: string): boolean {
  const mine = `${path}.${process.pid}.take`;
  replaceFile(mine, me);
  renameSync(mine, path);
  pause(SETTLE_MS);
  return ownerOf(path) === me;
}

let counter = 0;

/**
 * Runs `change` while holding the lock of a file.
 * @throws when the lock is not to be had within 0.4 s; nothing was changed then
 */
export function withLock<T>(file: string, change: () => T): T {
  const path = `${file}.lock`;
  const me = `${process.pid} ${Date.now()} ${counter++}`;
  const end = Date.now() + WAIT_MS;
  for (;;) {
    if (createFile(path, me)) break;
    const owner = ownerOf(path);
    if (owner !== null && isStale(path, owner) && takeOver(path, me)) break;
    if (Date.now() > end)
      throw new Error(`Cannot lock "${file}": held by process ${owner?.split(' ')[0] ?? '?'}`);
    pause(3);
  }
  try {
    return change();
  } finally {
    if (ownerOf(path) === me) remove(path);
  }
}
