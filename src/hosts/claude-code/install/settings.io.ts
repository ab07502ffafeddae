// Reads the client's settings files, following links that the user made but not links that the repository ships.

import { isCommitted } from '../../../platform/git/git-state.ts';
import { readNamed, realNamed } from '../../../platform/in-project.ts';
import type { Env } from '../../../platform/project/paths.ts';
import { isError } from '../../../text/plimsoll-error.ts';

/** Follows a link out of the project only if it is not committed, because then the user must have made it. */
function throughOwnLink<T>(
  root: string | null,
  path: string,
  env: Env,
  read: (root: string | null, path: string) => T,
): T {
  try {
    return read(root, path);
  } catch (error) {
    if (!isError(error, 'leads-out') || root === null || isCommitted(root, path, env) !== false) throw error;
    return read(null, path);
  }
}

/**
 * Text of a settings file, through a link that the user made; null when it does not exist.
 * @throws PlimsollError `leads-out` for a link out of the project that is committed, or if there is no repository to tell
 */
export const settingsText = (root: string | null, path: string, env: Env): string | null =>
  throughOwnLink(root, path, env, readNamed);

/**
 * The real path of a settings file; null when it does not exist.
 * @throws PlimsollError `leads-out` as `settingsText`
 */
export const realSettings = (root: string | null, path: string, env: Env): string | null =>
  throughOwnLink(root, path, env, realNamed);
