// Finds the plugins that are enabled here, and the hooks that ours brings.

import type { ProjectContext } from '../cli/project.io.ts';
import { findInstalledPlugins, findKeptPlugin } from '../hosts/claude-code/install/files.io.ts';
import { buildPluginHooks } from '../hosts/claude-code/install/hooks.ts';
import type { PluginFacts } from '../hosts/claude-code/install/install-findings.ts';
import { parseSettings, type ScopeSettings } from '../install/settings-file.io.ts';
import { readStamp } from '../platform/look.ts';
import { isObject, type JsonObject } from '../text/json.ts';

const enabledIn = (text: string | null): JsonObject => {
  const { enabledPlugins } = parseSettings(text);
  return isObject(enabledPlugins) ? enabledPlugins : {};
};

/** Plugins that are enabled in the settings, and installed. */
export function listPlugins(place: ProjectContext, all: readonly ScopeSettings[]): PluginFacts[] {
  const enabled: JsonObject = Object.assign({}, ...[...all].reverse().map(({ text }) => enabledIn(text)));
  return Object.keys(enabled).flatMap((id) => {
    const kept = enabled[id] === true ? findKeptPlugin(id, place.env) : null;
    return kept === null ? [] : [{ id, ...kept }];
  });
}

export const isOwnPlugin = ({ id }: PluginFacts): boolean => id.startsWith('plimsoll@');

/** Our own plugin, where it is enabled in the settings and installed; else null. */
export const findPlugin = (place: ProjectContext, all: readonly ScopeSettings[]): PluginFacts | null =>
  listPlugins(place, all).find(isOwnPlugin) ?? null;

/** The events that the plugin brings hooks for, and when it was installed or enabled last; null where it brings none. */
export function readPluginRegistration(
  place: ProjectContext,
  all: readonly ScopeSettings[],
): { events: string[]; at: number } | null {
  const plugin = findPlugin(place, all);
  if (plugin === null || plugin.gone !== null) return null;
  const where = all.filter(({ text }) => plugin.id in enabledIn(text)).map(({ path }) => path);
  const times = [findInstalledPlugins(place.env), ...where].map((path) => readStamp(path).mtimeMs);
  return { events: Object.keys(buildPluginHooks().hooks), at: Math.max(...times) };
}
