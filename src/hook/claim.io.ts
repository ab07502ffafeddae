// Takes claims: of several processes that could give a message, the one that creates the claim file gives it.

import { readStamp } from '../platform/look.ts';
import { isAlive } from '../platform/process.ts';
import { joinPath, type ProjectPaths } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { createFile } from '../platform/write.ts';
import { makeSafeName } from '../text/path-text.ts';

/** A claim this old without a lease is taken over even if its process lives: a message is rather repeated than lost. */
const CLAIM_MS = 2_000;
const GENERATIONS = 50;

function isAbandoned(path: string, now: number): boolean {
  if (now - readStamp(path).mtimeMs > CLAIM_MS) return true;
  const pid = Number(readTextOrNull(path, STATE_FILE)?.split(' ')[0]);
  return !(pid > 0) || !isAlive(pid);
}

/**
 * Takes a claim in the folder of a session; false when a living process holds it.
 * An abandoned claim is taken over by creating its next generation (`name~1`, `name~2`, …): creation is exclusive,
 * so of several takers one wins. `isLeased` is asked again before each take-over, so that a message given meanwhile
 * is not repeated.
 */
export function takeClaim(
  paths: ProjectPaths,
  session: string,
  name: string,
  now: number,
  isLeased: () => boolean,
): boolean {
  // A claim may be the first file of ours in a project.
  ensureStateFolder(paths);
  const base = joinPath(paths.session(session).claims, makeSafeName(name));
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const path = generation === 0 ? base : `${base}~${generation}`;
    if (createFile(path, `${process.pid} ${new Date(now).toISOString()}\n`)) return true;
    if (!isAbandoned(path, now) || isLeased()) return false;
  }
  return false;
}
