// What does git list now, and where is that kept for the next look?
import { asKept, type Looked, type Stamps } from '../model/guardrails/looked.ts';
import { ownStatsOf } from '../platform/look.ts';
import { replaceFile } from '../platform/write.ts';
import { changedIn } from './git.ts';
import { type Env, lookedPaths, type ProjectPaths, watchedPaths } from './paths.ts';
import { ensureStateFolder } from './state-folder.ts';

/** @throws when it cannot be written */
export function writeLooked(paths: ProjectPaths, looked: Looked): void {
  const path = lookedPaths(paths, looked.conversation).looked;
  ensureStateFolder(paths);
  replaceFile(path, `${JSON.stringify(asKept(looked))}\n`);
}

/** Of a link its own time and size, not those of what it leads to. */
function stampAt(path: string): string {
  const stats = ownStatsOf(path);
  return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
}

export const stampsOf = (files: readonly string[]): Stamps =>
  Object.fromEntries(files.map((path) => [path, stampAt(path)]));

/** What git lists now, each file with its time and size; null outside a repository. @throws where git cannot say in time */
export function stampsIn(root: string, env: Env): Stamps | null {
  const files = changedIn(root, env);
  return files && stampsOf([...files, ...watchedPaths(root, env)]);
}
