// What does git answer to a command that cannot do without it? Its output, or a fault with the next step.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { gitEnvironment, gitFolder } from './git.ts';
import type { Env } from './paths.ts';

const WAIT_MS = 60_000;

/** Git cannot say which files are meant; `hint` is the next step. */
export class GitRefused extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export interface Git {
  /** The folder below which files are looked at; git's paths begin here. */
  root: string;
  /** The folder from the top of the repository on: `packages/a/`, '' for the top itself. */
  prefix: string;
  /** Output of a git command; null where it ends with another status than 0. */
  ask(args: readonly string[], input?: string): Buffer | null;
  /** @throws GitRefused where it ends with another status than 0 */
  tell(args: readonly string[], input?: string): Buffer;
}

/**
 * The index that a commit is made of: `git commit -a` and `git commit FILE` give their hooks one of its own.
 * The path that git names may begin at the top of the repository, wherever the hook has gone since.
 */
function indexOf(env: Env, cwd: string, top: string): string | undefined {
  const named = env.GIT_INDEX_FILE;
  if (!named) return undefined;
  return [resolve(cwd, named), resolve(top, named)].find((path) => existsSync(path));
}

/**
 * Git for the files below a folder.
 * @throws GitRefused where there is no repository, or no git
 */
export function gitAt(root: string, cwd: string, env: Env): Git {
  if (gitFolder(root) === null)
    throw new GitRefused(
      `"${root}" is in no git repository: there is nothing that says which files to check`,
      'run it in a repository, or make one: git init',
    );
  let index: string | undefined;
  const run = (args: readonly string[], input = '') => {
    const result = spawnSync('git', args, {
      cwd: root,
      env: { ...gitEnvironment(env), GIT_INDEX_FILE: index },
      input,
      timeout: WAIT_MS,
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    if (result.error !== undefined) {
      const why = (result.error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not on PATH' : null;
      throw new GitRefused(`git could not be run: ${why ?? result.error.message}`, 'git --version');
    }
    return result;
  };
  const ask = (args: readonly string[], input?: string): Buffer | null => {
    const { status, stdout } = run(args, input);
    return status === 0 ? stdout : null;
  };
  const tell = (args: readonly string[], input?: string): Buffer => {
    const { status, stdout, stderr } = run(args, input);
    if (status === 0) return stdout;
    const [said = ''] = stderr.toString('utf8').trim().split('\n');
    throw new GitRefused(
      `git ${args[0]} failed: ${said || `status ${status}`}`,
      `put right what git says: git status`,
    );
  };
  const prefix = tell(['rev-parse', '--show-prefix']).toString('utf8').replace(/\n$/, '');
  index = indexOf(env, cwd, root.slice(0, root.length - prefix.length) || root);
  return { root, prefix, ask, tell };
}
