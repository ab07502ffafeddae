// How does all that is kept of a conversation go, so that who dies over it leaves nothing that looks untold?

import { withLock } from '../platform/lock.ts';
import { remove } from '../platform/write.ts';
import {
  acknowledge,
  listCheckpoints,
  listOrphans,
  numberOf,
  removeCheckpoint,
  removeCheckpointOnly,
  removeMarker,
} from './checkpoint-files.ts';
import type { Holding } from './holdings.ts';
import type { ProjectPaths } from './paths.ts';

export interface Failed {
  name: string;
  error: string;
}

/** How long a file's lock is waited for, in ms. */
const WAIT_MS = 2_000;

/** Runs one removal; what fails is noted, and does not keep the others. */
function trying(failed: Failed[], name: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    failed.push({ name, error: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Removes checkpoints, each before its marker. The highest number that was given keeps its marker, so that it is not given
 * again: where the checkpoint has none it gets one first.
 */
export function purgeCheckpoints(
  paths: ProjectPaths,
  ids: readonly string[],
  owner: string,
  now: number,
): Failed[] {
  const failed: Failed[] = [];
  const highest = Math.max(0, ...[...listCheckpoints(paths), ...listOrphans(paths)].map(numberOf));
  for (const id of ids) {
    trying(failed, id, () => {
      if (numberOf(id) !== highest) {
        removeCheckpoint(paths, id);
        return;
      }
      acknowledge(paths, owner, id, 'removed by plimsoll purge', now);
      removeCheckpointOnly(paths, id);
    });
  }
  return failed;
}

/**
 * Removes all that is kept of a conversation: checkpoints first, its state last. While the state is there, another purge
 * finds the rest.
 */
export function purgeHolding(paths: ProjectPaths, holding: Holding, now: number): Failed[] {
  const failed = purgeCheckpoints(paths, holding.checkpoints, holding.id, now);
  for (const path of holding.files) {
    if (path.endsWith('.lock')) continue;
    trying(failed, path, () => {
      const isLocked = path.endsWith('.json') || path.endsWith('.jsonl');
      // Someone may be writing it at this very moment; a dead one's lock goes with it.
      if (isLocked) withLock(path, () => remove(path), WAIT_MS);
      else remove(path);
    });
  }
  return failed;
}

/** Removes markers whose checkpoints are gone, but for the highest number. */
export function purgeOrphans(paths: ProjectPaths): void {
  const orphans = listOrphans(paths);
  const highest = Math.max(0, ...[...listCheckpoints(paths), ...orphans].map(numberOf));
  for (const id of orphans) if (numberOf(id) !== highest) removeMarker(paths, id);
}

/** Removes logs of failures. */
export const purgeLogs = (paths: ProjectPaths): void => {
  remove(paths.failures);
  remove(paths.failures.replace(/\.jsonl$/, '.old.jsonl'));
};
