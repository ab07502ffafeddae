// Finds a plugin that the client has installed, and the folder that the client reads it from.
import { join } from 'node:path';
import { exists } from '../../../platform/look.ts';
import type { Env } from '../../../platform/project/paths.ts';
import { readJson, SETTINGS_FILE } from '../../../platform/read.ts';
import { safeName } from '../../../text/file-slug.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { configFolder } from '../files.io.ts';

const objectIn = (path: string): JsonObject => {
  try {
    const value = readJson(path, SETTINGS_FILE);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** The client's list of installed plugins. */
export const installedPluginsPath = (env: Env): string =>
  join(configFolder(env), 'plugins', 'installed_plugins.json');

/** The folder of a plugin whose marketplace is a local folder, which the client reads in place; null for any other. */
function folderInPlace(name: string, marketplace: string, env: Env): string | null {
  const known = objectIn(join(configFolder(env), 'plugins', 'known_marketplaces.json'))[marketplace];
  const source = isObject(known) && isObject(known.source) ? known.source : {};
  if (source.source !== 'directory' || typeof source.path !== 'string') return null;
  const { plugins } = objectIn(join(source.path, '.claude-plugin', 'marketplace.json'));
  const entry = (Array.isArray(plugins) ? plugins : []).find((each) => isObject(each) && each.name === name);
  return typeof entry?.source === 'string' ? join(source.path, entry.source) : source.path;
}

/**
 * A plugin, named `name@marketplace`, that the client keeps a copy of; null when it keeps none.
 * `gone`: the folder that it would be read from, if that no longer exists.
 */
export function keptPlugin(id: string, env: Env): { gone: string | null } | null {
  const [name = '', marketplace = ''] = id.split('@');
  const cache = join(configFolder(env), 'plugins', 'cache', safeName(marketplace), safeName(name));
  if (!exists(cache)) return null;
  const folder = folderInPlace(name, marketplace, env);
  return { gone: folder !== null && !exists(folder) ? folder : null };
}
