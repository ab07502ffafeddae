// Compacts a track under one lock: ends an interrupted compaction, plans the changes, and makes all of them or none.
import { basename, dirname, join } from 'node:path';
import {
  isInProject,
  LeadsOut,
  mkdirInProject,
  readInProjectOrNull,
  realInProject,
} from '../../../platform/in-project.ts';
import { LostLock, withLock } from '../../../platform/lock.ts';
import { namesIn, ownStatsOf } from '../../../platform/look.ts';
import { isAlive } from '../../../platform/process.ts';
import { joinPath } from '../../../platform/project/paths.ts';
import { tryStep } from '../../../platform/project/try-step.ts';
import { FOREIGN_FILE, readUntrusted } from '../../../platform/read.ts';
import { sha256 } from '../../../platform/sha256.ts';
import { moveFile, remove, setMode, syncFolder, writeTemporary } from '../../../platform/write.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { listTargetFiles } from '../entries/targets.ts';
import { isPlanCopy, readLatest } from '../last-compaction.ts';
import { latestFile, trackCheckpoints } from '../layout.ts';
import { planCompaction, type TrackCompaction, type TrackFileChange } from '../plan-compaction.ts';
import { readCompactionFiles, readPlanCopy } from './compaction-inputs.io.ts';
import {
  CompactionRefused,
  isInterrupted,
  modeOf,
  removeJournal,
  resolveTrackFile,
  rollBack,
  settleJournals,
  writeJournal,
} from './tracks-journal.io.ts';

interface Prepared extends TrackFileChange {
  target: string;
  /** The new text, beside the target. */
  temporary: string;
}

/** @throws CompactionRefused when a file is not as it was when the changes were planned */
function checkUnchanged(files: readonly Prepared[]): void {
  for (const { path, target, before } of files) {
    if (readUntrusted(target, FOREIGN_FILE) !== before)
      throw new CompactionRefused(
        `${path} was changed while it was compacted. Nothing was changed`,
        'run it again',
      );
  }
}

function prepare(
  root: string,
  track: string,
  changes: readonly TrackFileChange[],
  prepared: Prepared[],
): void {
  // latest.json comes last, so that the files it names exist before it names them.
  const isLast = ({ path }: TrackFileChange): boolean => path === latestFile(track);
  for (const change of [...changes.filter((each) => !isLast(each)), ...changes.filter(isLast)]) {
    const target = resolveTrackFile(root, track, change.path);
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
  changes: readonly TrackFileChange[],
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
    rollBack(root, track, done);
    discard();
    removeJournal(root, track);
    throw error;
  }
  for (const folder of new Set(prepared.map(({ target }) => dirname(target)))) syncFolder(folder);
  removeJournal(root, track);
}

const LEFTOVER = /^(.+)\.(\d+)\.(?:\d+\.tmp|take)$/;

/** Removes temporary files that killed compactions left beside the changed files. */
function sweepLeftovers(root: string, track: string, paths: readonly string[]): void {
  const own = trackCheckpoints(track);
  const all = dirname(own);
  const folders = new Set([own, all, ...paths.map((path) => dirname(path))]);
  const names = new Set(paths.map((path) => basename(path)));
  for (const folder of folders) {
    if (!isInProject(root, folder)) continue;
    for (const name of namesIn(joinPath(root, folder))) {
      const [, base = '', pid] = LEFTOVER.exec(name) ?? [];
      if (pid === undefined || isAlive(Number(pid))) continue;
      if (folder === own || folder === all || names.has(base)) remove(joinPath(joinPath(root, folder), name));
    }
  }
}

const MOST = 10;

/**
 * Removes older copies. It runs only after a compaction, under its lock: latest.json is then on the disk, and if the
 * process dies, the next compaction removes the rest. Age decides only about removal, never about any content.
 *
 * @throws what the file system throws
 */
