// Collects doctor's facts about the hooks that are registered here, and about the programs that they start.

import type { ProjectContext } from '../cli/project.io.ts';
import { findManagedSettings } from '../hosts/claude-code/files.io.ts';
import { isTrusted, readClientVersion, readProgramVersion } from '../hosts/claude-code/install/files.io.ts';
import { changeLine, listHookChanges } from '../hosts/claude-code/install/hook-changes.ts';
import {
  FIRST_WITH_BATCH,
  findHookProgram,
  isOurHook,
  listDroppingEvents,
} from '../hosts/claude-code/install/hooks.ts';
import type { InstallFacts } from '../hosts/claude-code/install/install-findings.ts';
import type { ForeignHook, ScopeFacts } from '../hosts/claude-code/install/registration-findings.ts';
import { FIRST_WITH_MODULES } from '../hosts/claude-code/variables.ts';
import { readInstalls } from '../install/installs.io.ts';
import type { ScopeSettings } from '../install/settings-file.io.ts';
import { findBundleEntry, listWanted, parseSettings } from '../install/settings-file.io.ts';
import { buildName, findInstalledBundle } from '../install/stable-bundle.io.ts';
import { isIgnored } from '../platform/git/git-state.ts';
import { exists } from '../platform/look.ts';
import { readTextOrNull, SETTINGS_FILE } from '../platform/read.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { redact } from '../text/redact.ts';
import { isVersionAtLeast } from '../text/version-order.ts';
import { VERSION } from '../version.ts';
import { findPlugin, isOwnPlugin, listPlugins } from './doctor-plugin.io.ts';
import { type DoctorFinding, error, type Fix, type Formatter, fixable, info, ok } from './finding.ts';

/** The least Node, as package.json asks for it. */
export const LEAST_NODE = '20.19.0';

export interface ProgramFacts {
  /** Version of the Node that runs this command. */
  node: string;
  /** Version of the Node on PATH, or null. */
  nodeOnPath: string | null;
  /** Whether the hooks come by the plugin alone, which starts the node on PATH. */
  isPlugin: boolean;
  /** What registered hooks start; a version of null: it is not there, or does not run. */
  nodes: { path: string; version: string | null }[];
  /** Version of this command. */
  version: string;
  /** `<version>-<hash>` of the build beside this command; null where none lies there. */
  build: string | null;
  /** The bundle in the place that this version registers; null where there is none. */
  bundle: { path: string; name: string; isWhole: boolean } | null;
  /** Entries of bundles that registered hooks name. */
  entries: { path: string; exists: boolean }[];
}

function nodeFindings(facts: ProgramFacts): DoctorFinding[] {
  const isOld = (version: string): boolean => !isVersionAtLeast(version, LEAST_NODE);
  const wanted = `version ${LEAST_NODE} or later is needed`;
  const findings = facts.nodes.flatMap(({ path, version }): DoctorFinding[] => {
    if (version === null) {
      const { nodeOnPath } = facts;
      const isLost = nodeOnPath === null || isOld(nodeOnPath);
      const is = isLost ? error : info;
      const instead = !isLost
        ? '; the one on PATH stands in'
        : nodeOnPath === null
          ? ', and there is none on PATH'
          : `, and the one on PATH is ${nodeOnPath}; ${wanted}`;
      return [
        fixable('hooks', is('node', `the hooks name ${path}, which does not run${instead}`, 'plimsoll init')),
      ];
    }
    return isOld(version)
      ? [
          error(
            'node',
            `the hooks run ${path}, version ${version}; ${wanted}`,
            'install a newer Node, then plimsoll init',
          ),
        ]
      : [];
  });
  const needsPath = facts.isPlugin || (facts.entries.length > 0 && facts.nodes.length === 0);
  if (needsPath && facts.nodeOnPath === null)
    findings.push(error('node', 'the hooks run the node on PATH, and there is none', 'put node on PATH'));
  else if (needsPath && facts.nodeOnPath !== null && isOld(facts.nodeOnPath))
    findings.push(error('node', `node on PATH is ${facts.nodeOnPath}; ${wanted}`, 'install a newer Node'));
  if (isOld(facts.node))
    findings.push(
      error('node', `this command runs on Node ${facts.node}; ${wanted}`, 'install a newer Node'),
    );
  return findings.length > 0 ? findings : [ok('node', `version ${facts.node}`)];
}

