// Reads and makes files of a project; a link that leads out of the project is refused.
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { isError, PlimsollError } from '../text/plimsoll-error.ts';
import { exists } from './look.ts';
import { type FileKind, FOREIGN_FILE, readUntrusted, SETTINGS_FILE } from './read.ts';
import { noteUnsafe } from './unsafe-file.ts';

/** The error for a link in the project that leads out of it. */
export const leadsOut = (what: string, path: string, real: string): PlimsollError =>
  new PlimsollError('leads-out', `${what}: ${path} is "${real}"`, {
    hint: 'put a file or folder of the project in place of the link',
    path,
  });

/** The real path; null when nothing is there. */
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
 * The real path of a file or folder, given absolute or from the root; null when nothing is there.
 * @throws PlimsollError `leads-out`
 */
export function resolveInProject(root: string, path: string): string | null {
  const real = realOf(at(root, path));
  const top = realpathSync.native(root);
  if (real !== null && real !== top && !isBelow(top, real))
    throw leadsOut('A link leads out of the project', path, real);
  return real;
}

/** Whether a path exists and lies in the project. */
export function isInProject(root: string, path: string): boolean {
  try {
    return resolveInProject(root, path) !== null;
  } catch (error) {
    if (isError(error, 'leads-out')) return false;
    throw error;
  }
}

/**
 * Makes sure that a path from the root lies in the project, even if nothing is there yet.
 * @throws PlimsollError `leads-out`
 */
export function checkInProject(root: string, path: string): void {
  for (let each = path; each !== '.' && resolveInProject(root, each) === null; ) each = dirname(each);
}

/**
 * Text of a file of the project, absolute or from the root; null where there is none.
 * @throws PlimsollError `leads-out`, `unsafe-file`, and what the file system throws
 */
export function readInProject(root: string, path: string, kind: FileKind = FOREIGN_FILE): string | null {
  const real = resolveInProject(root, path);
  return real === null ? null : readUntrusted(real, kind);
}

/** Like `readInProject`, but null for everything that cannot be read. An unsafe file is noted in the failure log. */
export function readInProjectOrNull(root: string, path: string, kind?: FileKind): string | null {
  try {
    return readInProject(root, path, kind);
  } catch (error) {
    noteUnsafe(error);
    return null;
  }
}

/**
 * Text of a settings file, or of a file that settings name. Below the root it must lie in the project; elsewhere it is
 * the user's own and may be a link.
 * @throws as `readInProject`
 */
export const readNamed = (root: string | null, path: string): string | null =>
  root !== null && isBelow(root, path) ? readInProject(root, path) : readUntrusted(path, SETTINGS_FILE);

/**
 * The real path of such a file, for callers that change it in place; null when it does not exist.
 * @throws PlimsollError `leads-out` for a file of the project that is a link to elsewhere
 */
export const resolveNamed = (root: string | null, path: string): string | null =>
  root !== null && isBelow(root, path) ? resolveInProject(root, path) : realOf(path);

/** Whether such a file exists. A link that leads out of the project does not count and is noted in the failure log. */
export function isNamed(root: string | null, path: string): boolean {
  if (!exists(path)) return false;
  try {
    return resolveNamed(root, path) !== null;
  } catch (error) {
    noteUnsafe(error);
    return false;
  }
}

/**
 * The real path of a folder, given from the root; made where it is missing.
 * @param mode of what is made
 * @throws PlimsollError `leads-out`, and nothing is made then
 */
export function mkdirInProject(root: string, path: string, mode?: number): string {
  const there = resolveInProject(root, path);
  if (there !== null) return there;
  checkInProject(root, dirname(path));
  mkdirSync(join(root, path), { recursive: true, mode });
  return realpathSync.native(join(root, path));
}
