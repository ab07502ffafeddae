// Reads the state of a repository: its files directly where possible, git itself only for changes and in bounded time.

import { dirname, join, relative, resolve } from 'node:path';
import { exists, isFolder } from '../look.ts';
import { type Env, joinPath } from '../project/paths.ts';
import { type FileKind, FOREIGN_FILE, readUntrusted } from '../read.ts';
import { type Repository, runGit } from './git.io.ts';

/** Refs with git's own result: its merge of both sides at a conflict; the other side of a merge to be committed by hand. */
const BROUGHT = ['AUTO_MERGE', 'MERGE_HEAD'];
/** What git keeps as long as a merge, or what works like one, is in progress. */
const IN_PROGRESS = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
/** The most names that are passed to git. */
const MOST_NAMES = 500;

/** Those of the given files, as absolute paths; none when no merge is in progress, or git does not answer in time. */
export function listBroughtByGit(folder: string, files: readonly string[], env: Env): Set<string> {
  const repository = findRepository(folder);
  if (repository === null) return new Set();
  const { top } = repository;
  const has = (name: string): boolean => exists(join(repository.folder, name));
  // A stash that was applied without a conflict leaves AUTO_MERGE behind.
  const ref = IN_PROGRESS.some(has) ? BROUGHT.find(has) : undefined;
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

const STATUS_MS = 1_500;
const MOST_FILES = 100;
/** Files of git may be large: packed references grow with the repository. */
const OF_GIT: FileKind = { ...FOREIGN_FILE, most: 64 * 1024 * 1024 };

/** Text of a file in the git folder; '' when it does not exist. @throws PlimsollError `unsafe-file` for a link: git makes none */
const readGitFile = (path: string): string => readUntrusted(path, OF_GIT) ?? '';

/** The repository of a folder: the nearest `.git` upward, never a folder that only looks like a repository. */
export function findRepository(from: string): Repository | null {
  for (let top = resolve(from); ; top = dirname(top)) {
    const candidate = joinPath(top, '.git');
    if (exists(candidate)) {
      const folder = isFolder(candidate) ? candidate : ledTo(top, candidate);
      return folder === null ? null : { top, folder, common: commonOf(folder) };
    }
    if (dirname(top) === top) return null;
  }
}

/** The git folder that the `.git` file of a worktree or submodule points to. */
function ledTo(top: string, file: string): string | null {
  const target = /^gitdir: (.+)$/m.exec(readGitFile(file))?.[1];
  return target === undefined ? null : resolve(top, target.trim());
}

const commonOf = (folder: string): string =>
  exists(joinPath(folder, 'commondir'))
    ? resolve(folder, readGitFile(joinPath(folder, 'commondir')).trim())
    : folder;

/** The git folder of a folder, also through a worktree's `.git` file. */
export const findGitFolder = (from: string): string | null => findRepository(from)?.folder ?? null;

/** A folder relative to the top of a repository, as git writes it: `packages/a/`, and '' for the top itself. */
export const findPrefix = (top: string, folder: string): string => {
  const path = relative(top, resolve(folder)).replaceAll('\\', '/');
  return path === '' ? '' : `${path}/`;
};

/** A pathspec for a folder or file from the top that git takes literally, whatever characters are in it. */
export const quotePathspec = (path: string): string => `:(top,literal)${path.replace(/\/$/, '')}`;

function resolveRef({ folder, common }: Repository, ref: string): string | null {
  for (const base of [folder, common]) {
    if (exists(joinPath(base, ref))) return readGitFile(joinPath(base, ref)).trim();
  }
  const packed = joinPath(common, 'packed-refs');
  if (!exists(packed)) return null;
  const line = readGitFile(packed)
    .split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}

/** The text if it is a commit id; null for anything else. */
const commitIn = (text: string): string | null => (/^[0-9a-f]{40,64}$/.test(text) ? text : null);

/** Runs git at the top of a repository; null when it takes too long, prints more than 4 MB, or is missing. */
export function tryGit(
  repository: Repository,
  args: readonly string[],
  env: Env,
): { status: number; stdout: string } | null {
  const answer = runGit(repository, args, { env, timeoutMs: STATUS_MS, mostBytes: 4 * 1024 * 1024 });
  return answer.kind === 'failed' ? null : { status: answer.status, stdout: answer.stdout.toString('utf8') };
}

function dirtyFiles(repository: Repository, env: Env): string[] | null {
  const result = tryGit(repository, ['status', '--porcelain', '-z', '--untracked-files=normal'], env);
  if (result?.status !== 0) return null;
  return result.stdout
    .split('\0')
    .flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : []))
    .filter((path) => path !== '.plimsoll/')
    .slice(0, MOST_FILES);
}

/** More files than these come from a build, or from a project that was just unpacked. */
const MOST_LISTED = 2_000;

/**
 * Absolute paths of the files below a folder that differ from the commit, without ignored ones. Null outside a
 * repository.
 * @throws when git does not answer in time, or lists too many
 */
