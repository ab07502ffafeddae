// Where does the work stand in git? Read by hand where possible; git itself only for what changed, and in bounded time.
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { GitState } from '../model/checkpoint.ts';
import { readForeign } from './foreign.ts';
import { below, type Env } from './paths.ts';

const STATUS_MS = 1_500;
const MOST_FILES = 100;

/** The git folder that belongs to a folder, through a worktree's `.git` file where there is one. */
export function gitFolder(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const candidate = below(folder, '.git');
    if (existsSync(candidate)) {
      if (statSync(candidate).isDirectory()) return candidate;
      const target = /^gitdir: (.+)$/m.exec(readForeign(candidate))?.[1];
      return target === undefined ? null : resolve(folder, target.trim());
    }
    if (dirname(folder) === folder) return null;
  }
}

/** The folder that a repository, or a worktree of one, begins with. */
export function gitTop(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(below(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

function resolveRef(folder: string, ref: string): string | null {
  const common = existsSync(below(folder, 'commondir'))
    ? resolve(folder, readForeign(below(folder, 'commondir')).trim())
    : folder;
  for (const base of [folder, common]) {
    if (existsSync(below(base, ref))) return readForeign(below(base, ref)).trim();
  }
  const packed = below(common, 'packed-refs');
  if (!existsSync(packed)) return null;
  const line = readForeign(packed)
    .split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}

/** What git is given of our environment: nothing that could lead it to another repository. */
export const gitEnvironment = (env: Env): Env => ({
  PATH: env.PATH,
  HOME: env.HOME,
  XDG_CONFIG_HOME: env.XDG_CONFIG_HOME,
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
});

/** Git in a folder; null when it takes too long, says more than 4 MB, or is not there. */
export function git(
  cwd: string,
  args: readonly string[],
  env: Env,
): { status: number; stdout: string } | null {
  // Loaded when git is asked: most of what is read here needs no process, and the module costs some milliseconds.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout } = spawnSync('git', args, {
    cwd,
    env: gitEnvironment(env),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: STATUS_MS,
    maxBuffer: 4 * 1024 * 1024,
  });
  return status === null ? null : { status, stdout };
}

function dirtyFiles(cwd: string, env: Env): string[] | null {
  const result = git(cwd, ['status', '--porcelain', '-z', '--untracked-files=normal'], env);
  if (result?.status !== 0) return null;
  return result.stdout
    .split('\0')
    .flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : []))
    .filter((path) => path !== '.plimsoll/')
    .slice(0, MOST_FILES);
}

/** More files than these are those of a build, or of a project that was just unpacked. */
const MOST_LISTED = 2_000;

/**
 * The files below a folder that are not as they were committed, those git ignores left out: absolute paths. Null outside a
 * repository.
 * @throws where git cannot say in time, or lists too many
 */
export function changedIn(folder: string, env: Env): string[] | null {
  const top = gitTop(folder);
  if (top === null) return null;
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const result = git(folder, [...args, '--ignore-submodules=all', '--', '.'], env);
  if (result === null) throw new Error(`git status took more than ${STATUS_MS} ms, or is not there`);
  // A folder that looks like a repository and is none, or one that git does not trust.
  if (result.status !== 0) return null;
  const files = result.stdout
    .split('\0')
    .flatMap((entry) => (/^.. .*[^/]$/s.test(entry) ? [entry.slice(3)] : []));
  if (files.length > MOST_LISTED) throw new Error(`git status lists ${files.length} files`);
  return files.map((file) => below(top, file));
}

/** The text of a file as it was committed last; null where it was not, or git cannot say. */
export function committedText(path: string, env: Env): string | null {
  const shown = git(dirname(path), ['show', `HEAD:./${basename(path)}`], env);
  return shown?.status === 0 ? shown.stdout : null;
}

/** Whether git ignores a path; null outside a repository, or when git cannot say in time. */
export function isIgnored(cwd: string, path: string, env: Env): boolean | null {
  if (gitFolder(cwd) === null) return null;
  const status = git(cwd, ['check-ignore', '--quiet', '--', path], env)?.status;
  return status === 0 ? true : status === 1 ? false : null;
}

/** Paths below a folder that git has, or would take with "git add": relative to cwd; null where git cannot say. */
export function seenByGit(cwd: string, folder: string, env: Env): string[] | null {
  if (gitFolder(cwd) === null) return null;
  const found = git(cwd, ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder], env);
  return found?.status === 0 ? found.stdout.split('\0').filter((path) => path !== '') : null;
}

/** What a repository's HEAD says: a branch, or a commit. */
function headOf(folder: string): { ref: string | null; text: string } {
  const text = readForeign(below(folder, 'HEAD')).trim();
  return { ref: /^ref: (.+)$/.exec(text)?.[1] ?? null, text };
}

const branchIn = (ref: string | null): string | null => ref?.replace(/^refs\/heads\//, '') ?? null;

/** The branch that a folder is on; null outside a repository, and where none is checked out. */
export function branchOf(cwd: string): string | null {
  const folder = gitFolder(cwd);
  return folder === null ? null : branchIn(headOf(folder).ref);
}

/** Branch, head and changed files, or null outside a repository. */
export function readGit(cwd: string, env: Env): GitState | null {
  const folder = gitFolder(cwd);
  if (folder === null) return null;
  const { ref, text } = headOf(folder);
  return {
    branch: branchIn(ref),
    head: ref === null ? text : resolveRef(folder, ref),
    dirty_files: dirtyFiles(cwd, env),
  };
}
