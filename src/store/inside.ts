// Does a folder of the project lie in the project? Links are followed, but nothing is made where one leads out.
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { looseText } from './loose-text.ts';
import { below } from './paths.ts';

/** What a repository holds must not send our writing, or our reading, elsewhere. */
export class LeadsOut extends Error {
  readonly next = 'put a file or folder of the project in place of the link';
}

/** The real path; null where there is nothing. */
function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * The real path of what lies at a path from the root; null where there is nothing.
 * @throws LeadsOut
 */
export function realInside(root: string, path: string): string | null {
  const real = realOf(below(root, path));
  const top = realpathSync.native(root);
  if (real !== null && real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep))
    throw new LeadsOut(`A link leads out of the project: ${path} is "${real}"`);
  return real;
}

/** Whether there is something at a path, in the project. */
export function isInside(root: string, path: string): boolean {
  try {
    return realInside(root, path) !== null;
  } catch (error) {
    if (error instanceof LeadsOut) return false;
    throw error;
  }
}

/**
 * Makes sure that a path lies in the project, also one at which there is nothing yet.
 * @throws LeadsOut
 */
export function checkInside(root: string, path: string): void {
  for (let at = path; at !== '.' && realInside(root, at) === null; ) at = dirname(at);
}

/**
 * Text of a file that may be anything; null where it is missing or cannot be read.
 * @throws LeadsOut
 */
export function textInside(root: string, path: string): string | null {
  const real = realInside(root, path);
  return real === null ? null : looseText(real);
}

/**
 * The real path of a folder, given from the root; made where it is missing.
 * @param mode of what is made
 * @throws LeadsOut, and nothing is made then
 */
export function folderInside(root: string, path: string, mode?: number): string {
  const there = realInside(root, path);
  if (there !== null) return there;
  checkInside(root, dirname(path));
  mkdirSync(below(root, path), { recursive: true, mode });
  return realpathSync.native(below(root, path));
}
