// What have processes left behind in the state folder that died, or were done?

import { basename, dirname, join } from 'node:path';
import { AGES, type Leftover } from '../model/retention.ts';
import { entriesIn, stampOf } from '../platform/look.ts';
import { isAlive } from '../platform/process.ts';
import { readTextOrNull, STATE } from '../platform/read.ts';
import { listOrphans } from './checkpoint-files.ts';
import type { ProjectPaths } from './paths.ts';

/** A state folder may be one of the user's: these are never ours. */
const FOREIGN = new Set(['node_modules', '.git']);

const textOf = (path: string): string => readTextOrNull(path, STATE) ?? '';

/** Files below folders, breadth first, without following links; so many names at the most. */
function* filesBelow(folders: readonly string[], most: number): Generator<string> {
  const queue = [...folders];
  const seen = new Set<string>();
  let left = most;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const entry of entriesIn(folder)) {
      if (left-- <= 0) return;
      const path = join(folder, entry.name);
      if (entry.isFile) yield path;
      else if (entry.isFolder && !FOREIGN.has(entry.name)) queue.push(path);
    }
  }
}

/** Names of temporary files as `atomic.ts` and `lock.ts` give them, and of nobody else's. */
const TEMPORARY = /\.\d+\.(?:\d+\.tmp|take)$/;
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
 * What processes left behind. In a state folder that is the user's own, what only looks alike is not ours.
 * @param most names looked at
 */
export function leftoversIn(paths: ProjectPaths, now: number, most: number): Leftover[] {
  const found: Leftover[] = [];
  for (const id of listOrphans(paths)) found.push({ kind: 'marker', name: id, at: 0 });
  const own = [paths.claims, paths.conversations, dirname(paths.snapshot), paths.state, paths.checkpoints];
  for (const path of filesBelow(own, most)) {
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