function removeOldCopies(root: string, track: string): void {
  const folder = realInProject(root, trackCheckpoints(track));
  const names = folder === null ? [] : namesIn(folder).filter(isPlanCopy);
  if (folder === null || names.length <= MOST) return;
  const latest = readLatest(readInProjectOrNull(root, latestFile(track)) ?? '');
  // An unreadable file may name any copy, so none is removed.
  if (latest === null) return;
  const isNamed = (name: string): boolean => latest.plan?.path === `${trackCheckpoints(track)}/${name}`;
  const ageOf = (name: string): number => ownStatsOf(join(folder, name))?.mtimeMs ?? 0;
  const newestFirst = names
    .map((name) => ({ name, at: ageOf(name) }))
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  for (const { name } of newestFirst.slice(MOST)) if (!isNamed(name)) remove(join(folder, name));
}

export interface CompactOptions {
  /** The project's root. */
  root: string;
  track: string;
  /** The session whose transient files are referred to; null: the one that worked on the track last. */
  session: string | null;
  /** Setting tracks.core_writes. */
  coreWrites: boolean;
  /** The most milliseconds to wait for another compaction. */
  wait?: number;
}

/**
 * A change together with the present text of its file; none when they are equal. A copy of a plan that has returned to
 * an earlier text may exist already, though nothing names it any more, and its name is known only now.
 */
function withCopy(
  root: string,
  track: string,
  change: TrackFileChange,
  faults: EntryViolation[],
): TrackFileChange[] {
  const found = change.before === null ? readPlanCopy(root, track, change.path) : null;
  if (found === null) return [change];
  if ('file' in found) faults.push(found);
  else if (found.text !== change.after) return [{ ...change, before: found.text }];
  return [];
}

/** The plan of a compaction for the present files. Nothing is written, no lock is taken. */
export function previewCompaction({ root, track, session, coreWrites }: CompactOptions): TrackCompaction {
  const { files, transient, faults } = readCompactionFiles(root, track, session);
  const plan = planCompaction({ track, files, transient, session, coreWrites, hash: sha256 });
  const changes = plan.changes.flatMap((each) => withCopy(root, track, each, faults));
  const notes = isInterrupted(root, track)
    ? [...plan.notes, `An interrupted compaction of ${track} comes first.`]
    : plan.notes;
  return faults.length === 0
    ? { ...plan, changes, notes }
    : { changes: [], latest: null, violations: [...faults, ...plan.violations], notes };
}

/** The folder of all checkpoints of tracks. @throws CompactionRefused when a link leads out of the project */
function folderOf(root: string): string {
  try {
    return mkdirInProject(root, 'artifacts/checkpoints');
  } catch (error) {
    throw error instanceof LeadsOut ? new CompactionRefused(error.message, error.next) : error;
  }
}

/**
 * Compacts a track. With violations nothing is changed; an interrupted compaction is ended in any case.
 *
 * @throws CompactionRefused, Locked, or what the file system throws; nothing of this compaction is changed then
 */
export function compactTrack(options: CompactOptions): TrackCompaction {
  const { root, track, coreWrites, wait } = options;
  const folder = folderOf(root);
  // One lock for all tracks: they share the invariants.
  return withLock(
    joinPath(folder, 'compaction'),
    (isHeld) => {
      const settled = settleJournals(root);
      sweepLeftovers(
        root,
        track,
        listTargetFiles(track, coreWrites).map(({ path }) => path),
      );
      const plan = previewCompaction(options);
      if (plan.changes.length > 0) applyChanges(root, track, plan.changes, isHeld);
      const notes = [...settled, ...plan.notes];
      if (plan.violations.length === 0 && isHeld())
        tryStep(
          { onFailure: (_, error) => void notes.push(`Older copies of the plan stay: ${error}`) },
          'copies',
          () => removeOldCopies(root, track),
        );
      return { ...plan, notes };
    },
    wait,
  );
}
