// Collects doctor's facts about the hooks that are registered here, and about the programs that they start.

import type { ProjectContext } from '../cli/project.io.ts';
import { managedSettingsPath } from '../hosts/claude-code/files.io.ts';
import { clientVersion, isTrusted, programVersion } from '../hosts/claude-code/install/files.io.ts';
import type { ForeignHook } from '../hosts/claude-code/install/foreign-hooks.ts';
import { changeLine, hookChanges } from '../hosts/claude-code/install/hook-changes.ts';
import {
  eventsThatDropAll,
  FIRST_WITH_BATCH,
  isOurHook,
  programIn,
} from '../hosts/claude-code/install/hooks.ts';
import type { InstallFacts } from '../hosts/claude-code/install/install-findings.ts';
import type { ScopeFacts } from '../hosts/claude-code/install/registration-findings.ts';
import { readInstalls } from '../install/installs.io.ts';
import { bundleEntry, type ScopeSettings, valueIn, wantedIn } from '../install/settings-file.io.ts';
import { buildName, installedBundle } from '../install/stable-bundle.io.ts';
import { isIgnored } from '../platform/git/git-state.ts';
import { exists } from '../platform/look.ts';
import { readTextOrNull, SETTINGS_FILE } from '../platform/read.ts';
import { guardedBy } from '../settings/read-guardrails.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { redact } from '../text/redact.ts';
import { VERSION } from '../version.ts';
import { isOwnPlugin, pluginIn, pluginsIn } from './doctor-plugin.io.ts';
import type { ProgramFacts } from './program-findings.ts';

/** Finds the setting that disables all hooks: the strongest one that decides it; null where hooks are on. */
function disabledIn(
  managed: JsonObject,
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

const hooksIn = (text: string | null): JsonObject => {
  const { hooks } = valueIn(text);
  return isObject(hooks) ? hooks : {};
};

/** Hooks in a settings file that are not ours; entries of another shape are skipped. */
function foreignIn({ path, text }: ScopeSettings): ForeignHook[] {
  return Object.entries(hooksIn(text)).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [])
      .flatMap((group: unknown) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
      .filter((hook: unknown): hook is JsonObject => isObject(hook) && !isOurHook(hook))
      .map((hook) => ({
        event,
        from: path,
        command: redact(
          [hook.command, ...(Array.isArray(hook.args) ? hook.args : [])]
            .filter((word) => typeof word === 'string')
            .join(' '),
        ),
      })),
  );
}

/** Whether `init` put hooks into a file, as far as its records can be read. */
function isInstalledIn(place: ProjectContext, path: string): boolean {
  try {
    return readInstalls(place.env).some((each) => each.path === path && !each.bundleOnly);
  } catch {
    return false;
  }
}

/** The facts about one settings file, with what `init` would change, except for its Node: programFacts checks that one. */
function scopeFacts(place: ProjectContext, each: ScopeSettings, client: string | null): ScopeFacts {
  const { scope, path, text, fault, installed } = each;
  const node = installed.map((hook) => programIn(hook).node).find((found) => found !== null);
  const wanted = wantedIn(place, scope, { clientVersion: client, installed, node: node ?? process.execPath });
  return {
    scope,
    path,
    fault,
    events: installed.map((hook) => hook.event),
    hooks: installed.map(({ event, matcher, timeout, flaw }) => ({
      event,
      timeout,
      ...(matcher === undefined ? {} : { matcher }),
      ...(flaw === undefined ? {} : { flaw }),
    })),
    wasInstalled: fault === null && isInstalledIn(place, path),
    unknownEvents: eventsThatDropAll(Object.keys(hooksIn(text)), client),
    changes: installed.length === 0 ? [] : hookChanges(installed, wanted).map(changeLine),
  };
}

export function installFacts(
  place: ProjectContext,
  all: readonly ScopeSettings[],
  ran: Pick<InstallFacts, 'hasRun' | 'hasModule'>,
): InstallFacts {
  const client = clientVersion(place.env);
  const plugins = pluginsIn(place, all);
  const managedPath = managedSettingsPath(process.platform);
  const local = all.find((each) => each.scope === 'local');
  const ignored =
    place.root === null || local?.text == null ? null : isIgnored(place.root, local.path, place.env);
  return {
    isProject: place.root !== null,
    scopes: all.map((each) => scopeFacts(place, each, client)),
    plugin: pluginIn(place, all),
    isGuarded: guardedBy(place.resolved.settings) !== 'none',
    foreign: [
      ...all.flatMap(foreignIn),
      ...plugins
        .filter((each) => each.gone === null && !isOwnPlugin(each))
        .map(({ id }): ForeignHook => ({ event: 'plugin', from: id, command: id })),
    ],
    disabled: disabledIn(valueIn(readTextOrNull(managedPath, SETTINGS_FILE)), managedPath, all),
    isTrusted: place.root === null ? null : isTrusted(place.root, place.env),
    ...ran,
    client,
    firstWithBatch: FIRST_WITH_BATCH,
    isLocalSeen: ignored === null ? null : !ignored,
  };
}

/** @param dist folder with the built chunks */
export function programFacts(
  place: ProjectContext,
  all: readonly ScopeSettings[],
  dist: string,
): ProgramFacts {
  const programs = all.flatMap((each) => each.installed).map(programIn);
  const distinct = (paths: (string | null)[]): string[] => [
    ...new Set(paths.filter((path): path is string => path !== null)),
  ];
  const entry = bundleEntry(place);
  const found = installedBundle(place.env);
  return {
    node: process.versions.node,
    nodeOnPath: programVersion('node', place.env),
    isPlugin: programs.length === 0 && pluginIn(place, all)?.gone === null,
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
