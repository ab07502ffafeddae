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

export interface ConflictingHook extends Pick<Rival, 'level' | 'effect' | 'fix'> {
  hook: ForeignHook;
}

export const findConflictingHooks = (hooks: readonly ForeignHook[]): ConflictingHook[] =>
  hooks.flatMap((hook) => {
    const found = RIVALS.find(
      ({ events, looks }) => (events?.includes(hook.event) ?? true) && looks.test(hook.command),
    );
    return found === undefined ? [] : [{ hook, level: found.level, effect: found.effect, fix: found.fix }];
  });