function bundleFindings(facts: ProgramFacts, words: Formatter): DoctorFinding[] {
  const { bundle, build, entries, version } = facts;
  const gone = entries.find((each) => !each.exists);
  const byInit = (is: typeof error | typeof info, finding: string, fix: Fix = 'bundle'): DoctorFinding[] => [
    fixable(fix, is('bundle', finding, 'plimsoll init')),
  ];
  if (gone !== undefined) {
    const isElsewhere = bundle !== null && gone.path !== bundle.path;
    const finding = `no hook bundle at ${words.path(gone.path)}: the hooks are silent`;
    return byInit(error, finding, isElsewhere ? 'hooks' : 'bundle');
  }
  if (bundle === null) return [];
  const where = words.path(bundle.path);
  if (!bundle.isWhole)
    return byInit(error, `${bundle.name} at ${where} is damaged: its files are not what it was built of`);
  if (build === null || build === bundle.name) return [ok('bundle', `${bundle.name} at ${where}`)];
  const installed = bundle.name.replace(/-[0-9a-f]+$/, '');
  if (installed !== version && isVersionAtLeast(installed, version)) {
    return [
      info(
        'bundle',
        `the hooks are of version ${installed}, this command is of ${version}`,
        'npm install --global plimsoll@latest',
      ),
    ];
  }
  return byInit(info, `the hooks run ${bundle.name}, this command brings ${build}`);
}

export const checkPrograms = (facts: ProgramFacts, words: Formatter): DoctorFinding[] => [
  ...nodeFindings(facts),
  ...bundleFindings(facts, words),
];

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
    ...all.map(({ path, text }) => ({ path, value: parseSettings(text) })),
  ];
  const decided = layers.find(({ value }) => typeof value.disableAllHooks === 'boolean');
  return decided?.value.disableAllHooks === true
    ? { key: 'disableAllHooks', path: decided.path, isManaged: decided.path === managedPath }
    : null;
}

const hooksIn = (text: string | null): JsonObject => {
  const { hooks } = parseSettings(text);
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
  const node = installed.map((hook) => findHookProgram(hook).node).find((found) => found !== null);
  const wanted = listWanted(place, scope, {
    clientVersion: client,
    installed,
    node: node ?? process.execPath,
  });
  return {
    scope,
    path,
    fault,
    events: installed.map((hook) => hook.event),
    hooks: installed.map(({ event, matcher, timeout, flaw, command, args = [] }) => ({
      event,
      timeout,
      command: [command, ...args].join(' '),
      ...(matcher === undefined ? {} : { matcher }),
      ...(flaw === undefined ? {} : { flaw }),
    })),
    wasInstalled: fault === null && isInstalledIn(place, path),
    unknownEvents: listDroppingEvents(Object.keys(hooksIn(text)), client),
    changes: installed.length === 0 ? [] : listHookChanges(installed, wanted).map(changeLine),
  };
}

export function installFacts(
  place: ProjectContext,
  all: readonly ScopeSettings[],
  ran: Pick<InstallFacts, 'hasRun' | 'hasModule'>,
): InstallFacts {
  const client = readClientVersion(place.env);
  const plugins = listPlugins(place, all);
  const managedPath = findManagedSettings(process.platform);
  const local = all.find((each) => each.scope === 'local');
  const ignored =
    place.root === null || local?.text == null ? null : isIgnored(place.root, local.path, place.env);
  return {
    isProject: place.root !== null,
    scopes: all.map((each) => scopeFacts(place, each, client)),
    plugin: findPlugin(place, all),
    foreign: [
      ...all.flatMap(foreignIn),
      ...plugins
        .filter((each) => each.gone === null && !isOwnPlugin(each))
        .map(({ id }): ForeignHook => ({ event: 'plugin', from: id, command: id })),
    ],
    disabled: disabledIn(parseSettings(readTextOrNull(managedPath, SETTINGS_FILE)), managedPath, all),
    isTrusted: place.root === null ? null : isTrusted(place.root, place.env),
    ...ran,
    client,
    firstWithBatch: FIRST_WITH_BATCH,
    firstWithModules: FIRST_WITH_MODULES,
    isLocalSeen: ignored === null ? null : !ignored,
  };
}

/** @param dist folder with the built chunks */
export function readProgramFacts(
  place: ProjectContext,
  all: readonly ScopeSettings[],
  dist: string,
): ProgramFacts {
  const programs = all.flatMap((each) => each.installed).map(findHookProgram);
  const distinct = (paths: (string | null)[]): string[] => [
    ...new Set(paths.filter((path): path is string => path !== null)),
  ];
  const entry = findBundleEntry(place);
  const found = findInstalledBundle(place.env);
  return {
    node: process.versions.node,
    nodeOnPath: readProgramVersion('node', place.env),
    isPlugin: programs.length === 0 && findPlugin(place, all)?.gone === null,
    nodes: distinct(programs.map((each) => each.node)).map((path) => ({
      path,
      version: path === process.execPath ? process.versions.node : readProgramVersion(path, place.env),
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
