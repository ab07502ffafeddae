// Checks that hooks are registered where the client runs them, once, in this version's form, with nothing against them.

import type { DoctorFinding, Formatter } from '../../../doctor/finding.ts';
import { error, fixable, info, joinNames, ok } from '../../../doctor/finding.ts';
import { isVersionAtLeast } from '../../../text/version-order.ts';
import type { ForeignHook, ScopeFacts, SettingsScope } from './registration-findings.ts';
import { checkRegistrations, findConflictingHooks, isByInit } from './registration-findings.ts';

// Checks that the client can load the plugin that brings the hooks.
export interface PluginFacts {
  /** As the client names it: `name@marketplace`. */
  id: string;
  /** The folder that the client would read it from, where that is gone; null: it is there. */
  gone: string | null;
}

/** Who answers prompts and tool calls where the hooks come by the plugin: its module, in a client that knows such modules. */
function doorFindings({ client, hasRun, hasModule, firstWithModules }: InstallFacts): DoctorFinding[] {
  if (client !== null && !isVersionAtLeast(client, firstWithModules))
    return [
      error(
        'hooks',
        `the plugin answers prompts and tools from inside the client, which needs ${firstWithModules}, and this is ${client}: nothing is measured or said there`,
        'plimsoll init, or update the client',
      ),
    ];
  if (hasModule)
    return [ok('hooks', "prompts and tools are answered inside the client, by the plugin's module")];
  return hasRun && client === null
    ? [
        info(
          'hooks',
          `the plugin's module has not spoken in this session: prompts and tools are answered from ${firstWithModules} on`,
          'plimsoll init, or update the client',
        ),
      ]
    : [];
}

/** The hooks come by a plugin that this one session was started with. */
const handPluginFindings = (facts: InstallFacts): DoctorFinding[] => [
  info(
    'hooks',
    'of the plugin that claude was started with (--plugin-dir); a session without it has none',
    'plimsoll init, to have them always',
  ),
  ...doorFindings(facts),
];

/** The hooks come by the plugin alone. */
function pluginFindings({ id, gone }: PluginFacts, facts: InstallFacts, words: Formatter): DoctorFinding[] {
  if (gone !== null)
    return [
      error(
        'hooks',
        `the plugin ${id} is enabled, but the client reads it from ${words.path(gone)}, which is gone: nothing of it runs`,
        'put the folder back, or say where it lies now: claude plugin marketplace add FOLDER',
      ),
    ];
  return [ok('hooks', `registered by the plugin ${id}`), ...doorFindings(facts)];
}

export interface InstallFacts {
  /** False in the home folder and in "/". */
  isProject: boolean;
  scopes: ScopeFacts[];
  /** An enabled plugin that brings the hooks as well, or null. */
  plugin: PluginFacts | null;
  /** A switch of the client that keeps our hooks from running. */
  disabled: { key: string; path: string; isManaged: boolean } | null;
  /** Whether the client was told that the folder is trusted; null where it does not say. */
  isTrusted: boolean | null;
  /** Whether a hook has run in the session that was looked at. */
  hasRun: boolean;
  /** Whether the plugin's module has spoken in it, and it goes on: no settings name a plugin that the client was started with. */
  hasModule: boolean;
  /** Version of the client on PATH, or null. */
  client: string | null;
  /** First client with PostToolBatch, and first with modules of plugins. */
  firstWithBatch: string;
  firstWithModules: string;
  /** Whether git sees the settings file of this user alone; null where it cannot say. */
  isLocalSeen: boolean | null;
  /** Hooks of others in the same settings, and enabled plugins. */
  foreign: ForeignHook[];
}

/** Events without which the product does not do what it promises. */
const CORE = ['UserPromptSubmit', 'PreCompact', 'SessionStart'];
const hasMidTurn = (events: readonly string[]): boolean => events.some((each) => each.startsWith('PostTool'));

/** Which of several registrations to take out: the nearest one, for the others serve more than this project or person. */
export const findRedundantCommand = (scopes: readonly SettingsScope[]): string =>
  scopes.includes('local')
    ? 'plimsoll uninstall --scope local'
    : 'plimsoll uninstall --scope user (or --scope project, for the whole team)';

const upgradeCommand = (scope: SettingsScope): string =>
  scope === 'local' ? 'plimsoll init' : `plimsoll init --scope ${scope}`;

const repeated = (events: readonly string[]): string[] => [
  ...new Set(events.filter((each, index) => events.indexOf(each) !== index)),
];

