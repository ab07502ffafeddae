// Finds files in the state folder that dead or finished processes left (temporary files, locks, claims), and those dated ahead.

import { basename, dirname, join } from 'node:path';
import { listOrphans } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { entriesIn, listFiles, listFilesUnlinked, stampOf } from '../../platform/look.ts';
import { isAlive } from '../../platform/process.ts';
import { listSessionFolders, type ProjectPaths } from '../../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../../platform/read.ts';
import { setTimes } from '../../platform/write.ts';
import { AGES, type Leftover } from './retention.ts';

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
/** Content of one of our locks: process, time, count. */
const LOCK = /^(\d+) \d+ \d+$/;
/** Content of one of our claims: process and time. */
const CLAIM = /^\d+ \d{4}-\d\d-\d\dT/;

/** Folders of sessions whose removal was interrupted: renamed away, and still there. */
export const listHalfRemoved = ({ sessions }: ProjectPaths): string[] =>
  entriesIn(sessions)
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
    found.push({ kind: 'temporary', name, at: stampOf(name).mtimeMs });
  const { checkpoints, state, root } = paths;
  // The settings, which commands change, are beside the state folder.
  const settings = root === null ? [] : [dirname(state)];
  for (const path of ownFiles([state, checkpoints, ...settings, ...sessionFolders(paths)], most)) {
    const name = basename(path);
    const folder = dirname(path);
    if (settings.includes(folder) && !SETTINGS.test(name)) continue;
    const at = stampOf(path).mtimeMs;
    if (TEMPORARY.test(name)) found.push({ kind: 'temporary', name: path, at });
    else if (name.endsWith('.lock')) {
      const pid = now - at > AGES.lock ? LOCK.exec(textOf(path))?.[1] : undefined;
      if (pid !== undefined) found.push({ kind: 'lock', name: path, at, isOwnerAlive: isAlive(Number(pid)) });
    } else if (basename(folder) === 'claims' && now - at > AGES.claim && CLAIM.test(textOf(path)))
      found.push({ kind: 'claim', name: path, at });
  }
  return found;
}

/** Files of checkpoints and sessions with a modification time after a given one (ms since the epoch). */
export const filesAhead = (paths: ProjectPaths, time: number): { path: string; at: number }[] =>
  [paths.checkpoints, ...sessionFolders(paths)]
    .flatMap((folder) => listFiles(folder).map((name) => join(folder, name)))
    .map((path) => ({ path, at: stampOf(path).mtimeMs }))
    .filter(({ at }) => at > time);

/** Gives a file another time; its content stays. */
export const dateFile = (path: string, time: number): void => setTimes(path, time, time);
