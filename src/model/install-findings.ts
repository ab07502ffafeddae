// Are the hooks where the client runs them, once, in this version's form, with a Node and a bundle that are there?
import { type Finding, fault, listed, mended, note, ok, type Words } from './finding.ts';
import { type ForeignHook, rivalsAmong } from './foreign-hooks.ts';
import { missedBy } from './hook-matcher.ts';
import { isVersionAtLeast } from './version-order.ts';

export type Scope = 'local' | 'project' | 'user';

export interface ScopeFacts {
  scope: Scope;
  path: string;
  /** Why the file cannot be read, or null. */
  fault: string | null;
  /** Events that our hooks in it are registered for. */
  events: string[];
  /** The same with what decides when they run, and their time limit in seconds. */
  hooks: { event: string; matcher?: string; timeout: number }[];
  /** What `init` would change in it, a line each. */
  changes: string[];
  /** True where the hooks were put there by `init`, so that it may put them there again. */
  wasInstalled: boolean;
  /** Events that the file names and the client does not know; named only where it then drops the whole file. */
  unknownEvents: string[];
}

export interface InstallFacts {
  /** False in the home folder and in "/". */
  isProject: boolean;
  scopes: ScopeFacts[];
  /** The id under which an enabled plugin registers the hooks as well, or null. */
  plugin: string | null;
  /** Whether the settings want calls judged before they run, which the plugin does not ask for. */
  isGuarded: boolean;
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
  /** Hooks of others in the same settings, and enabled plugins. */
  foreign: ForeignHook[];
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

/** What the team shares is changed by whoever put the hooks there, nobody else. */
const byInit = (each: ScopeFacts, finding: Finding): Finding =>
  each.scope === 'project' && !each.wasInstalled ? finding : mended('hooks', finding);

/** Longer than any work of ours, in seconds: whoever writes such a figure has milliseconds in mind. */
const TOO_LONG_S = 600;

/** `SessionStart` without `compact` is an alert that comes a step late: only what the product needs most is a fault. */
const NEEDED: Record<string, string> = {
  compact: 'the alert about a compaction comes a step late, by another hook',
  auto: 'the checkpoint of an automatic compaction is written late, from the transcript',
  manual: 'the checkpoint of /compact is written late, from the transcript',
  Bash: 'a rise of the fill in the middle of a turn may not be told',
};

function matcherFindings(each: ScopeFacts, where: string, fix: string): Finding[] {
  return each.hooks.flatMap(({ event, matcher }) => {
    const others = each.hooks.filter((hook) => hook.event === event);
    const missed = missedBy(event, matcher).filter(
      (value) => value in NEEDED && others.every((hook) => missedBy(event, hook.matcher).includes(value)),
    );
    const [first] = missed;
    return first === undefined
      ? []
      : [
          byInit(
            each,
            fault(
              'hooks',
              `${event} in ${where} runs for "${matcher}" only: ${listed(missed)} is missing, and ${NEEDED[first]}`,
              fix,
            ),
          ),
        ];
  });
}

function timeoutFindings(each: ScopeFacts, where: string, fix: string): Finding[] {
  const long = each.hooks.filter(({ timeout }) => timeout > TOO_LONG_S);
  if (long.length === 0) return [];
  const named = listed(long.map(({ event, timeout }) => `${event} has ${timeout}`));
  const minutes = Math.round(Math.max(...long.map(({ timeout }) => timeout)) / 60);
  return [
    byInit(
      each,
      fault(
        'hooks',
        `timeouts in ${where} are seconds, not milliseconds: ${named}, so a hook that hangs holds the conversation for ${minutes} minutes`,
        fix,
      ),
    ),
  ];
}

function scopeFindings(each: ScopeFacts, facts: InstallFacts, words: Words): Finding[] {
  const where = words.path(each.path);
  if (each.fault !== null) {
    return [
      fault('hooks', `${where} cannot be read, ${each.fault}: the client leaves it out`, 'correct the file'),
    ];
  }
  const fix = upgradeCommand(each.scope);
  if (each.events.length === 0) {
    return each.wasInstalled
      ? [mended('hooks', fault('hooks', `${where} has lost the hooks that init put there`, fix))]
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
  const amiss = (finding: string): Finding => byInit(each, fault('hooks', finding, fix));
  const found = [
    ...(missing.length > 0 ? [amiss(`${where} lacks ${listed(missing)}`)] : []),
    ...(twice.length > 0 ? [amiss(`${where} has ${listed(twice)} twice: each runs twice`)] : []),
    ...(isTooNew
      ? [
          amiss(
            `${where} names PostToolBatch, which Claude Code ${client} does not know; clients before 2.1.101 then run no hook of the file`,
          ),
        ]
      : []),
    ...matcherFindings(each, where, fix),
    ...timeoutFindings(each, where, fix),
  ];
  if (found.length > 0) return found;
  const unknown = each.unknownEvents.filter((event) => !each.events.includes(event));
  if (unknown.length > 0) {
    return [
      fault(
        'hooks',
        `${where} names ${listed(unknown)}, which Claude Code ${client} does not know: it then runs no hook of the file`,
        `take ${unknown.length === 1 ? 'it' : 'them'} out of the file, or update the client`,
      ),
    ];
  }
  if (each.changes.some((change) => change.startsWith('+ PreToolUse')))
    return [
      byInit(
        each,
        fault('hooks', `guardrails are on, and ${where} does not ask for PreToolUse: no call is judged`, fix),
      ),
    ];
  return each.changes.length > 0
    ? [
        byInit(
          each,
          note('hooks', `${where} is of another form than this version's: ${each.changes.join('; ')}`, fix),
        ),
      ]
    : [ok('hooks', `registered in ${where}: ${each.events.join(', ')}`)];
}

/** A command in a line: its beginning says which it is. */
const brief = (command: string): string =>
  command.length > 60 ? `${command.slice(0, 60).trimEnd()}…` : command;

const rivalFindings = (facts: InstallFacts, words: Words): Finding[] =>
  rivalsAmong(facts.foreign).map(({ hook, level, effect, fix }) => {
    const whose =
      hook.event === 'plugin' ? `the plugin ${hook.from}` : `${hook.event} in ${words.path(hook.from)}`;
    const what = hook.event === 'plugin' ? whose : `${whose} ("${brief(hook.command)}")`;
    return level === 'fault'
      ? fault('others', `${what} ${effect}`, fix)
      : note('others', `${what} ${effect}`, fix);
  });

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
  if (facts.scopes.some((each) => each.events.length > 0 || each.wasInstalled)) return [];
  if (facts.plugin !== null && facts.isGuarded)
    return [
      fault(
        'hooks',
        `guardrails are on, and the plugin ${facts.plugin} does not ask for PreToolUse: no call is judged`,
        'plimsoll init',
      ),
    ];
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
  ...rivalFindings(facts, words),
  ...clientFindings(facts, words),
];
