// The names by which rules know a place: relative to the root, to its worktree, and as it was written.

import { findHeldPlace } from '../../text/globs.ts';
import { isAbsolute, normalize, stripFolder, toAbsolute, toSlashes } from '../../text/path-text.ts';
import type { PathChange } from './change.ts';
import type { FileSystemPort, GuardedCall, ResolvedPath } from './guard-call.ts';

export interface PathNames {
  change: PathChange;
  place: ResolvedPath;
  /** Names of the place where it really is: what is allowed must hold for these. */
  real: string[];
  /** Those, and the names by the text alone: what is forbidden is looked for in all. */
  all: string[];
  isInside: boolean;
  /** Whether there is anything at a name below the root. */
  isThere(name: string): boolean;
  /** Whether a folder below the root holds a file of such a name, in itself or some folders deep. */
  holds(folder: string, name: string): boolean;
}

/** How deep a folder is searched, for what a search would find in it. */
const DEPTHS = ['', '*/', '*/*/', '*/*/*/'];

/** The names of an absolute path: relative to the folders that hold it, with `~`, and itself. */
function namesOf(path: string, roots: readonly string[], home: string, folds: boolean): string[] {
  const names: string[] = [];
  for (const root of roots) {
    const name = stripFolder(path, root, folds);
    if (name !== null) names.push(name);
  }
  const fromHome = stripFolder(path, toSlashes(home), folds);
  if (fromHome !== null) names.push(`~/${fromHome}`);
  return [...names, path];
}

export function findPathNames(
  change: PathChange & { path: string },
  call: GuardedCall,
  sight: FileSystemPort,
): PathNames {
  const place = sight.resolve(change.path, change.follows);
  const root = toSlashes(call.root);
  const roots = place.worktree === null ? [root] : [place.worktree, root];
  const real = namesOf(place.path, roots, call.home, place.folds);
  const text = namesOf(normalize(change.path), roots, call.home, place.folds);
  return {
    change,
    place,
    real,
    all: [...new Set([...real, ...text])],
    isThere: (name) => sight.resolve(toAbsolute(name, root, call.home), true).kind !== 'missing',
    holds: (folder, name) =>
      DEPTHS.some((between) => {
        const pattern = toAbsolute(`${folder}/${between}${name}`, root, call.home);
        return (sight.expand(pattern) ?? []).length > 0;
      }),
    isInside: roots.some((each) => stripFolder(place.path, each, place.folds) !== null),
  };
}

/** The shortest name below the root, for sentences. */
export const findShortName = ({ real, change }: PathNames): string =>
  real.find((name) => name !== '' && !isAbsolute(name)) ?? change.written;

/** The first pattern whose place is there and goes with a folder that is changed as a whole; null for other changes. */
export function findHolder(
  { change, all, place, isThere }: PathNames,
  patterns: readonly string[],
): string | null {
  if (change.whole === false) return null;
  const visible = change.whole === 'some';
  const held = (pattern: string): boolean =>
    all.some((name) => {
      const base = findHeldPlace(name, pattern, place.folds, visible);
      return base !== null && isThere(base);
    });
  return patterns.find(held) ?? null;
}
