// Runs git for commands that depend on it: returns its output, or an error with the next step.

import { resolve } from 'node:path';
import { quoteShellWord } from '../../text/escape.ts';
import { isError, PlimsollError } from '../../text/plimsoll-error.ts';
import { exists, resolveRealPath } from '../look.ts';
import type { Env } from '../project/paths.ts';
import { runGit } from './git.io.ts';
import { findPrefix, findRepository } from './git-state.ts';

const WAIT_MS = 60_000;
/** The most bytes of output (names, or texts of all changed files): no real change needs more. */
const MOST_BYTES = 512 * 1024 * 1024;

export interface Git {
  /** The folder of the files to examine; paths are relative to it. */
  root: string;
  /** The folder relative to the top of the repository: `packages/a/`, '' for the top itself. */
  prefix: string;
  /** Output of a git command; null when it ends with another status than 0. */
  ask(args: readonly string[], input?: string): Buffer | null;
  /** Output of a git command. @throws PlimsollError `git-refused` when it ends with another status than 0 */
  tell(args: readonly string[], input?: string): Buffer;
}

/**
 * The index that a commit is made of: `git commit -a` and `git commit FILE` give their hooks one of its own.
 * The path that git gives may be relative to the top of the repository, whatever folder the hook is in now.
 */
function indexOf(env: Env, cwd: string, top: string): string | undefined {
  const named = env.GIT_INDEX_FILE;
  if (!named) return undefined;
  return [resolve(cwd, named), resolve(top, named)].find((path) => exists(path));
}

/** The next step when git refuses; only the user may allow a repository of another user. */
const hintAt = (said: string, top: string): string =>
  said.includes('dubious ownership')
    ? `where you trust its owner: git config --global --add safe.directory ${quoteShellWord(top)}`
    : 'put right what git says: git status';

/**
 * Prepares git for the files below a folder.
 * @throws PlimsollError `git-refused` when there is no repository, or no git
 */
export function openGit(root: string, cwd: string, env: Env): Git {
  const real = resolveRealPath(root);
  const repository = findRepository(real);
  if (repository === null)
    throw new PlimsollError(
      'git-refused',
      `"${root}" is in no git repository: there is nothing that says which files to check`,
      { hint: 'run it in a repository, or make one: git init' },
    );
  const { top } = repository;
  const call = { env, timeoutMs: WAIT_MS, mostBytes: MOST_BYTES, index: indexOf(env, cwd, top) };
  const run = (args: readonly string[], input = '') => {
    const answer = runGit(repository, args, { ...call, input });
    if (answer.kind === 'failed')
      throw new PlimsollError('git-refused', `git could not be run: ${answer.why}`, {
        hint: 'git --version',
      });
    return answer;
  };
  const ask = (args: readonly string[], input?: string): Buffer | null => {
    const { status, stdout } = run(args, input);
    return status === 0 ? stdout : null;
  };
  const tell = (args: readonly string[], input?: string): Buffer => {
    const { status, stdout, stderr } = run(args, input);
    if (status === 0) return stdout;
    const [said = ''] = stderr.trim().split('\n');
    throw new PlimsollError('git-refused', `git ${args[0]} failed: ${said || `status ${status}`}`, {
      hint: hintAt(said, top),
    });
  };
  tell(['rev-parse', '--git-dir']);
  return { root, prefix: findPrefix(top, real), ask, tell };
}

/** Why git refuses to read the repository of a folder, and what helps; null when it reads it, or there is none. */
export function findGitRefusal(root: string, env: Env): { why: string; fix: string } | null {
  if (findRepository(root) === null) return null;
  try {
    openGit(root, root, env);
    return null;
  } catch (error) {
    if (!isError(error, 'git-refused')) throw error;
    return { why: error.message, fix: error.hint ?? '' };
  }
}
