// The client's settings files of a project, which people link to where they keep theirs, and a repository to where it likes.
import { LeadsOut, readNamed, realNamed } from '../platform/in-project.ts';
import { isCommitted } from './git.ts';
import type { Env } from './paths.ts';

/** A link of the project out of it is followed for one who made it: a clone brings what is committed, and nothing else. */
function throughOwnLink<T>(
  root: string | null,
  path: string,
  env: Env,
  inside: () => T,
  outside: () => T,
): T {
  try {
    return inside();
  } catch (error) {
    if (!(error instanceof LeadsOut) || root === null || isCommitted(root, path, env) !== false) throw error;
    return outside();
  }
}

/**
 * Text of a settings file, through a link that the user made; null where there is none.
 * @throws LeadsOut for a link out of the project that is the repository's, or in a folder that is in none
 */
export const settingsText = (root: string | null, path: string, env: Env): string | null =>
  throughOwnLink(
    root,
    path,
    env,
    () => readNamed(root, path),
    () => readNamed(null, path),
  );

/**
 * Where a settings file really lies; null where there is none.
 * @throws LeadsOut as `settingsText`
 */
export const realSettings = (root: string | null, path: string, env: Env): string | null =>
  throughOwnLink(
    root,
    path,
    env,
    () => realNamed(root, path),
    () => realNamed(null, path),
  );
