// Are the hooks where the client runs them, once, in this version's form, with a Node and a bundle that are there?
import { type Finding, fault, listed, note, ok, type Words } from './finding.ts';
import { isVersionAtLeast } from './version-order.ts';

export type Scope = 'local' | 'project' | 'user';

export interface ScopeFacts {
  scope: Scope;
  path: string;
  /** Why the file cannot be read, or null. */
  fault: string | null;
  /** Events that our hooks in it are registered for. */
  events: string[];
  /** What `init` would change in it, a line each. */
  changes: string[];
}

export interface InstallFacts {
  /** False in the home folder and in "/". */
  isProject: boolean;
  scopes: ScopeFacts[];
  /** The id under which an enabled plugin registers the hooks as well, or null. */
  plugin: string | null;
  /** A switch of the client that keeps our hooks from running. */
  disabled: { key: string; path: string; isManaged: boolean } | null;
  /** Whether the client was told that the folder is trusted; null where it does not say. */
  isTrusted: boolean | null;
  /** Whether a hook has run in the conversation that was looked at. */
  hasRun: boolean;
  /** Version of the client on PATH, or null. */
  client: string | null;
  /** First client with PostToolBatch. */
  firstWithBatch: string;
  /** Whether git sees the settings file of this user alone; null where it cannot say. */
  isLocalSeen: boolean | null;
}

/** Events without which the product does not do what it promises. */
const CORE = ['UserPromptSubmit', 'PreCompact', 'SessionStart'];
const hasMidTurn = (events: readonly string[]): boolean => events.some((each) => each.startsWith('PostTool'));

/** Which of several registrations to take out: the nearest one, for the others serve more than this project or person. */
export const spareCommand = (scopes: readonly Scope[]): string =>
  scopes.includes('local')
    ? 'plimsoll uninstall --scope local'
    : 'plimsoll uninstall --scope user (or --scope project, for the whole team)';

const upgradeCommand = (scope: Scope): string =>
  scope === 'local' ? 'plimsoll init' : `plimsoll init --scope ${scope}`;

const repeated = (events: readonly string[]): string[] => [
  ...new Set(events.filter((each, index) => events.indexOf(each) !== index)),
];

function scopeFindings(each: ScopeFacts, facts: InstallFacts, words: Words): Finding[] {
  const where = words.path(each.path);
  if (each.fault !== null) {
    return [
      fault('hooks', `${where} cannot be read, ${each.fault}: the client leaves it out`, 'correct the file'),
    ];
  }
  if (each.events.length === 0) return [];
  const fix = upgradeCommand(each.scope);
  const twice = repeated(each.events);
  const missing = CORE.filter((event) => !each.events.includes(event));
  if (!hasMidTurn(each.events)) missing.push('PostToolBatch or PostToolUse');
  const { client } = facts;
  const isTooNew =
    client !== null &&
    each.events.includes('PostToolBatch') &&
    !isVersionAtLeast(client, facts.firstWithBatch);
  if (missing.length > 0) return [fault('hooks', `${where} lacks ${listed(missing)}`, fix)];
  if (twice.length > 0) return [fault('hooks', `${where} has ${listed(twice)} twice: each runs twice`, fix)];
  if (isTooNew) {
    return [
      fault(
        'hooks',
        `${where} names PostToolBatch, which Claude Code ${client} does not know; clients before 2.1.101 then run no hook of the file`,
        fix,
      ),
    ];
  }
  return each.changes.length > 0
    ? [note('hooks', `${where} is of another form than this version's: ${each.changes.join('; ')}`, fix)]
    : [ok('hooks', `registered in ${where}: ${each.events.join(', ')}`)];
}

function twiceFindings(facts: InstallFacts, words: Words): Finding[] {
  const registered = facts.scopes.filter((each) => each.events.length > 0);
  const events = registered.flatMap((each) => [...new Set(each.events)]);
  const both = repeated(events);
  const places = registered.map((each) => words.path(each.path));
  return [
    ...(both.length === 0
      ? []
      : [
          fault(
            'hooks',
            `${listed(both)} are registered in ${listed(places)}: each runs ${registered.length === 2 ? 'twice' : 'more than once'}`,
            spareCommand(registered.map((each) => each.scope)),
          ),
        ]),
    ...(facts.plugin === null || registered.length === 0
      ? []
      : [
          note(
            'hooks',
            `the plugin ${facts.plugin} has them too, and yields to those of ${listed(places)}; one is enough`,
            `${spareCommand(registered.map((each) => each.scope))}, or claude plugin disable ${facts.plugin}`,
          ),
        ]),
  ];
}

function absenceFindings(facts: InstallFacts): Finding[] {
  if (facts.scopes.some((each) => each.events.length > 0)) return [];
  if (facts.plugin !== null) return [ok('hooks', `registered by the plugin ${facts.plugin}`)];
  return [
    facts.isProject
      ? fault('hooks', 'not registered: nothing is measured, saved or said here', 'plimsoll init')
      : note(
          'hooks',
          'not registered; the home folder and "/" are no projects',
          'plimsoll init --scope user, or plimsoll init in a project',
        ),
  ];
}

/** What keeps hooks that are registered from running. */
function clientFindings(facts: InstallFacts, words: Words): Finding[] {
  const { disabled, client } = facts;
  const local = facts.scopes.find((each) => each.scope === 'local');
  return [
    ...(disabled === null
      ? []
      : [
          fault(
            'client',
            `"${disabled.key}" is set in ${words.path(disabled.path)}: the client runs none of our hooks`,
            disabled.isManaged
              ? 'ask who manages the settings of this machine'
              : `take "${disabled.key}" out of the file`,
          ),
        ]),
    ...(facts.isTrusted === false && !facts.hasRun
      ? [
          note(
            'client',
            'this folder is not marked as trusted: interactive conversations hold hooks back until it is',
            'run claude in this folder and accept its question',
          ),
        ]
      : []),
    ...(facts.isLocalSeen && local !== undefined && local.events.length > 0
      ? [
          note(
            'client',
            `git sees ${words.path(local.path)}, which names paths of this machine`,
            'add it to .gitignore or .git/info/exclude',
          ),
        ]
      : []),
    client === null
      ? note('client', 'claude was not found on PATH, so its version is unknown', null)
      : ok('client', `Claude Code ${client}`),
  ];
}

export const hookFindings = (facts: InstallFacts, words: Words): Finding[] => [
  ...absenceFindings(facts),
  ...facts.scopes.flatMap((each) => scopeFindings(each, facts, words)),
  ...twiceFindings(facts, words),
  ...clientFindings(facts, words),
];
