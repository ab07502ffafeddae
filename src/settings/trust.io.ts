// Saves which committed settings of a project the user trusts, in the user's own folder and never in the project.

import { withLock } from '../platform/lock.ts';
import { type Env, userPaths } from '../platform/project/paths.ts';
import { readUntrusted, STATE_FILE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import { newerFile } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';

/** Values by key, exactly as they were shown. */
export type Trusted = Record<string, unknown>;

const VERSION = '1.0.0';

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readAll(env: Env): { version: unknown; projects: Record<string, unknown> } {
  try {
    const value: unknown = JSON.parse(readUntrusted(userPaths(env).trust, STATE_FILE) ?? '{}');
    if (!isTable(value)) return { version: null, projects: {} };
    return { version: value.schema_version, projects: isTable(value.projects) ? value.projects : {} };
  } catch {
    return { version: null, projects: {} };
  }
}

/** The trusted values of a project; none when the file is unreadable or of a newer version. */
export function readTrust(env: Env, root: string): Trusted {
  const { version, projects } = readAll(env);
  const trusted = Object.hasOwn(projects, root) && !isNewer(version, VERSION) ? projects[root] : {};
  return isTable(trusted) ? trusted : {};
}

/** Replaces the trusted values of a project. @throws when a newer version wrote the file */
export function writeTrust(env: Env, root: string, trusted: Trusted): void {
  const path = userPaths(env).trust;
  withLock(path, () => {
    const { version, projects } = readAll(env);
    if (isNewer(version, VERSION)) throw newerFile(path);
    const { [root]: _, ...others } = projects;
    const all = Object.keys(trusted).length === 0 ? others : { ...others, [root]: trusted };
    replaceFile(path, `${JSON.stringify({ schema_version: VERSION, projects: all }, null, 1)}\n`);
  });
}
