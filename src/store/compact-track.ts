// Compacts a track under one lock: ends an interrupted compaction, plans the changes, and makes all of them or none.

import { type Change, type Compaction, planCompaction } from '../model/tracks/compact.ts';
import type { Violation } from '../model/tracks/entry.ts';
import { homesOf } from '../model/tracks/homes.ts';
import { tryStep } from '../model/try-step.ts';
import { LeadsOut, mkdirInProject } from '../platform/in-project.ts';
import { withLock } from '../platform/lock.ts';
import { readCompactionFiles, readPlanCopy } from './compaction-inputs.ts';
import { below } from './paths.ts';
import { removeOldCopies } from './plan-copies.ts';
import { sha256 } from './sha256.ts';
import { applyChanges, sweepLeftovers } from './tracks-apply.ts';
import { CompactionRefused, isInterrupted, settleJournals } from './tracks-journal.ts';

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
function withCopy(root: string, track: string, change: Change, faults: Violation[]): Change[] {
  const found = change.before === null ? readPlanCopy(root, track, change.path) : null;
  if (found === null) return [change];
  if ('file' in found) faults.push(found);
  else if (found.text !== change.after) return [{ ...change, before: found.text }];
  return [];
}

/** The plan of a compaction for the present files. Nothing is written, no lock is taken. */
export function previewCompaction({ root, track, session, coreWrites }: CompactOptions): Compaction {
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
export function compactTrack(options: CompactOptions): Compaction {
  const { root, track, coreWrites, wait } = options;
  const folder = folderOf(root);
  // One lock for all tracks: they share the invariants.
  return withLock(
    below(folder, 'compaction'),
    (isHeld) => {
      const settled = settleJournals(root);
      sweepLeftovers(
        root,
        track,
        homesOf(track, coreWrites).map(({ path }) => path),
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
