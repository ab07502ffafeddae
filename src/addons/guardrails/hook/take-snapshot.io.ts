// Takes a snapshot of the worktree (files that git lists, with time and size) and saves it for the next comparison.

import { changedIn } from '../../../platform/git/git-state.ts';
import { ownStatsOf } from '../../../platform/look.ts';
import { type Env, lookedPaths, type ProjectPaths, watchedPaths } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { replaceFile } from '../../../platform/write.ts';
import { asKept, type Looked, type Stamps } from '../worktree-snapshot.ts';

/** @throws when it cannot be written */
export function writeLooked(paths: ProjectPaths, looked: Looked): void {
  const path = lookedPaths(paths, looked.conversation).looked;
  ensureStateFolder(paths);
  replaceFile(path, `${JSON.stringify(asKept(looked))}\n`);
}

/** Time and size of a path; for a link its own, not those of its target. */
function stampAt(path: string): string {
  const stats = ownStatsOf(path);
  return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
}

export const stampsOf = (files: readonly string[]): Stamps =>
  Object.fromEntries(files.map((path) => [path, stampAt(path)]));

/** The files that git lists now, with time and size; null outside a repository. @throws when git does not answer in time */
export function stampsIn(root: string, env: Env): Stamps | null {
  const files = changedIn(root, env);
  return files && stampsOf([...files, ...watchedPaths(root, env)]);
}
