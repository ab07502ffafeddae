// What lies in a project, links followed to the inside of it alone: a repository never leads us elsewhere.
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { exists } from './look.ts';
import { type FileKind, FOREIGN, readUntrusted, SETTINGS } from './read.ts';
import { noteUnsafe, UnsafeFile } from './unsafe-file.ts';

/** A link of the project leads out of it. */
export class LeadsOut extends UnsafeFile {
  override readonly next = 'put a file or folder of the project in place of the link';
}

/** The real path; null where there is nothing. */
function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null;
    throw error;
  }
}

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const at = (root: string, path: string): string => (isAbsolute(path) ? path : join(root, path));

/**
 * The real path of what lies at a path, absolute or from the root; null where there is nothing.
 * @throws LeadsOut
 */
export function realInProject(root: string, path: string): string | null {
  const real = realOf(at(root, path));
  const top = realpathSync.native(root);
  if (real !== null && real !== top && !isBelow(top, real))
    throw new LeadsOut(`A link leads out of the project: ${path} is "${real}"`);
  return real;
}

/** Whether there is something at a path, in the project. */
export function isInProject(root: string, path: string): boolean {
  try {
    return realInProject(root, path) !== null;
  } catch (error) {
    if (error instanceof LeadsOut) return false;
    throw error;
  }
}

/**
 * Makes sure that a path from the root lies in the project, also one at which there is nothing yet.
 * @throws LeadsOut
 */
export function checkInProject(root: string, path: string): void {
  for (let each = path; each !== '.' && realInProject(root, each) === null; ) each = dirname(each);
}

/**
 * Text of a file of the project, absolute or from the root; null where there is none.
 * @throws LeadsOut, UnsafeFile, and what the file system throws
 */
export function readInProject(root: string, path: string, kind: FileKind = FOREIGN): string | null {
  const real = realInProject(root, path);
  return real === null ? null : readUntrusted(real, kind);
}

/** The same, and null for everything that cannot be read. What is not of its kind gets into the failure log. */
export function readInProjectOrNull(root: string, path: string, kind?: FileKind): string | null {
  try {
    return readInProject(root, path, kind);
  } catch (error) {
    noteUnsafe(error);
    return null;
  }
}

/**
 * Text of a file that settings are kept in, or name: of the project where its path lies in it, else a person's own, which
 * may be linked.
 * @throws as `readInProject`
 */
export const readNamed = (root: string | null, path: string): string | null =>
  root !== null && isBelow(root, path) ? readInProject(root, path) : readUntrusted(path, SETTINGS);

/**
 * Where such a file really lies, for those who change it in its place; null where there is none.
 * @throws LeadsOut for one of the project that is linked to elsewhere
 */
export const realNamed = (root: string | null, path: string): string | null =>
  root !== null && isBelow(root, path) ? realInProject(root, path) : realOf(path);

/** Whether there is such a file. A link that leads out of the project is none, and gets into the failure log. */
export function isNamed(root: string | null, path: string): boolean {
  if (!exists(path)) return false;
  try {
    return realNamed(root, path) !== null;
  } catch (error) {
    noteUnsafe(error);
    return false;
  }
}

/**
 * The real path of a folder, given from the root; made where it is missing.
 * @param mode of what is made
 * @throws LeadsOut, and nothing is made then
 */
export function mkdirInProject(root: string, path: string, mode?: number): string {
  const there = realInProject(root, path);
  if (there !== null) return there;
  checkInProject(root, dirname(path));
  mkdirSync(join(root, path), { recursive: true, mode });
  return realpathSync.native(join(root, path));
}
