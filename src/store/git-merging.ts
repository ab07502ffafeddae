// Which files lie as git itself has put them there, in a merge, rebase or the like that is under way?
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitFolder, gitTop } from './git.ts';
import type { Env } from './paths.ts';

/** What git has made of both sides where it met a conflict; the other side, where the merge is to be committed by hand. */
const BROUGHT = ['AUTO_MERGE', 'MERGE_HEAD'];
/** More names than these are not given to a program. */
const MOST_NAMES = 500;

/** Those of the files, as absolute paths; none where nothing is under way, or git cannot say in time. */
export function broughtByGit(folder: string, files: readonly string[], env: Env): Set<string> {
  const top = gitTop(folder);
  const ref = BROUGHT.find((name) => existsSync(join(gitFolder(folder) ?? '', name)));
  if (top === null || ref === undefined) return new Set();
  const names = files.slice(0, MOST_NAMES).map((path) => path.slice(top.length + 1));
  const ask = (...args: string[]): string[] | null => {
    const answer = git(top, ['--literal-pathspecs', ...args, ref, '--', ...names], env);
    return answer?.status === 0 ? answer.stdout.split('\0') : null;
  };
  const held = ask('ls-tree', '-r', '-z', '--name-only');
  const different = ask('diff', '--no-ext-diff', '--name-only', '-z');
  if (held === null || different === null) return new Set();
  return new Set(held.filter((name) => !different.includes(name)).map((name) => join(top, name)));
}
