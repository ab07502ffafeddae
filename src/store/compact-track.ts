// How is a track compacted? Under one lock: end what was interrupted, read, plan, change all files or none.

import { join } from 'node:path';
import { type Compaction, planCompaction } from '../model/tracks/compact.ts';
import { homesOf } from '../model/tracks/homes.ts';
import { readCompactionFiles } from './compaction-inputs.ts';
import { folderInside, LeadsOut } from './inside.ts';
import { withLock } from './lock.ts';
import { sha256 } from './sha256.ts';
import { applyChanges, isInterrupted, sweepLeftovers } from './tracks-apply.ts';
import { CompactionRefused, settleJournals } from './tracks-journal.ts';

export interface CompactOptions {
  /** The project's root. */
  root: string;
  track: string;
  /** Whose transient files are referred to; null: the conversation that worked on the track last. */
  session: string | null;
  /** Setting tracks.core_writes. */
  coreWrites: boolean;
  /** Milliseconds to wait for another compaction at the most. */
  wait?: number;
}

/** What a compaction would do, as the files are now. Nothing is written, no lock is taken. */
export function previewCompaction({ root, track, session, coreWrites }: CompactOptions): Compaction {
  const { files, transient, faults } = readCompactionFiles(root, track, session);
  const plan = planCompaction({ track, files, transient, session, coreWrites, hash: sha256 });
  const notes = isInterrupted(root, track)
    ? [...plan.notes, `An interrupted compaction of ${track} comes first.`]
    : plan.notes;
  return faults.length === 0
    ? { ...plan, notes }
    : { changes: [], latest: null, violations: [...faults, ...plan.violations], notes };
}

/** The folder of all checkpoints. @throws CompactionRefused where a link leads out of the project */
function folderOf(root: string): string {
  try {
    return folderInside(root, 'artifacts/checkpoints');
  } catch (error) {
    throw error instanceof LeadsOut ? new CompactionRefused(error.message, error.next) : error;
  }
}

/**
 * Compacts a track. With violations nothing is changed; what was interrupted before is ended in any case.
 *
 * @throws CompactionRefused, Locked, or what the file system throws; nothing of this compaction is changed then
 */
export function compactTrack(options: CompactOptions): Compaction {
  const { root, track, coreWrites, wait } = options;
  const folder = folderOf(root);
  // One lock for all tracks: they share the invariants.
  return withLock(
    join(folder, 'compaction'),
    (isHeld) => {
      const settled = settleJournals(root);
      sweepLeftovers(
        root,
        track,
        homesOf(track, coreWrites).map(({ path }) => path),
      );
      const plan = previewCompaction(options);
      if (plan.changes.length > 0) applyChanges(root, track, plan.changes, isHeld);
      return { ...plan, notes: [...settled, ...plan.notes] };
    },
    wait,
  );
}
