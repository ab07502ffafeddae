// Does a folder of the project lie in the project? Links are followed, but nothing is made where one leads out.
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** What a repository holds must not send our writing, or our reading, elsewhere. */
export class LeadsOut extends Error {
  readonly next = 'put a file or folder of the project in place of the link';
}

/** The real path; null where there is nothing. */
function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The real path of what lies at a path from the root; null where there is nothing.
 * @throws LeadsOut
 */
export function realInside(root: string, path: string): string | null {
  const real = realOf(join(root, path));
  const top = realpathSync.native(root);
  if (real !== null && real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep))
    throw new LeadsOut(`A link leads out of the project: ${path} is "${real}"`);
  return real;
}

/**
 * The real path of a folder, given from the root; made where it is missing.
 * @param mode of what is made
 * @throws LeadsOut, and nothing is made then
 */
export function folderInside(root: string, path: string, mode?: number): string {
  const there = realInside(root, path);
  if (there !== null) return there;
  let above = dirname(path);
  while (above !== '.' && realInside(root, above) === null) above = dirname(above);
  mkdirSync(join(root, path), { recursive: true, mode });
  return realpathSync.native(join(root, path));
}
