// What have processes left behind in the state folder that died, or were done?

import { basename, dirname, join } from 'node:path';
import { AGES, type Leftover } from '../model/retention.ts';
import { filesOf, stampOf } from '../platform/look.ts';
import { isAlive } from '../platform/process.ts';
import { readTextOrNull, STATE } from '../platform/read.ts';
import { listOrphans } from './checkpoint-files.ts';
import { eventsFolder, type ProjectPaths } from './paths.ts';

const textOf = (path: string): string => readTextOrNull(path, STATE) ?? '';

/** Files in folders of ours, none of them reached through a link; so many names at the most. */
function* ownFiles(folders: readonly string[], most: number): Generator<string> {
  let left = most;
  for (const folder of folders) {
    for (const name of filesOf(folder)) {
      if (left-- <= 0) return;
      yield join(folder, name);
    }
  }
}

/** Names of temporary files as `platform/` gives them, and of nobody else's. */
const TEMPORARY = /\.\d+\.(?:\d+\.tmp|take)$/;
/** Files of ours beside the state folder, and what may lie beside them. */
const SETTINGS = /^(?:config\.toml|quality\.md)\./;
/** What a lock of ours holds: process, time, count. */
const LOCK = /^(\d+) \d+ \d+$/;
/** What a claim of ours holds: process and time. */
const CLAIM = /^\d+ \d{4}-\d\d-\d\dT/;

/** Endings of what lies beside the state of a conversation. */
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

/** The files that may lie beside a state. */
export const companionsOf = (state: string): string[] =>
  COMPANIONS.map((ending) => state.replace(/json$/, ending));

/** The state that a file lies beside; null for a file that lies beside none. */
function stateBeside(path: string): string | null {
  const ending = COMPANIONS.find((each) => path.endsWith(`.${each}`));
  return ending === undefined ? null : `${path.slice(0, -ending.length)}json`;
}

/**
 * What processes left behind; what only looks alike is not ours.
 * @param most names looked at
 */
export function leftoversIn(paths: ProjectPaths, now: number, most: number): Leftover[] {
  const found: Leftover[] = [];
  for (const id of listOrphans(paths)) found.push({ kind: 'marker', name: id, at: 0 });
  const { claims, conversations, checkpoints, threads, state, root } = paths;
  // Beside the state folder lie the settings, which commands change.
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
