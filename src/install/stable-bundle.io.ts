// Installs the hook bundle at a stable place of the user, to which settings point, and swaps it as a whole on upgrade.

import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { buildHookScript } from '../hosts/claude-code/install/hooks.ts';
import { copyInto, linkFolder, removeTree } from '../platform/folders.ts';
import { exists, listNames, readStamp, resolveRealPath } from '../platform/look.ts';
import { type Env, listUserPaths } from '../platform/project/paths.ts';
import { LOG_FILE, readBytes } from '../platform/read.ts';
import { makeFolder, moveFile, replaceFile } from '../platform/write.ts';
import { quoteText } from '../text/escape.ts';

const KEPT_VERSIONS = 3;
/** Bundles that only commands load: settings point to none of them. */
const OF_COMMANDS = ['cli.cjs', 'commands.cjs'];

/** The script that runs a hook, whose command is shown to people. */
const SCRIPT = 'hook';

const chunksIn = (folder: string): string[] =>
  listNames(folder)
    .filter((name) => name.endsWith('.cjs') && !OF_COMMANDS.includes(name))
    .sort();

/** A short hash of the chunks in a folder; null when there is no hook bundle. */
function hashOf(folder: string): string | null {
  try {
    const chunks = chunksIn(folder);
    if (!chunks.includes('hook.cjs')) return null;
    const hash = createHash('sha256');
    for (const name of chunks) hash.update(name).update(readBytes(join(folder, name), LOG_FILE) ?? '');
    return hash.digest('hex').slice(0, 12);
  } catch {
    return null;
  }
}

/** The name under which a build is installed, `<version>-<hash>`; null when there is no build. */
export function buildName(dist: string, version: string): string | null {
  const hash = hashOf(dist);
  return hash === null ? null : `${version}-${hash}`;
}

export interface InstalledBundle {
  /** `<version>-<hash>`. */
  name: string;
  /** Whether its files match the hash in its name. */
  isWhole: boolean;
}

/** The bundle that settings point to, or null. */
export function findInstalledBundle(env: Env): InstalledBundle | null {
  const { current } = listUserPaths(env);
  try {
    const name = basename(resolveRealPath(current));
    if (!exists(join(current, 'hook.cjs'))) return null;
    return { name, isWhole: name.endsWith(`-${hashOf(current)}`) && exists(join(current, SCRIPT)) };
  } catch {
    return null;
  }
}

/**
 * Copies the hook chunks beside the running command to the user's data folder and points `current` at them.
 * Running hooks keep the version that they started with; the last three stay.
 * @returns true when a bundle of another build, or a damaged one, was there before
 * @throws when the chunks are missing or the folder cannot be written
 */
export function installBundle(dist: string, version: string, env: Env): boolean {
  const { data, current } = listUserPaths(env);
  const hash = hashOf(dist);
  if (hash === null) throw new Error(`No hook bundle in "${dist}"`);
  const name = `${version}-${hash}`;
  const folder = join(data, 'versions', name);
  const before = findInstalledBundle(env);
  if (hashOf(folder) !== hash) {
    const draft = `${folder}.${process.pid}.tmp`;
    makeFolder(draft);
    for (const name of chunksIn(dist)) copyInto(join(dist, name), join(draft, name));
    // A folder of that name with other files is damaged; another process may have put the right one there meanwhile.
    if (hashOf(folder) !== hash) removeTree(folder);
    try {
      moveFile(draft, folder);
    } catch (error) {
      removeTree(draft);
      if (hashOf(folder) !== hash) throw error;
    }
  }
  replaceFile(join(folder, SCRIPT), buildHookScript('hook.cjs', quoteText(process.execPath)), {
    mode: 0o755,
  });
  const link = `${current}.${process.pid}.tmp`;
  removeTree(link);
  linkFolder(folder, link);
  try {
    moveFile(link, current);
  } catch {
    removeTree(current);
    moveFile(link, current);
  }
  removeOldVersions(join(data, 'versions'), folder);
  return before !== null && !(before.isWhole && before.name === name);
}

function removeOldVersions(versions: string, inUse: string): void {
  const old = listNames(versions)
    .map((name) => join(versions, name))
    .filter((path) => path !== inUse && !path.endsWith('.tmp'))
    .sort((a, b) => readStamp(b).mtimeMs - readStamp(a).mtimeMs);
  for (const path of old.slice(KEPT_VERSIONS - 1)) removeTree(path);
}

/** Removes the bundle; hooks that still point to it stay silent. */
export function removeBundle(env: Env): void {
  removeTree(listUserPaths(env).data);
}
