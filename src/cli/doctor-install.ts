// What is there to know about the hooks that are registered here, and about the programs that they start?
import { FIRST_WITH_BATCH, programIn } from '../agents/claude-code-hooks.ts';
import { changeLine, hookChanges } from '../agents/hook-changes.ts';
import type { InstallFacts, ScopeFacts } from '../model/install-findings.ts';
import { isObject, type Json } from '../model/json.ts';
import type { ProgramFacts } from '../model/program-findings.ts';
import { buildName, installedBundle } from '../store/bundle.ts';
import { clientVersion, isPluginThere, isTrusted, programVersion } from '../store/client-files.ts';
import { exists, readText } from '../store/files.ts';
import { isIgnored } from '../store/git.ts';
import { managedSettingsPath } from '../store/paths.ts';
import { VERSION } from '../version.ts';
import type { Place } from './place.ts';
import { bundleEntry, type ScopeSettings, wantedIn } from './settings-file.ts';

function valueIn(text: string | null): Json {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The first of the settings, the strongest first, that says yes or no to a switch. */
function disabledIn(
  managed: Json,
  managedPath: string,
  all: readonly ScopeSettings[],
): InstallFacts['disabled'] {
  if (managed.allowManagedHooksOnly === true)
    return { key: 'allowManagedHooksOnly', path: managedPath, isManaged: true };
  const layers = [
    { path: managedPath, value: managed },
    ...all.map(({ path, text }) => ({ path, value: valueIn(text) })),
  ];
  const decided = layers.find(({ value }) => typeof value.disableAllHooks === 'boolean');
  return decided?.value.disableAllHooks === true
    ? { key: 'disableAllHooks', path: decided.path, isManaged: decided.path === managedPath }
    : null;
}

/** A plugin that brings the same hooks: enabled in the settings, and there. */
export function pluginIn(place: Place, all: readonly ScopeSettings[]): string | null {
  const enabled: Json = {};
  for (const { text } of [...all].reverse()) {
    const { enabledPlugins } = valueIn(text);
    if (isObject(enabledPlugins)) Object.assign(enabled, enabledPlugins);
  }
  return (
    Object.keys(enabled).find(
      (id) => id.startsWith('plimsoll@') && enabled[id] === true && isPluginThere(id, place.env),
    ) ?? null
  );
}

/** What init would change, but for the Node: whether that one runs is a question of its own. */
function scopeFacts(place: Place, each: ScopeSettings, client: string | null): ScopeFacts {
  const { scope, path, fault, installed } = each;
  const node = installed.map((hook) => programIn(hook).node).find((found) => found !== null);
  const wanted = wantedIn(place, scope, { clientVersion: client, installed, node: node ?? process.execPath });
  return {
    scope,
    path,
    fault,
    events: installed.map((hook) => hook.event),
    changes: installed.length === 0 ? [] : hookChanges(installed, wanted).map(changeLine),
  };
}

export function installFacts(place: Place, all: readonly ScopeSettings[], hasRun: boolean): InstallFacts {
  const client = clientVersion(place.env);
  const managedPath = managedSettingsPath(process.platform);
  const local = all.find((each) => each.scope === 'local');
  const ignored =
    place.root === null || local?.text == null ? null : isIgnored(place.root, local.path, place.env);
  return {
    isProject: place.root !== null,
    scopes: all.map((each) => scopeFacts(place, each, client)),
    plugin: pluginIn(place, all),
    disabled: disabledIn(valueIn(textOf(managedPath)), managedPath, all),
    isTrusted: place.root === null ? null : isTrusted(place.root, place.env),
    hasRun,
    client,
    firstWithBatch: FIRST_WITH_BATCH,
    isLocalSeen: ignored === null ? null : !ignored,
  };
}

function textOf(path: string): string | null {
  try {
    return readText(path);
  } catch {
    return null;
  }
}

/** @param dist folder with the built chunks */
export function programFacts(place: Place, all: readonly ScopeSettings[], dist: string): ProgramFacts {
  const programs = all.flatMap((each) => each.installed).map(programIn);
  const distinct = (paths: (string | null)[]): string[] => [
    ...new Set(paths.filter((path): path is string => path !== null)),
  ];
  const entry = bundleEntry(place);
  const found = installedBundle(place.env);
  return {
    node: process.versions.node,
    nodeOnPath: programVersion('node', place.env),
    nodes: distinct(programs.map((each) => each.node)).map((path) => ({
      path,
      version: path === process.execPath ? process.versions.node : programVersion(path, place.env),
    })),
    version: VERSION,
    build: buildName(dist, VERSION),
    bundle: found === null ? null : { path: entry, ...found },
    entries: distinct(programs.map((each) => each.bundle ?? entry)).map((path) => ({
      path,
      exists: exists(path),
    })),
  };
}