export function listChanged(folder: string, env: Env): string[] | null {
  const repository = findRepository(folder);
  if (repository === null) return null;
  const { top } = repository;
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const result = tryGit(repository, [...args, '--', quotePathspec(findPrefix(top, folder))], env);
  if (result === null) throw new Error(`git status took more than ${STATUS_MS} ms, or is not there`);
  // The folder only looks like a repository, or git does not trust it.
  if (result.status !== 0) return null;
  const files = result.stdout
    .split('\0')
    .flatMap((entry) => (/^.. .*[^/]$/s.test(entry) ? [entry.slice(3)] : []));
  if (files.length > MOST_LISTED) throw new Error(`git status lists ${files.length} files`);
  return files.map((file) => joinPath(top, file));
}

/** The last committed text of a file; null when it is not committed, or git fails. */
export function readCommittedText(path: string, env: Env): string | null {
  const repository = findRepository(dirname(path));
  if (repository === null) return null;
  // Not "show", which would let a program convert the text.
  const shown = tryGit(
    repository,
    ['cat-file', 'blob', `HEAD:${findPrefix(repository.top, path).slice(0, -1)}`],
    env,
  );
  return shown?.status === 0 ? shown.stdout : null;
}

/** Whether the last commit has a folder; null outside a repository, and where there is none. */
export function isFolderCommitted(path: string, env: Env): boolean | null {
  const repository = findRepository(dirname(path));
  if (repository === null) return null;
  const name = findPrefix(repository.top, path).slice(0, -1);
  const status = tryGit(repository, ['cat-file', '-e', `HEAD:${name}`], env)?.status;
  return status === undefined || status === null ? null : status === 0;
}

/** Whether git ignores a path; null outside a repository, or when git does not answer in time. */
export function isIgnored(cwd: string, path: string, env: Env): boolean | null {
  const repository = findRepository(cwd);
  if (repository === null) return null;
  const status = tryGit(repository, ['check-ignore', '--quiet', '--', resolve(cwd, path)], env)?.status;
  return status === 0 ? true : status === 1 ? false : null;
}

/**
 * Whether a path is committed: itself, or through a committed link or submodule on the way. Null outside a repository,
 * or when git fails. Case is ignored, because some file systems ignore it.
 */
export function isCommitted(root: string, path: string, env: Env): boolean | null {
  const repository = findRepository(root);
  if (repository === null) return null;
  const prefix = findPrefix(repository.top, root);
  const name = relative(root, path).replaceAll('\\', '/');
  const asked = `:(top,literal,icase)${prefix}${name.split('/')[0]}`;
  const result = tryGit(repository, ['ls-files', '-z', '--cached', '--full-name', '--', asked], env);
  if (result?.status !== 0) return null;
  const own = `${prefix}${name}/`.toLowerCase();
  return result.stdout.split('\0').some((each) => each !== '' && own.startsWith(`${each.toLowerCase()}/`));
}

/** Paths below a folder that git tracks, or would add with "git add", relative to cwd; null when git fails. */
export function listSeenByGit(cwd: string, folder: string, env: Env): string[] | null {
  const repository = findRepository(cwd);
  if (repository === null) return null;
  const { top } = repository;
  const asked = findPrefix(top, resolve(cwd, folder));
  if (asked.startsWith('../')) return null;
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', quotePathspec(asked)];
  const found = tryGit(repository, args, env);
  if (found?.status !== 0) return null;
  const prefix = findPrefix(top, cwd);
  return found.stdout.split('\0').flatMap((path) => (path === '' ? [] : [path.slice(prefix.length)]));
}

/** Reads HEAD of a repository: the ref of a branch, or a commit. */
function headOf(folder: string): { ref: string | null; text: string } {
  const text = readGitFile(joinPath(folder, 'HEAD')).trim();
  return { ref: /^ref: (.+)$/.exec(text)?.[1] ?? null, text };
}

const branchIn = (ref: string | null): string | null => ref?.replace(/^refs\/heads\//, '') ?? null;

/** The current branch of a folder; null outside a repository, and when no branch is checked out. */
export function readBranch(cwd: string): string | null {
  const folder = findGitFolder(cwd);
  return folder === null ? null : branchIn(headOf(folder).ref);
}

/**
 * Branch, head and changed files, or null outside a repository.
 * @param asksGit whether git is asked for the changed files, which takes a process of its own; they are null otherwise
 */
export function readGit(
  cwd: string,
  env: Env,
  asksGit = true,
): { branch: string | null; head: string | null; dirty_files: string[] | null } | null {
  const repository = findRepository(cwd);
  if (repository === null) return null;
  const { ref, text } = headOf(repository.folder);
  return {
    branch: branchIn(ref),
    head: commitIn(ref === null ? text : (resolveRef(repository, ref) ?? '')),
    dirty_files: asksGit ? dirtyFiles(repository, env) : null,
  };
}
