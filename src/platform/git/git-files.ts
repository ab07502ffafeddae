// Lists the files to check, with their texts: what is staged, what has changed since a revision, or all.

import { join } from 'node:path';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { readOwnStats } from '../look.ts';
import { readText } from '../real-paths.ts';
import type { Git } from './git-run.ts';
import { quotePathspec } from './git-state.ts';

/** Larger objects are not judged. */
const LARGEST = 2_000_000;

/** Ids of the objects that exist and are not too large. */
function readable(git: Git, ids: readonly string[]): string[] {
  const answer = git.tell(['cat-file', '--batch-check'], `${ids.join('\n')}\n`).toString('utf8');
  return answer.split('\n').flatMap((line) => {
    const [id = '', kind, size] = line.split(' ');
    return kind === 'blob' && Number(size) <= LARGEST ? [id] : [];
  });
}

/** Texts by id; what is missing or larger than 2 MB is left out. Two runs of git, however many they are. */
function readBlobs(git: Git, ids: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  const wanted = ids.length === 0 ? [] : readable(git, [...new Set(ids)]);
  if (wanted.length === 0) return texts;
  const answer = git.tell(['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(10, at);
    const [id = '', , size] = answer.toString('latin1', at, end).split(' ');
    const from = end + 1;
    texts.set(id, answer.toString('utf8', from, from + Number(size)));
    at = from + Number(size) + 1;
  }
  return texts;
}

export type GitScope =
  | { kind: 'changed' | 'staged' | 'all' }
  /** Changes since the revision and the present commit diverged. */
  | { kind: 'since'; revision: string };

export interface GitFile {
  /** Relative to the folder of `Git`, with `/`. */
  path: string;
  act: 'write' | 'remove';
  /** Whether it is a regular file: no symbolic link, no submodule, not deleted. */
  isPlain: boolean;
  /** The new text; null when it is not plain, cannot be read, or is larger than 2 MB. */
  text(): string | null;
  /** The text before the change; null when the file did not exist. */
  before(): string | null;
}

export interface GitFiles {
  /** By path. */
  files: GitFile[];
  /** The new text of any file, changed or not; null when there is none. */
  read(path: string): string | null;
}

interface Entry {
  path: string;
  act: GitFile['act'];
  isPlain: boolean;
  /** Ids of git objects; null when there is none (the working tree, a new file). */
  now: string | null;
  old: string | null;
}

const NONE = /^0+$/;
const isPlainMode = (mode: string): boolean => mode.startsWith('100');
const idOf = (id: string): string | null => (NONE.test(id) ? null : id);
const parts = (answer: Buffer): string[] =>
  answer
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '');

/** Parses `:100644 100644 <old> <now> M` and the path after it; a rename counts as one deleted and one new file. */
function differences(git: Git, against: readonly string[]): Entry[] {
  const options = ['--raw', '-z', '--no-abbrev', '--no-renames', `--relative=${git.prefix}`];
  const answer = parts(git.tell(['diff', ...options, ...against]));
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < answer.length; at += 2) {
    const [oldMode = '', mode = '', old = '', now = '', status = ''] = (answer[at] ?? '').slice(1).split(' ');
    const path = answer[at + 1] ?? '';
    const isGone = status.startsWith('D');
    entries.push({
      path,
      act: isGone ? 'remove' : 'write',
      isPlain: !isGone && isPlainMode(mode),
      now: idOf(now),
      old: isPlainMode(oldMode) ? idOf(old) : null,
    });
  }
  return entries;
}

const diskEntry = (git: Git, path: string): Entry[] => {
  const stats = readOwnStats(join(git.root, path));
  return stats === undefined ? [] : [{ path, act: 'write', isPlain: stats.isFile(), now: null, old: null }];
};

/** The paths that "git ls-files" lists for the folder, from the top of the repository. */
const listed = (git: Git, options: readonly string[]): string[] =>
  parts(git.tell(['ls-files', '-z', '--full-name', ...options, '--', quotePathspec(git.prefix)]));
const fromRoot = (git: Git, path: string): string => path.slice(git.prefix.length);

const untracked = (git: Git): Entry[] =>
  listed(git, ['--others', '--exclude-standard']).flatMap((path) => diskEntry(git, fromRoot(git, path)));

