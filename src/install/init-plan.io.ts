// Plans what `plimsoll init` would change here: the settings file, the hooks, the status line, and what of it is asked.

import { type Output, stripControls } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { findPlugin } from '../doctor/doctor-plugin.io.ts';
import { findSettingsPath, readClientVersion } from '../hosts/claude-code/install/files.io.ts';
import { type HookChange, listHookChanges } from '../hosts/claude-code/install/hook-changes.ts';
import type { Registration } from '../hosts/claude-code/install/hooks.ts';
import type { SettingsScope } from '../hosts/claude-code/install/registration-findings.ts';
import { CLIENT_SETTINGS_FILE } from '../hosts/claude-code/names.ts';
import { isAnyOfOurs } from '../hosts/claude-code/statusline.ts';
import { readTrust, writeTrust } from '../settings/committed.io.ts';
import { stripInvisible } from '../text/columns.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { readInstalls } from './installs.io.ts';
import type { Ask, ScopeSettings } from './settings-file.io.ts';
import {
  findBundleEntry,
  findSettingsRoot,
  listOthersInForce,
  listWanted,
  readAllSettings,
  readSettings,
} from './settings-file.io.ts';
import type { LineChange } from './settings-statusline.io.ts';
import {
  findCommittedLine,
  hasOurLine,
  LINE,
  planLineChange,
  readStatusLine,
} from './settings-statusline.io.ts';
import { readInstalled } from './settings-text.ts';

// Formats what `plimsoll init` says about the status line, and asks before it takes over one that the project brings.
const MOST_OF_A_COMMAND = 100;

/** Shortens somebody else's command so that a person still recognises it. */
function known(command: string): string {
  const text = stripControls(command).replace(/\s+/g, ' ').trim();
  return text.length > MOST_OF_A_COMMAND ? `${text.slice(0, MOST_OF_A_COMMAND)}…` : text;
}

/** Formats the change as one line, like those of hooks. */
export const formatLineSummary = ({ wrapped }: LineChange, isUpgrade: boolean): string =>
  `  ${isUpgrade ? '~' : '+'} status line${wrapped === null ? '' : `, below the present one: ${known(wrapped.command)}`}`;

/**
 * Returns the plan of init. A status line that the project brings is a command of whoever wrote it: init shows it and asks,
 * and leaves it out where nobody can be asked.
 */
export async function trustLine(
  place: ProjectContext,
  options: InitOptions,
  output: Output,
  ask: Ask,
): Promise<InitPlan> {
  const plan = buildInitPlan(place, options);
  const { leftOut } = plan;
  if (leftOut === null || place.root === null || options.yes || options.dryRun || !output.isInteractive())
    return plan;
  output.print(
    `The project's own settings (${CLIENT_SETTINGS_FILE}) bring a status line, a command of whoever wrote them:\n  ${stripInvisible(leftOut)}`,
  );
  if (!(await ask('Run it in your status line, above ours, exactly as it stands here?'))) return plan;
  writeTrust(place.env, place.root, { ...readTrust(place.env, place.root), [LINE]: leftOut });
  return buildInitPlan(place, options);
}

/** Notes on the status line after an install. */
export function formatLineOffer(plan: InitPlan, place: ProjectContext): string[] {
  const found = plan.all.flatMap(({ scope, path, text, fault }) => {
    const line = readStatusLine(fault === null ? text : null);
    return line === null ? [] : [{ scope, path, isOurs: isAnyOfOurs(line.command) }];
  });
  const [shownNow] = found;
  if (plan.leftOut !== null)
    return [
      "The status line of the project's own settings is not shown above ours: it is a command of whoever wrote the project. Next: plimsoll trust shows it and asks; then plimsoll init --statusline",
    ];
  if (plan.isLineByHand)
    return ['A status line of plimsoll was there already, written by hand; it stays as it is.'];
  if (plan.line === null) {
    if (shownNow?.isOurs) return [];
    return [
      `"plimsoll init --statusline" shows the context usage below the prompt as well${shownNow === undefined ? '' : ', under the status line that you have'}.`,
    ];
  }
  const rank = plan.all.findIndex(({ scope }) => scope === plan.scope);
  const nearer = found.find(({ scope }) => plan.all.findIndex((each) => each.scope === scope) < rank);
  return nearer === undefined
    ? []
    : [`The status line in ${displayPath(nearer.path, place)} is nearer and is shown instead of this one.`];
}

