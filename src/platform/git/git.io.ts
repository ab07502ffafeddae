// Runs git in a repository that we found ourselves, so that nothing in it starts somebody else's program.
import { statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { readUntrusted, SETTINGS_FILE } from '../read.ts';

type Env = Record<string, string | undefined>;

export interface Repository {
  /** The folder that holds `.git`. */
  top: string;
  /** The git folder: `.git` itself, or the folder that a `.git` file points to. */
  folder: string;
  /** The git folder that all worktrees of the repository share; equal to `folder` outside of worktrees. */
  common: string;
}

export interface GitCall {
  env: Env;
  timeoutMs: number;
  /** The most bytes of output. */
  mostBytes: number;
  input?: string;
  /** An index other than the repository's own. */
  index?: string | undefined;
}

export type GitAnswer =
  | { kind: 'ended'; status: number; stdout: Buffer; stderr: string }
  /** It took too long, said too much, or could not be started. */
  | { kind: 'failed'; why: string };

/**
 * Set on the command line, which overrides every config file; git takes safe.bareRepository from no repository's own
 * config: a folder that only looks like a repository ships one.
 */
const OVERRIDES = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'diff.external=',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/** Options that keep these commands from running a program or reading another repository. */
const OPTIONS: Record<string, readonly string[]> = {
  diff: ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'],
  status: ['--ignore-submodules=dirty'],
};

/** Keeps the PATH entries that no project can put a program into: absolute, and outside of the project. */
const programFolders = (path: string | undefined, top: string): string =>
  (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && folder !== top && !`${folder}${sep}`.startsWith(`${top}${sep}`))
    .join(delimiter);

/** The environment for git, without anything that could lead it to another repository or to a program. */
const environmentFor = (top: string, { env, index }: Pick<GitCall, 'env' | 'index'>): Env => ({
  PATH: programFolders(env.PATH, top),
  HOME: env.HOME,
  USERPROFILE: env.USERPROFILE,
  SystemRoot: env.SystemRoot,
  XDG_CONFIG_HOME: env.XDG_CONFIG_HOME,
  // Under sudo git compares the owner of the repository with this user.
  SUDO_UID: env.SUDO_UID,
  GIT_INDEX_FILE: index,
  GIT_CEILING_DIRECTORIES: dirname(top),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // No read fetches what a partial clone left out: newer versions obey the first variable, older ones the second.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
});

/** Whether git accepts the `.git` as a repository and so does not search for one in the folders above. */
const isWhole = ({ folder, common }: Repository): boolean =>
  statSync(join(folder, 'HEAD'), { throwIfNoEntry: false })?.isFile() === true &&
  ['objects', 'refs'].every(
    (name) => statSync(join(common, name), { throwIfNoEntry: false })?.isDirectory() === true,
  );

/** The files in which git finds settings, without those that they include. */
const settingsFiles = ({ folder, common }: Repository, { env }: GitCall): string[] => [
  join(common, 'config'),
  join(folder, 'config.worktree'),
  join(env.HOME ?? '', '.gitconfig'),
  join(env.XDG_CONFIG_HOME || join(env.HOME ?? '', '.config'), 'git', 'config'),
  '/etc/gitconfig',
];

/** Whether a settings file can set a filter, by its own words or by a file that it includes. */
function mayHoldFilter(path: string): boolean {
  try {
    return /filter|include/i.test(readUntrusted(path, SETTINGS_FILE) ?? '');
  } catch {
    return true;
  }
}

/** Switches off every filter program that git would run on a file's text before comparing it; null when git fails. */
function withoutFilters(repository: Repository, call: GitCall): Env | null {
  // Saves one of two processes in nearly every repository.
  if (!settingsFiles(repository, call).some(mayHoldFilter)) return {};
  const { top } = repository;
  const asked = start(top, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'], {}, call);
  if (asked.kind === 'failed') return null;
  const names = asked.stdout.toString('utf8').split('\0');
  const filters = new Set(names.flatMap((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []));
  const settings = [...filters].flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', `${settings.length}`],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}

function start(top: string, args: readonly string[], more: Env, call: GitCall): GitAnswer {
  // Loaded on demand: most reads need no process, and the module costs some milliseconds.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const all = ['--no-pager', ...OVERRIDES, `--work-tree=${top}`, ...args];
  const { status, stdout, stderr, error } = spawnSync('git', all, {
    cwd: top,
    env: { ...environmentFor(top, call), ...more },
    input: call.input ?? '',
    timeout: call.timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: call.mostBytes,
  });
  if (status !== null && error === undefined)
    return { kind: 'ended', status, stdout, stderr: stderr.toString('utf8') };
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT') return { kind: 'failed', why: 'it is not on PATH' };
  if (code === 'ETIMEDOUT') return { kind: 'failed', why: `it took more than ${call.timeoutMs} ms` };
  if (code === 'ENOBUFS') return { kind: 'failed', why: `it said more than ${call.mostBytes} bytes` };
  return { kind: 'failed', why: error?.message ?? 'it was ended' };
}

/**
 * Runs git at the top of a repository: never where the agent happens to be, because git would take a folder there that
 * merely looks like a repository. Paths in `args` begin at the top. Git itself refuses a repository of another user.
 *
 * @param args options that belong before the command first, if any; then the command with its own
 */
export function runGit(repository: Repository, args: readonly string[], call: GitCall): GitAnswer {
  const { top, folder } = repository;
  // The answer that git itself gives when no folder above is a repository either.
  if (!isWhole(repository))
    return { kind: 'ended', status: 128, stdout: Buffer.alloc(0), stderr: `not a git repository: ${folder}` };
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const options = OPTIONS[args[at] ?? ''];
  if (options === undefined) return start(top, args, {}, call);
  const filters = withoutFilters(repository, call);
  if (filters === null) return { kind: 'failed', why: 'it does not say which filters are set' };
  return start(top, [...args.slice(0, at + 1), ...options, ...args.slice(at + 1)], filters, call);
}
