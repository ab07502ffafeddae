// Everything that is kept for a session: its folder and its checkpoints, whether it is running, and their removal.

import { basename } from 'node:path';
import {
  acknowledge,
  checkpointPath,
  findCheckpointSession,
  listCheckpoints,
  listOrphans,
  parseCheckpointNumber,
  removeCheckpointOnly,
  removeMarker,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { isUnderWay } from '../../handoff/decide-handoff.ts';
import { findLastSign } from '../../handoff/previous-session.io.ts';
import { exists, listFiles, stampOf } from '../../platform/look.ts';
import { isRunning } from '../../platform/process.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { joinPath, listSessionFolders, sessionFiles } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { removeWhole } from '../../platform/write.ts';
import { readStateIn } from '../session-states.io.ts';

export interface SessionFiles {
  /** Its id if the state tells it, else the name of its folder. */
  id: string;
  folder: string;
  /** Ids of its checkpoints, oldest first. */
  checkpoints: string[];
  /** How many files lie in its folder. */
  files: number;
  /** Time of its last activity in ms, or of its files when nothing else is known. */
  touched: number;
  isUnderWay: boolean;
}

function filesOf(paths: ProjectPaths, folder: string, checkpoints: string[], now: number): SessionFiles {
  const own = sessionFiles(folder);
  const state = tryOrNull(() => readStateIn(paths, own));
  const inside = [folder, own.claims].flatMap((each) => listFiles(each).map((name) => joinPath(each, name)));
  const times = [...inside, ...checkpoints.map((id) => checkpointPath(paths, id))].map(
    (path) => stampOf(path).mtimeMs,
  );
  const at = (state === null ? null : findLastSign(paths, state)) ?? Math.max(0, ...times);
  const running = state?.process == null ? null : isRunning(state.process);
  // Unreadable state, or the record of a hook run, may belong to a running session; a file that was set aside does not.
  const mayGoOn = exists(own.state) || exists(own.runs);
  return {
    id: state?.session_id ?? basename(folder),
    folder,
    checkpoints,
    files: inside.length,
    touched: at,
    isUnderWay: mayGoOn && isUnderWay({ ended: state?.ended ?? null }, { at, now, isRunning: running }),
  };
}

/** Everything kept for sessions, the last active one first. */
export function listSessionFiles(paths: ProjectPaths, now: number): SessionFiles[] {
  const owned = new Map<string, string[]>(listSessionFolders(paths).map(({ folder }) => [folder, []]));
  for (const id of listCheckpoints(paths)) {
    const owner = findCheckpointSession(paths, id);
    if (owner === null) continue;
    const { folder } = paths.session(owner);
    owned.set(folder, [...(owned.get(folder) ?? []), id]);
  }
  return [...owned]
    .map(([folder, checkpoints]) => filesOf(paths, folder, checkpoints, now))
    .sort((a, b) => b.touched - a.touched);
}

/** Checkpoints that do not name their session. */
export const listOwnerless = (paths: ProjectPaths): string[] =>
  listCheckpoints(paths).filter((id) => findCheckpointSession(paths, id) === null);

export interface FailedRemoval {
  name: string;
  error: string;
}

/** Runs one removal; a failure is noted and does not stop the others. */
export function tryRemoval(failed: FailedRemoval[], name: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    failed.push({ name, error: error instanceof Error ? error.message : String(error) });
  }
}

/** Removes checkpoints; their markers stay, so that none ever looks as if the agent was not told, for `deleteOrphans`. */
export function deleteCheckpoints(
  paths: ProjectPaths,
  ids: readonly string[],
  owner: string,
  now: number,
): FailedRemoval[] {
  const failed: FailedRemoval[] = [];
  for (const id of ids) {
    tryRemoval(failed, id, () => {
      acknowledge(paths, owner, id, 'removed by plimsoll delete', now);
      removeCheckpointOnly(paths, id);
    });
  }
  return failed;
}

/**
 * Removes everything kept for a session: checkpoints first, then its folder. As long as the folder is there, another removal
 * finds the rest.
 */
export function deleteSessionFiles(
  paths: ProjectPaths,
  { id, folder, checkpoints }: SessionFiles,
  now: number,
): FailedRemoval[] {
  const failed = deleteCheckpoints(paths, checkpoints, id, now);
  tryRemoval(failed, folder, () => {
    if (exists(folder)) removeWhole(folder);
  });
  return failed;
}

/** Removes markers whose checkpoints are gone, except the one with the highest number: it is not given again. */
export function deleteOrphans(paths: ProjectPaths): void {
  const orphans = listOrphans(paths);
  const highest = Math.max(0, ...[...listCheckpoints(paths), ...orphans].map(parseCheckpointNumber));
  for (const id of orphans) if (parseCheckpointNumber(id) !== highest) removeMarker(paths, id);
}
