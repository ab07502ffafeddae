// The files that lie as git itself has put them there, in a merge, rebase or the like that is under way.

import { join } from 'node:path';
import { exists } from '../platform/look.ts';
import { findRepository, git } from './git.ts';
import type { Env } from './paths.ts';

/** What git has made of both sides where it met a conflict; the other side, where the merge is to be committed by hand. */
const BROUGHT = ['AUTO_MERGE', 'MERGE_HEAD'];
/** More names than these are not given to a program. */
const MOST_NAMES = 500;

/** Those of the files, as absolute paths; none where nothing is under way, or git cannot say in time. */
export function broughtByGit(folder: string, files: readonly string[], env: Env): Set<string> {
  const repository = findRepository(folder);
  if (repository === null) return new Set();
  const { top } = repository;
  const ref = BROUGHT.find((name) => exists(join(repository.folder, name)));
  if (ref === undefined) return new Set();
  const names = files.slice(0, MOST_NAMES).map((path) => path.slice(top.length + 1));
  const ask = (...args: string[]): string[] | null => {
    const answer = git(repository, ['--literal-pathspecs', ...args, ref, '--', ...names], env);
    return answer?.status === 0 ? answer.stdout.split('\0') : null;
  };
  const held = ask('ls-tree', '-r', '-z', '--name-only');
  const different = ask('diff', '--name-only', '-z');
  if (held === null || different === null) return new Set();
  return new Set(held.filter((name) => !different.includes(name)).map((name) => join(top, name)));
}
