// Resolves where a path really leads, through links, `..` and worktrees, and whether its file system ignores case.
import { dirname, isAbsolute, join, resolve as resolvePath, sep } from 'node:path';
import { matchesName } from '../text/globs.ts';
import { listNames, readLinkTarget, readOwnStats, readStats } from './look.ts';
import { type FileKind, FOREIGN_FILE, readTextOrNull, readUntrusted, SETTINGS_FILE } from './read.ts';

const MOST_LINKS = 40;
const MOST_NAMES = 2000;
/** The largest file that guardrails judge. */
const JUDGED: FileKind = { ...SETTINGS_FILE, most: 2_000_000 };

const look = (path: string) => readOwnStats(path) ?? null;
const SEPARATOR = sep === '\\' ? /[\\/]/ : '/';

/** Resolves a path as the system does: link by link, with `..` after the link before it. Missing parts are kept. */
function walk(path: string, follow: boolean, links: { left: number }): string {
  const top = resolvePath(path).slice(0, resolvePath(path).indexOf(sep) + 1);
  const parts = path.slice(path.startsWith(top) ? top.length : 0).split(SEPARATOR);
  let at = top;
  let isMissing = false;
  parts.forEach((part, index) => {
    if (part === '' || part === '.') return;
    if (part === '..') {
      at = dirname(at);
      isMissing = false;
      return;
    }
    const next = join(at, part);
    const isLast = parts.slice(index + 1).every((each) => each === '' || each === '.');
    const found = isMissing ? null : look(next);
    if (found === null) isMissing = true;
    const target =
      found?.isSymbolicLink() && (!isLast || follow) && links.left-- > 0 ? readLinkTarget(next) : null;
    at = target === null ? next : walk(isAbsolute(target) ? target : join(at, '/', target), true, links);
  });
  return at;
}

/** The same name in the other case; unchanged if it has no letters. */
const swapped = (name: string): string =>
  name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();

/** Whether two paths lead to the same file. */
const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map(readStats);
  return !!a && !!b && a.ino === b.ino && a.dev === b.dev;
};

/** Whether the file system of a path treats `A` and `a` as one name, tested on the nearest existing part. */
export function foldsCase(path: string, same: (one: string, other: string) => boolean = isSame): boolean {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const name = at.slice(dirname(at).length).replace(/^[\\/]/, '');
    if (swapped(name) !== name && look(at) !== null) return same(at, join(dirname(at), swapped(name)));
  }
  return false;
}

interface Repository {
  top: string;
  /** The git folder that all its worktrees share. */
  shared: string;
}

/** The worktree that holds a folder; null outside of any. */
function repositoryOf(path: string): Repository | null {
  for (let at = path; ; at = dirname(at)) {
    const entry = look(join(at, '.git'));
    if (entry?.isDirectory()) return { top: at, shared: join(at, '.git') };
    if (entry?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(readTextOrNull(join(at, '.git'), FOREIGN_FILE) ?? '')?.[1];
      if (named === undefined) return null;
      const own = resolvePath(at, named.trim());
      const common = readTextOrNull(join(own, 'commondir'), FOREIGN_FILE)?.trim() ?? '../..';
      return { top: at, shared: resolvePath(own, common) };
    }
    if (dirname(at) === at) return null;
  }
}

const slashed = (path: string): string => (sep === '\\' ? path.replace(/\\/g, '/') : path);

/** Returns a function that resolves paths for the rules of one project, whose root is a real path already. */
export function listRealPaths(root: string) {
  const repositories = new Map<string, Repository | null>();
  const folding = new Map<string, boolean>();
  const known = <T>(from: Map<string, T>, key: string, look: (key: string) => T): T => {
    const value = from.get(key) ?? look(key);
    from.set(key, value);
    return value;
  };
  const own = repositoryOf(root);
  const resolve = (path: string, follow: boolean) => {
    const real = walk(path, follow, { left: MOST_LINKS });
    const found = look(real);
    const home = found?.isDirectory() ? real : dirname(real);
    const repository = own === null ? null : known(repositories, home, repositoryOf);
    const isOther = repository !== null && repository.top !== root && repository.shared === own?.shared;
    return {
      path: slashed(real),
      kind:
        found === null ? ('missing' as const) : found.isDirectory() ? ('folder' as const) : ('file' as const),
      folds: known(folding, dirname(real), (folder) => foldsCase(folder)),
      worktree: isOther ? slashed(repository.top) : null,
    };
  };
  const places = new Map<string, ReturnType<typeof resolve>>();
  return (path: string, follow: boolean) =>
    known(places, `${follow ? 'to' : 'at'} ${path}`, () => resolve(path, follow));
}

/** The paths that match a shell pattern, as the shell finds them; null when there are too many to examine. */
export function expandPattern(pattern: string): string[] | null {
  let found = [''];
  for (const part of slashed(pattern).split('/')) {
    const isPlain = !/[*?[\\]/.test(part);
    const next: string[] = [];
    for (const folder of found) {
      if (isPlain) {
        next.push(
          folder === '' && part === ''
            ? '/'
            : `${folder}${folder.endsWith('/') || folder === '' ? '' : '/'}${part}`,
        );
        continue;
      }
      const names = listNames(folder);
      if (names.length > MOST_NAMES) return null;
      for (const name of names) {
        if (name.startsWith('.') && !part.startsWith('.')) continue;
        if (matchesName(part, name)) next.push(`${folder}${folder.endsWith('/') ? '' : '/'}${name}`);
      }
    }
    if (next.length > MOST_NAMES) return null;
    found = next;
  }
  return found.filter((path) => look(path) !== null);
}

/** The disk access of guardrails, for a project whose root is a real path already. */
export const createDiskPort = (root: string) => ({
  resolve: listRealPaths(root),
  read: readText,
  expand: expandPattern,
});

/** The text of a file that is not too large; null for anything else. */
export const readText = (path: string): string | null => {
  try {
    return readUntrusted(path, JUDGED);
  } catch {
    return null;
  }
};
