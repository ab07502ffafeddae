// Finds the files whose content git itself produced in a merge, rebase or the like that is in progress.

import { join } from 'node:path';
import { exists } from '../look.ts';
import type { Env } from '../project/paths.ts';
import { findRepository, tryGit } from './git-state.ts';

/** Refs with git's own result: its merge of both sides at a conflict; the other side of a merge to be committed by hand. */
const BROUGHT = ['AUTO_MERGE', 'MERGE_HEAD'];
/** The most names that are passed to git. */
const MOST_NAMES = 500;

/** Those of the given files, as absolute paths; none when no merge is in progress, or git does not answer in time. */
export function broughtByGit(folder: string, files: readonly string[], env: Env): Set<string> {
  const repository = findRepository(folder);
  if (repository === null) return new Set();
  const { top } = repository;
  const ref = BROUGHT.find((name) => exists(join(repository.folder, name)));
  if (ref === undefined) return new Set();
  const names = files.slice(0, MOST_NAMES).map((path) => path.slice(top.length + 1));
  const ask = (...args: string[]): string[] | null => {
    const answer = tryGit(repository, ['--literal-pathspecs', ...args, ref, '--', ...names], env);
    return answer?.status === 0 ? answer.stdout.split('\0') : null;
  };
  const held = ask('ls-tree', '-r', '-z', '--name-only');
  const different = ask('diff', '--name-only', '-z');
  if (held === null || different === null) return new Set();
  return new Set(held.filter((name) => !different.includes(name)).map((name) => join(top, name)));
}
