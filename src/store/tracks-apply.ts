// Changes all files of a track's compaction or none of them, even if the process dies in between.
import { basename, dirname } from 'node:path';
import type { Change } from '../model/tracks/compact.ts';
import { latestFile, trackCheckpoints } from '../model/tracks/layout.ts';
import { isInProject } from '../platform/in-project.ts';
import { LostLock } from '../platform/lock.ts';
import { namesIn } from '../platform/look.ts';
import { isAlive } from '../platform/process.ts';
import { FOREIGN, readUntrusted } from '../platform/read.ts';
import { moveFile, remove, setMode, syncFolder, writeTemporary } from '../platform/write.ts';
import { below } from './paths.ts';
import {
  CompactionRefused,
  modeOf,
  removeJournal,
  takeBack,
  targetOf,
  writeJournal,
} from './tracks-journal.ts';

interface Prepared extends Change {
  target: string;
  /** The new text, beside the target. */
  temporary: string;
}

/** @throws CompactionRefused when a file is not as it was when the changes were planned */
function checkUnchanged(files: readonly Prepared[]): void {
  for (const { path, target, before } of files) {
    if (readUntrusted(target, FOREIGN) !== before)
      throw new CompactionRefused(
        `${path} was changed while it was compacted. Nothing was changed`,
        'run it again',
      );
  }
}

function prepare(root: string, track: string, changes: readonly Change[], prepared: Prepared[]): void {
  // latest.json comes last, so that the files it names exist before it names them.
  const isLast = ({ path }: Change): boolean => path === latestFile(track);
  for (const change of [...changes.filter((each) => !isLast(each)), ...changes.filter(isLast)]) {
    const target = targetOf(root, track, change.path);
    const mode = modeOf(change.path, target);
    const temporary = writeTemporary(target, change.after, { fsync: true, mode });
    prepared.push({ ...change, target, temporary });
    // An existing file may have rights that the umask took off the new one.
    if (change.before !== null) setMode(temporary, mode);
  }
}

/**
 * Applies planned changes: all new texts and the journal are on the disk before the first file changes; then each file
 * is renamed into place. If the process is killed, `settleJournals` finishes or reverts the changes; if a step fails,
 * they are reverted here. Call it only under the lock; `isHeld` tells whether that is still held.
 *
 * @throws CompactionRefused when a file was changed meanwhile, LostLock, or what the file system throws; nothing is changed then
 */
export function applyChanges(
  root: string,
  track: string,
  changes: readonly Change[],
  isHeld: () => boolean = () => true,
): void {
  const prepared: Prepared[] = [];
  const discard = (): void => {
    for (const { temporary } of prepared) remove(temporary);
  };
  try {
    prepare(root, track, changes, prepared);
    checkUnchanged(prepared);
    if (!isHeld()) throw new LostLock('Another process has taken over. Nothing was changed');
    writeJournal(root, track, changes);
  } catch (error) {
    discard();
    throw error;
  }
  const done: Prepared[] = [];
  try {
    for (const each of prepared) {
      checkUnchanged([each]);
      moveFile(each.temporary, each.target);
      done.push(each);
    }
  } catch (error) {
    // If this fails too, the journal stays, and the next compaction settles it.
    takeBack(root, track, done);
    discard();
    removeJournal(root, track);
    throw error;
  }
  for (const folder of new Set(prepared.map(({ target }) => dirname(target)))) syncFolder(folder);
  removeJournal(root, track);
}

const LEFTOVER = /^(.+)\.(\d+)\.(?:\d+\.tmp|take)$/;

/** Removes temporary files that killed compactions left beside the changed files. */
export function sweepLeftovers(root: string, track: string, paths: readonly string[]): void {
  const own = trackCheckpoints(track);
  const all = dirname(own);
  const folders = new Set([own, all, ...paths.map((path) => dirname(path))]);
  const names = new Set(paths.map((path) => basename(path)));
  for (const folder of folders) {
    if (!isInProject(root, folder)) continue;
    for (const name of namesIn(below(root, folder))) {
      const [, base = '', pid] = LEFTOVER.exec(name) ?? [];
      if (pid === undefined || isAlive(Number(pid))) continue;
      if (folder === own || folder === all || names.has(base)) remove(below(below(root, folder), name));
    }
  }
}
