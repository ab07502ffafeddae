// Finds a plugin that the client has installed, and the folder that the client reads it from.

import { join } from 'node:path';
import { exists } from '../../../platform/look.ts';
import type { Env } from '../../../platform/project/paths.ts';
import { readJson, SETTINGS_FILE } from '../../../platform/read.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { safeName } from '../../../text/path-text.ts';
import { configFolder } from '../files.io.ts';
import { registrationsFor } from './hooks.ts';

/** Events that every client with plugins knows; an older one can drop all hooks of a plugin that names another. */
const KNOWN_TO_ALL = [
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'PreCompact',
];

/**
 * The command of a hook, in shell form, which every client runs; the client or the shell fills in the plugin's folder. It
 * clears NODE_EXTRA_CA_CERTS and is silent where Node or the bundle is missing, as hooks of settings are.
 */
const commandOf = (event: string): string =>
  `f="\${CLAUDE_PLUGIN_ROOT}/lib/plugin.cjs"; [ -f "$f" ] && command -v node >/dev/null 2>&1 || exit 0; NODE_EXTRA_CA_CERTS= exec node "$f" ${event}`;

/** The plugin's `hooks/hooks.json`: what settings would register on a client of any age, and the module. */
export function pluginHooks() {
  const hooks: Record<string, { matcher?: string; hooks: unknown[] }[]> = {};
  const unknown = { clientVersion: null, bundle: '', node: '', windows: false, isShared: true };
  for (const { event, matcher, timeout } of registrationsFor(unknown)) {
    if (!KNOWN_TO_ALL.includes(event)) continue;
    const hook = { type: 'command', command: commandOf(event), timeout };
    hooks[event] = [
      ...(hooks[event] ?? []),
      { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] },
    ];
  }
  return {
    description: 'Measures the context, warns before compaction, checkpoints, and re-orients after it.',
    hooks,
    modules: ['./register.js'],
  };
}

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
