// Takes a snapshot of the worktree (files that git lists, with time and size) and saves it for the next comparison.

import { listChanged } from '../../../platform/git/git-state.ts';
import { listNames, readOwnStats } from '../../../platform/look.ts';
import { type Env, joinPath, listWatchedPaths, type ProjectPaths } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { replaceFile } from '../../../platform/write.ts';
import { type FileStamps, redactSnapshot, type WorktreeSnapshot } from '../worktree-snapshot.ts';

/** @throws when it cannot be written */
export function writeWorktreeSnapshot(paths: ProjectPaths, looked: WorktreeSnapshot): void {
  const path = paths.session(looked.session).looked;
  ensureStateFolder(paths);
  replaceFile(path, `${JSON.stringify(redactSnapshot(looked))}\n`);
}

/** Time and size of a path; for a link its own, not those of its target. */
function stampAt(path: string): string {
  const stats = readOwnStats(path);
  return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
}

export const readStamps = (files: readonly string[]): FileStamps =>
  Object.fromEntries(files.map((path) => [path, stampAt(path)]));

/** The hooks of the repository: git runs them, and lists them nowhere. */
function listHooks(root: string): string[] {
  const folder = joinPath(root, '.git/hooks');
  return listNames(folder).flatMap((name) => (name.endsWith('.sample') ? [] : [joinPath(folder, name)]));
}

/** The files that git lists now, with time and size; null outside a repository. @throws when git does not answer in time */
export function readWorktreeStamps(root: string, env: Env): FileStamps | null {
  const files = listChanged(root, env);
  return files && readStamps([...files, ...listHooks(root), ...listWatchedPaths(root, env)]);
}
