// Records which client settings files we changed, and what restores each byte for byte.

import { dirname } from 'node:path';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { withLock } from '../platform/lock.ts';
import { exists, listNames } from '../platform/look.ts';
import { type Env, listUserPaths } from '../platform/project/paths.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { readJson, STATE_FILE } from '../platform/read.ts';
import { removeFolder, removeOwn, replaceFile } from '../platform/write.ts';
import { buildNewerFile } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';
import { removeBundle } from './stable-bundle.io.ts';

export interface Install {
  /** Settings file. */
  path: string;
  /** True when the file did not exist before. */
  created: boolean;
  /** The file's text before, kept only if removing our entries does not restore it. */
  before: string | null;
  /** SHA-256 of the file's text as we left it. */
  after: string;
  /** True when others put the hooks there: we only keep the bundle that they need, and never remove them. */
  bundleOnly?: boolean;
}

/** The record of a settings file whose hooks we must not remove. */
export const buildBundleOnly = (path: string): Install => ({
  path,
  created: false,
  before: null,
  after: '',
  bundleOnly: true,
});

const VERSION = '1.0.0';

/** @throws when a newer version wrote the file: without its records nothing may be installed or removed */
export function readInstalls(env: Env): Install[] {
  const file = listUserPaths(env).installs;
  let value: { schema_version?: unknown; installs?: Install[] };
  try {
    value = (readJson(file, STATE_FILE) ?? {}) as typeof value;
  } catch {
    return [];
  }
  if (isNewer(value?.schema_version, VERSION)) throw buildNewerFile(file);
  return Array.isArray(value?.installs) ? value.installs : [];
}

/** Replaces the record of a settings file; null removes it. */
export function recordInstall(env: Env, path: string, install: Install | null): void {
  const file = listUserPaths(env).installs;
  withLock(file, () => {
    const others = readInstalls(env).filter((each) => each.path !== path);
    const installs = install === null ? others : [...others, install];
    replaceFile(file, `${JSON.stringify({ schema_version: VERSION, installs }, null, 1)}\n`);
  });
}

/** The last line of `init`. @param which the options of the `uninstall` that takes it back */
export const formatNext = (which: string): string =>
  `Next: work as usual. "plimsoll status" shows the context usage, "plimsoll off" silences it, "plimsoll uninstall${which}" removes it.`;

/** Removes the bundle where nothing needs it any more, and the project's state folder where nothing was kept in it; says what is left. */
export function finishRemoval(place: ProjectContext, scope: string): { isLast: boolean; left: string[] } {
  const isLast = readInstalls(place.env).length === 0;
  if (isLast) removeBundle(place.env);
  const { state } = place.paths;
  if (listNames(state).join() === '.gitignore') tryOrNull(() => removeOwn(state));
  tryOrNull(() => removeFolder(dirname(state)));
  const mine = [...(scope === 'user' ? [] : [state]), ...(isLast ? [listUserPaths(place.env).state] : [])];
  const where = mine.filter(exists).map((path) => `${displayPath(path, place)}/`);
  if (scope === 'user') where.unshift('.plimsoll/ of each project');
  const left = `What was kept stays in ${where.join(' and in ')}; delete what you do not need.`;
  return { isLast, left: where.length === 0 ? [] : [left] };
}
