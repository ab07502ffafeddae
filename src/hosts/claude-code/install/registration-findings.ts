// Checks the hook entries of one settings file: their matchers, time limits and form.

import { type DoctorFinding, error, fixable, joinNames } from '../../../doctor/finding.ts';

// Recognises hooks beside ours that repeat them, undo their work or keep them from running.
export interface ForeignHook {
  event: string;
  /** Settings file, or the name of a plugin. */
  from: string;
  command: string;
}

interface Rival {
  /** Only hooks of these events; all where none are named. */
  events?: readonly string[];
  /** What its command looks like. */
  looks: RegExp;
  level: 'error' | 'info';
  effect: string;
  fix: string;
}

/** What is known to fight with ours, the worst first. */
const RIVALS: readonly Rival[] = [
  {
    looks: /plimsoll\b.*\bhook\.cjs\b|\bhook\.cjs\b.*\bplimsoll\b/i,
    level: 'error',
    effect: 'is another copy of our own hooks: everything is said and kept twice',
    fix: 'take it out of the file; plimsoll init keeps the one that is needed',
  },
  {
    events: ['PreCompact'],
    looks: /\bexit 2\b|decision["'\\: ]{1,8}block/,
    level: 'error',
    effect:
      'blocks compactions: the client asks again at every prompt, and where the API has refused, the request fails',
    fix: 'take it out of the file',
  },
  {
    looks: /context[-_]monitor|context[-_]guard|suggest[-_]compact|\bjerry\b/i,
    level: 'info',
    effect: 'speaks of the context usage as well: the agent reads two figures, measured differently',
    fix: 'keep one of the two; context_monitor.enabled = false silences ours',
  },
  {
    events: ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'plugin'],
    looks: /claude-mem\b|continuous-claude|session[-_]?handoff|pre[-_]?compact[-_]?(?:handoff|save|state)/i,
    level: 'info',
    effect: 'also tells a session of the one before it',
    fix: 'keep one of the two; resume.auto = "off" leaves it to the other',
  },
];

interface ConflictingHook extends Pick<Rival, 'level' | 'effect' | 'fix'> {
  hook: ForeignHook;
}

export const findConflictingHooks = (hooks: readonly ForeignHook[]): ConflictingHook[] =>
  hooks.flatMap((hook) => {
    const found = RIVALS.find(
      ({ events, looks }) => (events?.includes(hook.event) ?? true) && looks.test(hook.command),
    );
    return found === undefined ? [] : [{ hook, level: found.level, effect: found.effect, fix: found.fix }];
  });

/** What decides at an event: where a session begins, what caused a compaction. */
const VALUES: Record<string, readonly string[]> = {
  SessionStart: ['startup', 'resume', 'clear', 'compact'],
  PreCompact: ['auto', 'manual'],
  PostToolUse: ['Bash', 'Read', 'Edit', 'Write'],
};

/**
 * What a hook is not run for, though it should be; none where the event knows no matcher.
 * Plain letters are whole names, separated by `|` or `,`; anything else is an expression, `*` and nothing are all.
 */
export function listMissed(event: string, matcher: string | undefined): string[] {
  const values = VALUES[event] ?? [];
  if (matcher === undefined || matcher === '' || matcher === '*') return [];
  if (/^[\w\s,|-]+$/.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return values.filter((value) => !names.includes(value));
  }
  try {
    const expression = new RegExp(matcher);
    return values.filter((value) => !expression.test(value));
  } catch {
    return [...values];
  }
}

export type SettingsScope = 'local' | 'project' | 'user';

export interface ScopeFacts {
  scope: SettingsScope;
  path: string;
  /** Why the file cannot be read, or null. */
  fault: string | null;
  /** Events that our hooks in it are registered for. */
  events: string[];
  /** The same with what decides whether and when they run, and their time limit in seconds. */
  hooks: { event: string; matcher?: string; timeout: number; flaw?: string; command: string }[];
  /** What `init` would change in it, a line each. */
  changes: string[];
  /** True where the hooks were put there by `init`, so that it may put them there again. */
  wasInstalled: boolean;
  /** Events that the file names and the client does not know; named only where it then drops the whole file. */
  unknownEvents: string[];
}

/** What the team shares is changed by whoever put the hooks there, nobody else. */
export const isByInit = (each: ScopeFacts, finding: DoctorFinding): DoctorFinding =>
  each.scope === 'project' && !each.wasInstalled ? finding : fixable('hooks', finding);

/** Longer than any work of ours, in seconds: whoever writes such a figure has milliseconds in mind. */
const TOO_LONG_S = 600;

/** `SessionStart` without `compact` is an alert that comes a step late: only what the product needs most is a fault. */
const NEEDED: Record<string, string> = {
  compact: 'the alert about a compaction comes a step late, by another hook',
  auto: 'the checkpoint of an automatic compaction is written late, from the transcript',
  manual: 'the checkpoint of /compact is written late, from the transcript',
  Bash: 'a rise of the context usage in the middle of a turn may not be told',
};

function matcherFindings(each: ScopeFacts, where: string, fix: string): DoctorFinding[] {
  return each.hooks.flatMap(({ event, matcher }) => {
    const others = each.hooks.filter((hook) => hook.event === event);
    const missed = listMissed(event, matcher).filter(
      (value) => value in NEEDED && others.every((hook) => listMissed(event, hook.matcher).includes(value)),
    );
    const [first] = missed;
    return first === undefined
      ? []
      : [
          isByInit(
            each,
            error(
              'hooks',
              `${event} in ${where} runs for "${matcher}" only: ${joinNames(missed)} is missing, and ${NEEDED[first]}`,
              fix,
            ),
          ),
        ];
  });
}

function timeoutFindings(each: ScopeFacts, where: string, fix: string): DoctorFinding[] {
  const long = each.hooks.filter(({ timeout }) => timeout > TOO_LONG_S);
  if (long.length === 0) return [];
  const named = joinNames(long.map(({ event, timeout }) => `${event} has ${timeout}`));
  const minutes = Math.round(Math.max(...long.map(({ timeout }) => timeout)) / 60);
  return [
    isByInit(
      each,
      error(
        'hooks',
        `timeouts in ${where} are seconds, not milliseconds: ${named}, so a hook that hangs holds the session for ${minutes} minutes`,
        fix,
      ),
    ),
  ];
}

/** The client leaves out a hook that it does not understand, and says so nowhere. */
const flawFindings = (each: ScopeFacts, where: string, fix: string): DoctorFinding[] =>
  each.hooks.flatMap(({ event, flaw }) =>
    flaw === undefined ? [] : [isByInit(each, error('hooks', `${event} in ${where} ${flaw}`, fix))],
  );

export const checkRegistrations = (each: ScopeFacts, where: string, fix: string): DoctorFinding[] => [
  ...flawFindings(each, where, fix),
  ...matcherFindings(each, where, fix),
  ...timeoutFindings(each, where, fix),
];