function scopeFindings(each: ScopeFacts, facts: InstallFacts, words: Formatter): DoctorFinding[] {
  const where = words.path(each.path);
  if (each.fault !== null) {
    return [
      error(
        'hooks',
        `${where} cannot be read, ${each.fault}: the client leaves it out`,
        'correct the file, and run plimsoll doctor again',
      ),
    ];
  }
  const fix = upgradeCommand(each.scope);
  if (each.events.length === 0) {
    return each.wasInstalled
      ? [fixable('hooks', error('hooks', `${where} has lost the hooks that init put there`, fix))]
      : [];
  }
  const twice = repeated(each.events);
  const missing = CORE.filter((event) => !each.events.includes(event));
  if (!hasMidTurn(each.events)) missing.push('PostToolBatch or PostToolUse');
  const { client } = facts;
  const isTooNew =
    client !== null &&
    each.events.includes('PostToolBatch') &&
    !isVersionAtLeast(client, facts.firstWithBatch);
  const amiss = (finding: string): DoctorFinding => isByInit(each, error('hooks', finding, fix));
  const found = [
    ...(missing.length > 0 ? [amiss(`${where} lacks ${joinNames(missing)}`)] : []),
    ...(twice.length > 0 ? [amiss(`${where} has ${joinNames(twice)} twice: each runs twice`)] : []),
    ...(isTooNew
      ? [
          amiss(
            `${where} names PostToolBatch, which Claude Code ${client} does not know; clients before 2.1.101 then run no hook of the file`,
          ),
        ]
      : []),
    ...checkRegistrations(each, where, fix),
  ];
  if (found.length > 0) return found;
  const unknown = each.unknownEvents.filter((event) => !each.events.includes(event));
  if (unknown.length > 0) {
    return [
      error(
        'hooks',
        `${where} names ${joinNames(unknown)}, which Claude Code ${client} does not know: it then runs no hook of the file`,
        `take ${unknown.length === 1 ? 'it' : 'them'} out of the file, or update the client`,
      ),
    ];
  }
  if (each.changes.some((change) => change.startsWith('+ PreToolUse')))
    return [
      isByInit(
        each,
        error('hooks', `guardrails are on, and ${where} does not ask for PreToolUse: no call is judged`, fix),
      ),
    ];
  return each.changes.length > 0
    ? [
        isByInit(
          each,
          info('hooks', `${where} is of another form than this version's: ${each.changes.join('; ')}`, fix),
        ),
      ]
    : [ok('hooks', `registered in ${where}: ${each.events.join(', ')}`)];
}

/** A command in a line: its beginning says which it is. */
const brief = (command: string): string =>
  command.length > 60 ? `${command.slice(0, 60).trimEnd()}…` : command;

const rivalFindings = (facts: InstallFacts, words: Formatter): DoctorFinding[] =>
  findConflictingHooks(facts.foreign).map(({ hook, level, effect, fix }) => {
    const whose =
      hook.event === 'plugin' ? `the plugin ${hook.from}` : `${hook.event} in ${words.path(hook.from)}`;
    const what = hook.event === 'plugin' ? whose : `${whose} ("${brief(hook.command)}")`;
    return level === 'error'
      ? error('others', `${what} ${effect}`, fix)
      : info('others', `${what} ${effect}`, fix);
  });

function twiceFindings(facts: InstallFacts, words: Formatter): DoctorFinding[] {
  const registered = facts.scopes.filter((each) => each.events.length > 0);
  // The client runs hooks of the same command once, whichever files they stand in.
  const commands = new Set(
    registered.flatMap((each) => each.hooks.map(({ event, command }) => `${event} ${command}`)),
  );
  const both = repeated([...commands].map((each) => each.split(' ', 1)[0] ?? ''));
  const places = registered.map((each) => words.path(each.path));
  return [
    ...(both.length === 0
      ? []
      : [
          error(
            'hooks',
            `${joinNames(both)} are registered in ${joinNames(places)}: each runs ${registered.length === 2 ? 'twice' : 'more than once'}`,
            findRedundantCommand(registered.map((each) => each.scope)),
          ),
        ]),
    ...(facts.plugin === null || facts.plugin.gone !== null || registered.length === 0
      ? []
      : [
          info(
            'hooks',
            `the plugin ${facts.plugin.id} has them too, and yields to those of ${joinNames(places)}; one is enough`,
            `${findRedundantCommand(registered.map((each) => each.scope))}, or claude plugin disable ${facts.plugin.id}`,
          ),
        ]),
  ];
}

function absenceFindings(facts: InstallFacts, words: Formatter): DoctorFinding[] {
  if (facts.scopes.some(({ events, wasInstalled, fault }) => events.length > 0 || wasInstalled || fault))
    return [];
  if (facts.plugin !== null) return pluginFindings(facts.plugin, facts, words);
  if (facts.hasRun && facts.hasModule) return handPluginFindings(facts);
  return [
    facts.isProject
      ? error('hooks', 'not registered: nothing is measured, saved or said here', 'plimsoll init')
      : info(
          'hooks',
          'not registered; the home folder and "/" are no projects',
          'plimsoll init --scope user, or plimsoll init in a project',
        ),
  ];
}

/** What keeps hooks that are registered from running. */
function clientFindings(facts: InstallFacts, words: Formatter): DoctorFinding[] {
  const { disabled, client } = facts;
  const local = facts.scopes.find((each) => each.scope === 'local');
  return [
    ...(disabled === null
      ? []
      : [
          error(
            'client',
            `"${disabled.key}" is set in ${words.path(disabled.path)}: the client runs none of our hooks`,
            disabled.isManaged
              ? 'ask who manages the settings of this machine'
              : `take "${disabled.key}" out of the file`,
          ),
        ]),
    ...(facts.isTrusted === false && !facts.hasRun
      ? [
          info(
            'client',
            'this folder is not marked as trusted: interactive sessions hold hooks back until it is',
            'run claude in this folder and accept its question',
          ),
        ]
      : []),
    ...(facts.isLocalSeen && local !== undefined && local.events.length > 0
      ? [
          info(
            'client',
            `git sees ${words.path(local.path)}, which names paths of this machine`,
            'add it to .gitignore or .git/info/exclude',
          ),
        ]
      : []),
    client === null
      ? info('client', 'claude was not found on PATH, or did not say its version', null)
      : ok('client', `Claude Code ${client}`),
  ];
}

export const checkHooks = (facts: InstallFacts, words: Formatter): DoctorFinding[] => [
  ...absenceFindings(facts, words),
  ...facts.scopes.flatMap((each) => scopeFindings(each, facts, words)),
  ...twiceFindings(facts, words),
  ...rivalFindings(facts, words),
  ...clientFindings(facts, words),
];