export interface InitOptions {
  /** Not given: local, unless hooks of another scope are in force here already. */
  scope?: SettingsScope;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
  clientVersion?: string;
  /** True to show the status line of ours, with the one that is there above it. */
  statusline?: boolean;
  /** Whether the project gets quality rules of its own. */
  quality?: boolean;
}

export interface InitPlan {
  scope: SettingsScope;
  /** The settings file to change. */
  path: string;
  /** Its text without a BOM; null where there is no file. */
  before: string | null;
  bom: string;
  /** Version of the client; null where it was not found. */
  version: string | null;
  /** The entry of the bundle. */
  bundle: string;
  /** Settings of all scopes, the nearest first, and those of other scopes with hooks of ours. */
  all: ScopeSettings[];
  others: ScopeSettings[];
  /** Where the hooks are in force already, so that none are added here; null where they are added here. */
  hooksElsewhere: { where: string; isPlugin: boolean } | null;
  wanted: Registration[];
  changes: HookChange[];
  /** Whether these settings hold hooks of ours already. */
  hasHooks: boolean;
  /** Whether `init` put our status line here before. */
  hasLine: boolean;
  /** Null when our status line is not asked for, or was put there by hand. */
  line: LineChange | null;
  isLineByHand: boolean;
  /** The status line command of the project's settings that is left out because the user has not trusted it; or null. */
  leftOut: string | null;
  isChanged: boolean;
}

function versionOf(place: ProjectContext, options: InitOptions): string | null {
  const given = options.clientVersion;
  if (given === undefined) return readClientVersion(place.env);
  if (/^\d+\.\d+\.\d+$/.test(given)) return given;
  throw new PlimsollError('usage', `"${given}" is no version of Claude Code`, {
    hint: 'give it as claude --version prints it, e.g. --client-version 2.1.332',
  });
}

/** Hooks of another scope, or of a plugin, are in force: a second set would run beside them. */
function elsewhere(
  place: ProjectContext,
  others: readonly ScopeSettings[],
  plugin: string | null,
): InitPlan['hooksElsewhere'] {
  if (others.length > 0)
    return {
      where: `in ${others.map((each) => displayPath(each.path, place)).join(' and ')}`,
      isPlugin: false,
    };
  return plugin === null ? null : { where: `by the plugin ${plugin}`, isPlugin: true };
}

const workingPlugin = (place: ProjectContext, all: readonly ScopeSettings[]): string | null => {
  const plugin = findPlugin(place, all);
  return plugin?.gone === null ? plugin.id : null;
};

/** Plans the change. @throws before any change, where a newer version keeps the records, or settings cannot be read */
export function buildInitPlan(place: ProjectContext, options: InitOptions): InitPlan {
  const scope = options.scope ?? 'local';
  const path = findSettingsPath(scope, findSettingsRoot(place, scope), place.env);
  const { text: before, bom } = readSettings(path, place);
  const installed = before === null ? [] : readInstalled(before);
  const others = listOthersInForce(place, scope);
  readInstalls(place.env);
  const version = versionOf(place, options);
  const all = readAllSettings(place);
  const hasLine = hasOurLine(before);
  const isLineWanted = options.statusline === true || hasLine;
  // A user of the plugin who asks for hooks in the settings gets them: the plugin's hooks are silent then.
  const hooksElsewhere =
    options.scope === undefined && installed.length === 0
      ? elsewhere(place, others, isLineWanted ? workingPlugin(place, all) : null)
      : null;
  const wanted =
    hooksElsewhere === null
      ? listWanted(place, scope, { clientVersion: version, installed, node: process.execPath })
      : [];
  const changes = listHookChanges(installed, wanted);
  const hidden = all.slice(all.findIndex((each) => each.scope === scope) + 1);
  const committed = scope === 'local' && isLineWanted ? findCommittedLine(place) : null;
  const leftOut = committed?.isTrusted === false ? committed.value : null;
  const weaker = leftOut === null ? hidden : hidden.filter((each) => each.scope !== 'project');
  const line = isLineWanted ? planLineChange(place, scope, before, weaker) : null;
  return {
    scope,
    path,
    before,
    bom,
    version,
    bundle: findBundleEntry(place),
    all,
    others,
    hooksElsewhere,
    wanted,
    changes,
    hasHooks: installed.length > 0,
    hasLine,
    line,
    isLineByHand: isLineWanted && line === null,
    leftOut,
    isChanged: changes.length > 0 || line?.isChanged === true,
  };
}
