// Finds files in the state folder that dead or finished processes left: temporary files, locks, claims, companions.

import { basename, dirname, join } from 'node:path';
import { listOrphans } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { listFilesUnlinked, stampOf } from '../../platform/look.ts';
import { isAlive } from '../../platform/process.ts';
import { eventsFolder, type ProjectPaths } from '../../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../../platform/read.ts';
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

/** Endings of the files beside the state of a session. */
const COMPANIONS = [
  'beats',
  'module.feed',
  'statusline.feed',
  'looked',
  'judged',
  'ledger',
  'track',
  'told',
  'refusal',
] as const;

/** The files that may exist beside a state file. */
export const listCompanions = (state: string): string[] =>
  COMPANIONS.map((ending) => state.replace(/json$/, ending));

/** The state file that a file belongs to; null for a file that belongs to none. */
function stateBeside(path: string): string | null {
  const ending = COMPANIONS.find((each) => path.endsWith(`.${each}`));
  return ending === undefined ? null : `${path.slice(0, -ending.length)}json`;
}

/**
 * Leftovers of processes; files that only look similar are not ours.
 * @param most names to examine
 */
export function findLeftovers(paths: ProjectPaths, now: number, most: number): Leftover[] {
  const found: Leftover[] = [];
  for (const id of listOrphans(paths)) found.push({ kind: 'marker', name: id, at: 0 });
  const { claims, conversations, checkpoints, threads, state, root } = paths;
  // The settings, which commands change, are beside the state folder.
  const settings = root === null ? [] : [dirname(state)];
  const own = [claims, conversations, eventsFolder(paths), checkpoints, threads, state, ...settings];
  for (const path of ownFiles(own, most)) {
    if (settings.includes(dirname(path)) && !SETTINGS.test(basename(path))) continue;
    const name = basename(path);
    const at = stampOf(path).mtimeMs;
    const state = dirname(path) === paths.conversations ? stateBeside(path) : null;
    if (state !== null && now - at > AGES.companion && stampOf(state).size < 0)
      found.push({ kind: 'companion', name: path, at });
    if (TEMPORARY.test(name)) found.push({ kind: 'temporary', name: path, at });
    else if (name.endsWith('.lock')) {
      const pid = now - at > AGES.lock ? LOCK.exec(textOf(path))?.[1] : undefined;
      if (pid !== undefined) found.push({ kind: 'lock', name: path, at, isOwnerAlive: isAlive(Number(pid)) });
    } else if (dirname(path) === paths.claims && now - at > AGES.claim && CLAIM.test(textOf(path)))
      found.push({ kind: 'claim', name: path, at });
  }
  return found;
}
