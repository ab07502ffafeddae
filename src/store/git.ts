// Where does the work stand in git? Read by hand where possible; git itself only for what changed, and in bounded time.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { GitState } from '../model/checkpoint.ts';
import { readForeign } from './foreign.ts';
import type { Env } from './paths.ts';

const STATUS_MS = 1_500;
const MOST_FILES = 100;

/** The git folder that belongs to a folder, through a worktree's `.git` file where there is one. */
export function gitFolder(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const candidate = join(folder, '.git');
    if (existsSync(candidate)) {
      if (statSync(candidate).isDirectory()) return candidate;
      const target = /^gitdir: (.+)$/m.exec(readForeign(candidate))?.[1];
      return target === undefined ? null : resolve(folder, target.trim());
    }
    if (dirname(folder) === folder) return null;
  }
}

function resolveRef(folder: string, ref: string): string | null {
  const common = existsSync(join(folder, 'commondir'))
    ? resolve(folder, readForeign(join(folder, 'commondir')).trim())
    : folder;
  for (const base of [folder, common]) {
    if (existsSync(join(base, ref))) return readForeign(join(base, ref)).trim();
  }
  const packed = join(common, 'packed-refs');
  if (!existsSync(packed)) return null;
  const line = readForeign(packed)
    .split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}

function dirtyFiles(cwd: string, env: Env): string[] | null {
  const result = spawnSync('git', ['status', '--porcelain', '-z', '--untracked-files=normal'], {
    cwd,
    env: { PATH: env.PATH, HOME: env.HOME, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    encoding: 'utf8',
    timeout: STATUS_MS,
    maxBuffer: 4 * 1024 * 1024,
  });
  if (result.status !== 0) return null;
  return result.stdout
    .split('\0')
    .flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : []))
    .filter((path) => path !== '.plimsoll/')
    .slice(0, MOST_FILES);
}

/** Branch, head and changed files, or null outside a repository. */
export function readGit(cwd: string, env: Env): GitState | null {
  const folder = gitFolder(cwd);
  if (folder === null) return null;
  const head = readForeign(join(folder, 'HEAD')).trim();
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  return {
    branch: ref === undefined ? null : ref.replace(/^refs\/heads\//, ''),
    head: ref === undefined ? head : resolveRef(folder, ref),
    dirty_files: dirtyFiles(cwd, env),
  };
}