/** The files that differ from a commit, including untracked ones. A file removed only from the index still counts. */
function changedSince(git: Git, commit: string): Entry[] {
  const entries = new Map(differences(git, [commit, '--']).map((entry) => [entry.path, entry]));
  for (const entry of untracked(git))
    entries.set(entry.path, { ...entry, old: entries.get(entry.path)?.old ?? null });
  return [...entries.values()];
}

/** All existing files that git tracks here, or would add with "git add". */
const everything = (git: Git): Entry[] =>
  [...new Set(listed(git, ['--cached', '--others', '--exclude-standard']))].flatMap((path) =>
    diskEntry(git, fromRoot(git, path)),
  );

const hasCommit = (git: Git): boolean =>
  git.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']) !== null;

/** The commit at which the present one and a revision diverged. */
function partingOf(git: Git, revision: string): string {
  const commit = git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  if (commit === null)
    throw new PlimsollError('git-refused', `git knows no commit "${revision}"`, {
      hint: 'name a branch, a tag or a commit that is here (git log); in CI fetch it first: fetch-depth: 0, or git fetch origin BRANCH',
    });
  const base = git.ask(['merge-base', commit.toString('utf8').trim(), 'HEAD']);
  if (base !== null) return base.toString('utf8').trim();
  throw new PlimsollError(
    'git-refused',
    `"${revision}" and the present commit have no commit in common here`,
    { hint: 'fetch the history between them: git fetch --unshallow, in CI fetch-depth: 0' },
  );
}

function entriesOf(git: Git, scope: GitScope): Entry[] {
  switch (scope.kind) {
    case 'staged':
      return differences(git, ['--cached']);
    case 'since':
      return changedSince(git, partingOf(git, scope.revision));
    case 'changed':
      return hasCommit(git) ? changedSince(git, 'HEAD') : everything(git);
    default:
      return everything(git);
  }
}

/** Ids of the plain files that a commit would hold, by path. */
function stagedIds(git: Git): Map<string, string> {
  const entries = listed(git, ['--stage']).flatMap((line): [string, string][] => {
    const [about = '', ...path] = line.split('\t');
    const [mode = '', id = ''] = about.split(' ');
    return isPlainMode(mode) ? [[fromRoot(git, path.join('\t')), id]] : [];
  });
  return new Map(entries);
}

/** Files that are read even if unchanged, and so fetched together with the changed ones. */
const READ_ALWAYS =
  /(?:^|\/)(?:ORCHESTRATION\.yaml|go\.mod|CLAUDE\.md|AGENTS\.md)$|^\.(?:plimsoll|claude|context)\/.*\.(?:md|toml)$/;

/**
 * The files of a scope, with their texts read on demand.
 * @throws PlimsollError `git-refused` when git fails or does not know the revision
 */
export function listGitFiles(git: Git, scope: GitScope): GitFiles {
  const entries = entriesOf(git, scope).sort((a, b) => (a.path < b.path ? -1 : 1));
  const staged = scope.kind === 'staged' ? stagedIds(git) : null;
  let texts: Map<string, string | null> | null = null;
  /** Reads an object; the first call fetches all that may be needed. */
  const blob = (id: string | null): string | null => {
    if (id === null) return null;
    if (texts === null) {
      const changed = entries.flatMap(({ old, now, isPlain }) => (isPlain ? [old, now] : []));
      const always = [...(staged ?? [])].flatMap(([path, each]) => (READ_ALWAYS.test(path) ? [each] : []));
      const wanted = [...changed, ...always].filter((each) => each !== null);
      texts = new Map(readBlobs(git, wanted));
    }
    if (!texts.has(id)) texts.set(id, readBlobs(git, [id]).get(id) ?? null);
    return texts.get(id) ?? null;
  };
  const onDisk = (path: string): string | null => readText(join(git.root, path));
  return {
    files: entries.map(({ path, act, isPlain, now, old }) => ({
      path,
      act,
      isPlain,
      text: () => (!isPlain ? null : staged === null ? onDisk(path) : blob(now)),
      before: () => blob(old),
    })),
    read: (path) => (staged === null ? onDisk(path) : blob(staged.get(path) ?? null)),
  };
}

/**
 * When the work in the working tree was done: the time of the present commit in ms if no tracked file differs from it;
 * else null, which means now.
 */
export function findLastWork(git: Git): number | null {
  if (!hasCommit(git) || differences(git, ['HEAD', '--']).length > 0) return null;
  const seconds = Number(git.tell(['rev-list', '-1', '--timestamp', 'HEAD']).toString('utf8').split(' ')[0]);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}
