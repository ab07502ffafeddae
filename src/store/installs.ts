// Which settings files did we write to, and what brings each back to the byte?
import { replaceFile } from './atomic.ts';
import { readText } from './files.ts';
import { withLock } from './lock.ts';
import { type Env, userPaths } from './paths.ts';

export interface Install {
  /** Settings file. */
  path: string;
  /** True when the file did not exist before. */
  created: boolean;
  /** The file's text before, kept only where taking our entries out does not give it back. */
  before: string | null;
  /** The file's text as we left it, as a SHA-256. */
  after: string;
}

export function readInstalls(env: Env): Install[] {
  try {
    const value = JSON.parse(readText(userPaths(env).installs) ?? '{}') as { installs?: Install[] };
    return Array.isArray(value.installs) ? value.installs : [];
  } catch {
    return [];
  }
}

/** Replaces the record of a settings file; null forgets it. */
export function recordInstall(env: Env, path: string, install: Install | null): void {
  const file = userPaths(env).installs;
  withLock(file, () => {
    const others = readInstalls(env).filter((each) => each.path !== path);
    const installs = install === null ? others : [...others, install];
    replaceFile(file, `${JSON.stringify({ schema_version: '1.0.0', installs }, null, 1)}\n`);
  });
}
