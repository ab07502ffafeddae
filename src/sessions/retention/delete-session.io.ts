// Removes everything saved for a session in an order in which an interruption never leaves an undelivered checkpoint.

import {
  acknowledge,
  listCheckpoints,
  listOrphans,
  parseCheckpointNumber,
  removeCheckpoint,
  removeCheckpointOnly,
  removeMarker,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { withLock } from '../../platform/lock.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { remove } from '../../platform/write.ts';
import type { SessionFiles } from './session-files.io.ts';

export interface FailedRemoval {
  name: string;
  error: string;
}

/** Milliseconds to wait for a file's lock. */
const WAIT_MS = 2_000;

/** Runs one removal; a failure is noted and does not stop the others. */
function trying(failed: FailedRemoval[], name: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    failed.push({ name, error: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Removes checkpoints, each before its marker. The highest number given keeps its marker, so that it is not given
 * again; a checkpoint without one gets it first.
 */
export function deleteCheckpoints(
  paths: ProjectPaths,
  ids: readonly string[],
  owner: string,
  now: number,
): FailedRemoval[] {
  const failed: FailedRemoval[] = [];
  const highest = Math.max(
    0,
    ...[...listCheckpoints(paths), ...listOrphans(paths)].map(parseCheckpointNumber),
  );
  for (const id of ids) {
    trying(failed, id, () => {
      if (parseCheckpointNumber(id) !== highest) {
        removeCheckpoint(paths, id);
        return;
      }
      acknowledge(paths, owner, id, 'removed by plimsoll delete', now);
      removeCheckpointOnly(paths, id);
    });
  }
  return failed;
}

/**
 * Removes everything saved for a session: checkpoints first, its state last. As long as the state exists, another purge
 * finds the rest.
 */
export function deleteSessionFiles(paths: ProjectPaths, holding: SessionFiles, now: number): FailedRemoval[] {
  const failed = deleteCheckpoints(paths, holding.checkpoints, holding.id, now);
  for (const path of holding.files) {
    if (path.endsWith('.lock')) continue;
    trying(failed, path, () => {
      const isLocked = path.endsWith('.json') || path.endsWith('.jsonl');
      // Another process may be writing the file; a dead process's lock is removed with it.
      if (isLocked) withLock(path, () => remove(path), WAIT_MS);
      else remove(path);
    });
  }
  return failed;
}

/** Removes markers whose checkpoints are gone, except the one with the highest number. */
export function deleteOrphans(paths: ProjectPaths): void {
  const orphans = listOrphans(paths);
  const highest = Math.max(0, ...[...listCheckpoints(paths), ...orphans].map(parseCheckpointNumber));
  for (const id of orphans) if (parseCheckpointNumber(id) !== highest) removeMarker(paths, id);
}

/** Removes the failure logs. */
export const deleteFailureLogs = (paths: ProjectPaths): void => {
  remove(paths.failures);
  remove(paths.failures.replace(/\.jsonl$/, '.old.jsonl'));
};
