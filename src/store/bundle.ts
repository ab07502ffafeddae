// Where is the hook bundle that settings point to? At a stable place of the user, swapped as a whole on upgrade.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Env, userPaths } from './paths.ts';

const KEPT_VERSIONS = 3;

const chunksIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== 'cli.cjs');

/**
 * Copies the hook chunks beside the running command to the user's data folder and points `current` at them.
 * Running hooks keep the version that they started with; the last three stay.
 * @returns the path of the entry to register
 * @throws when the chunks are missing or the folder cannot be written
 */
export function installBundle(dist: string, version: string, env: Env): string {
  const { data, current } = userPaths(env);
  const chunks = chunksIn(dist);
  if (!chunks.includes('hook.cjs')) throw new Error(`No hook bundle in "${dist}"`);
  const hash = createHash('sha256');
  for (const name of chunks) hash.update(name).update(readFileSync(join(dist, name)));
  const folder = join(data, 'versions', `${version}-${hash.digest('hex').slice(0, 12)}`);
  if (!existsSync(join(folder, 'hook.cjs'))) {
    const draft = `${folder}.${process.pid}.tmp`;
    mkdirSync(draft, { recursive: true });
    for (const name of chunks) copyFileSync(join(dist, name), join(draft, name));
    try {
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(join(folder, 'hook.cjs'))) throw error;
    }
  }
  const link = `${current}.${process.pid}.tmp`;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(folder, link, process.platform === 'win32' ? 'junction' : 'dir');
  try {
    renameSync(link, current);
  } catch {
    rmSync(current, { recursive: true, force: true });
    renameSync(link, current);
  }
  removeOldVersions(join(data, 'versions'), folder);
  return join(current, 'hook.cjs');
}

function removeOldVersions(versions: string, inUse: string): void {
  const old = readdirSync(versions)
    .map((name) => join(versions, name))
    .filter((path) => path !== inUse && !path.endsWith('.tmp'))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of old.slice(KEPT_VERSIONS - 1)) rmSync(path, { recursive: true, force: true });
}

/** Removes the bundle; hooks that still point to it stay silent. */
export function removeBundle(env: Env): void {
  rmSync(userPaths(env).data, { recursive: true, force: true });
}
