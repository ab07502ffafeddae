// Everything that is kept for a session: its folder and its checkpoints, whether it is running, and their removal.

import { basename, dirname, join } from 'node:path';
import {
  acknowledge,
  findCheckpointSession,
  joinCheckpointPath,
  listCheckpoints,
  listOrphans,
  parseCheckpointNumber,
  removeCheckpointOnly,
  removeMarker,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { isUnderWay } from '../../handoff/decide-handoff.ts';
import { findLastSign } from '../../handoff/previous-session.io.ts';
import { holderIn } from '../../platform/lock.ts';
import { exists, listEntries, listFiles, listFilesUnlinked, readStamp } from '../../platform/look.ts';
import { isAlive, isRunning } from '../../platform/process.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { joinPath, listSessionFolders, listSessionPaths } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { readTextOrNull, STATE_FILE } from '../../platform/read.ts';
import { removeWhole, setTimes } from '../../platform/write.ts';
import { readStateIn } from '../session-states.io.ts';
import { AGES, type Leftover } from './retention.ts';

// Finds files in the state folder that dead or finished processes left (temporary files, locks, claims), and those dated ahead.
const textOf = (path: string): string => readTextOrNull(path, STATE_FILE) ?? '';

/** Files in our folders, never reached through a link, up to a number of names. */
function* ownFiles(folders: readonly string[], most: number): Generator<string> {
  let left = most;
  for (const folder of folders) {
    for (const name of listFilesUnlinked(folder)) {
      if (left-- <= 0) return;
      yield join(folder, name);
    }
  }
}

/** Names of temporary files that `platform/` gives, and nobody else. */
const TEMPORARY = /\.\d+\.(?:\d+\.tmp|take)$/;
/** Files of ours beside the state folder, with possible leftovers of them. */
const SETTINGS = /^(?:config\.toml|quality\.md)\./;
/** Content of one of our claims: process and time. */
const CLAIM = /^\d+ \d{4}-\d\d-\d\dT/;

/** Folders of sessions whose removal was interrupted: renamed away, and still there. */
export const listHalfRemoved = ({ sessions }: ProjectPaths): string[] =>
  listEntries(sessions)
    .filter(({ name, isFolder }) => isFolder && TEMPORARY.test(name))
    .map(({ name }) => join(sessions, name));

const sessionFolders = (paths: ProjectPaths): string[] =>
  listSessionFolders(paths).flatMap(({ folder, claims }) => [folder, claims]);

/**
 * Leftovers of processes; files that only look similar are not ours.
 * @param most names to examine
 */
export function findLeftovers(paths: ProjectPaths, now: number, most: number): Leftover[] {
  const found: Leftover[] = [];
  for (const id of listOrphans(paths)) found.push({ kind: 'marker', name: id, at: 0 });
  for (const name of listHalfRemoved(paths))
    found.push({ kind: 'temporary', name, at: readStamp(name).mtimeMs });
  const { checkpoints, state, root } = paths;
  // The settings, which commands change, are beside the state folder.
  const settings = root === null ? [] : [dirname(state)];
  for (const path of ownFiles([state, checkpoints, ...settings, ...sessionFolders(paths)], most)) {
    const name = basename(path);
    const folder = dirname(path);
    if (settings.includes(folder) && !SETTINGS.test(name)) continue;
    const at = readStamp(path).mtimeMs;
    if (TEMPORARY.test(name)) found.push({ kind: 'temporary', name: path, at });
    else if (name.endsWith('.lock')) {
      const pid = now - at > AGES.lock ? holderIn(textOf(path)) : 0;
      if (pid > 0) found.push({ kind: 'lock', name: path, at, isOwnerAlive: isAlive(pid) });
    } else if (basename(folder) === 'claims' && now - at > AGES.claim && CLAIM.test(textOf(path)))
      found.push({ kind: 'claim', name: path, at });
  }
  return found;
}

/** Files of checkpoints and sessions with a modification time after a given one (ms since the epoch). */
export const listFilesAhead = (paths: ProjectPaths, time: number): { path: string; at: number }[] =>
  [paths.checkpoints, ...sessionFolders(paths)]
    .flatMap((folder) => listFiles(folder).map((name) => join(folder, name)))
    .map((path) => ({ path, at: readStamp(path).mtimeMs }))
    .filter(({ at }) => at > time);

/** Gives a file another time; its content stays. */
export const dateFile = (path: string, time: number): void => setTimes(path, time, time);

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
  const own = listSessionPaths(folder);
  const state = tryOrNull(() => readStateIn(paths, own));
  const inside = [folder, own.claims].flatMap((each) => listFiles(each).map((name) => joinPath(each, name)));
  const times = [...inside, ...checkpoints.map((id) => joinCheckpointPath(paths, id))].map(
    (path) => readStamp(path).mtimeMs,
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
