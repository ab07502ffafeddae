// The rules for settings in a committed file. It may describe the project and tighten the user's own settings; a value
// that loosens, silences, runs a command or leads outside counts only after `plimsoll trust`.

import { isAbsolute, normalize } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AUTO_COMPACT_RESERVE } from '../context/auto-compact.ts';
import { PRESETS } from '../context/tier.ts';
import { STANDARD_WINDOW } from '../context/window.ts';
import { withLock } from '../platform/lock.ts';
import { type Env, listUserPaths } from '../platform/project/paths.ts';
import { readUntrusted, STATE_FILE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import { formatThousands } from '../text/lines.ts';
import { buildNewerFile } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';
import type { SettingKey, Settings } from './settings.ts';
import { findPreset, THRESHOLD_KEYS, type TIER_NAMES } from './usage-settings.ts';

/** Values by key, exactly as they were shown. */
export type Trusted = Record<string, unknown>;

const VERSION = '1.0.0';

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readAll(env: Env): { version: unknown; projects: Record<string, unknown> } {
  try {
    const value: unknown = JSON.parse(readUntrusted(listUserPaths(env).trust, STATE_FILE) ?? '{}');
    if (!isTable(value)) return { version: null, projects: {} };
    return { version: value.schema_version, projects: isTable(value.projects) ? value.projects : {} };
  } catch {
    return { version: null, projects: {} };
  }
}

/** The trusted values of a project; none when the file is unreadable or of a newer version. */
export function readTrust(env: Env, root: string): Trusted {
  const { version, projects } = readAll(env);
  const trusted = Object.hasOwn(projects, root) && !isNewer(version, VERSION) ? projects[root] : {};
  return isTable(trusted) ? trusted : {};
}

/** Replaces the trusted values of a project. @throws when a newer version wrote the file */
export function writeTrust(env: Env, root: string, trusted: Trusted): void {
  const path = listUserPaths(env).trust;
  withLock(path, () => {
    const { version, projects } = readAll(env);
    if (isNewer(version, VERSION)) throw buildNewerFile(path);
    const { [root]: _, ...others } = projects;
    const all = Object.keys(trusted).length === 0 ? others : { ...others, [root]: trusted };
    replaceFile(path, `${JSON.stringify({ schema_version: VERSION, projects: all }, null, 1)}\n`);
  });
}

/** The settings in force without the project's file: environment, the user's own files and defaults. */
export interface OwnSettings {
  settings: Settings;
  /** Whether the user has set a key. */
  isSet: (key: SettingKey) => boolean;
}

export interface Rule<K extends SettingKey> {
  /**
   * `free`: it describes the project. `tighter`: it counts if it is no looser than what holds without it; `plimsoll
   * check`, which judges a project by its own file, takes it as it is. `trusted`: it runs something, leads outside, or
   * speaks in our name.
   */
  who: 'free' | 'tighter' | 'trusted';
  /** Describes for people what counts without trust; null when it is everything or nothing. */
  limit: string | null;
  isLoose: (value: Settings[K], own: OwnSettings) => boolean;
}

const free = { who: 'free', limit: null, isLoose: () => false } as const;

type Loose<K extends SettingKey> = Rule<K>['isLoose'];
const tighter = <K extends SettingKey>(limit: string, isLoose: Loose<K>): Rule<K> => ({
  who: 'tighter',
  limit,
  isLoose,
});

/** A rule over values listed from the loosest to the tightest; an unlisted one is the loosest. */
const ranked = <K extends SettingKey>(key: K, order: readonly Settings[K][], limit: string): Rule<K> =>
  tighter(limit, (value, { settings }) => order.indexOf(value) < order.indexOf(settings[key]));

const on = <K extends SettingKey>(key: K): Rule<K> =>
  ranked(key, [false, true] as Settings[K][], '`true`, or what you have set');

const atLeast = <K extends SettingKey>(key: K): Rule<K> =>
  tighter(
    'a value that is no smaller than yours',
    (value, { settings }) => (value ?? 0) < (settings[key] ?? 0),
  );

const atMost = <K extends SettingKey>(key: K, most: number): Rule<K> =>
  tighter(
    `a value that is no larger than yours; where you have set none, ${formatThousands(most)} at the most`,
    (value, { settings }) => Number(value) > Number(settings[key] ?? most),
  );

/** If the user has set none of these keys, the project decides how usage is measured. */
const MEASURES: readonly SettingKey[] = [
  'context_monitor.threshold_base',
  'context_monitor.mode',
  'context_monitor.sensitivity',
  ...THRESHOLD_KEYS,
];
const measure = <K extends SettingKey>(key: K): Rule<K> =>
  tighter(
    'any value, where you have set neither it nor a preset or threshold yourself',
    (value, { settings, isSet }) => value !== settings[key] && MEASURES.some(isSet),
  );

/** A threshold may be lower than the user's but not higher; if the user has set none, not higher than in C1. */
const threshold = (tier: (typeof TIER_NAMES)[number]): Rule<`context_monitor.${typeof tier}_threshold`> =>
  tighter(
    `up to yours, or that of your preset; where you have set none, up to ${PRESETS.C1[tier]}`,
    (value, own) => {
      const preset = own.isSet('context_monitor.sensitivity') ? findPreset(own.settings) : 'C1';
      return Number(value) > (own.settings[`context_monitor.${tier}_threshold`] ?? PRESETS[preset][tier]);
    },
  );

const guardrail = <K extends SettingKey>(limit: string): Rule<K> =>
  // These depend on each other, so tightest-guardrails.ts decides.
  ({ who: 'tighter', limit, isLoose: () => false });

const MORE = 'what adds to yours; all of it while you have no guardrails on';

export const COMMITTED: { [K in SettingKey]: Rule<K> } = {
  enabled: on('enabled'),
  'context_monitor.enabled': on('context_monitor.enabled'),
  'context_monitor.emit': tighter(
    'all but `off`',
    (value, { settings }) => value === 'off' && settings['context_monitor.emit'] !== 'off',
  ),
  'context_monitor.threshold_base': measure('context_monitor.threshold_base'),
  'context_monitor.mode': measure('context_monitor.mode'),
  'context_monitor.sensitivity': tighter(
    'a preset that warns no later than yours; any where you have set none',
    (value, own) =>
      own.isSet('context_monitor.sensitivity') &&
      String(value) < String(own.settings['context_monitor.sensitivity']),
  ),
  'context_monitor.low_threshold': threshold('low'),
  'context_monitor.warning_threshold': threshold('warning'),
  'context_monitor.critical_threshold': threshold('critical'),
  'context_monitor.emergency_threshold': threshold('emergency'),
  'context_monitor.window_tokens': atMost('context_monitor.window_tokens', STANDARD_WINDOW),
  'context_monitor.auto_compact_at': atMost(
    'context_monitor.auto_compact_at',
    STANDARD_WINDOW - AUTO_COMPACT_RESERVE,
  ),
  'context_monitor.typical_step_tokens': atLeast('context_monitor.typical_step_tokens'),
  'context_monitor.model_windows': tighter(
    `a table in which no window is larger than yours or, where you name none, than ${formatThousands(STANDARD_WINDOW)}`,
    (value, { settings }) => {
      const own = settings['context_monitor.model_windows'];
      const isLarger = ([model, tokens]: [string, number]): boolean =>
        tokens > (own[model] ?? STANDARD_WINDOW);
      return (
        Object.entries(value).some(isLarger) || Object.keys(own).some((model) => !Object.hasOwn(value, model))
      );
    },
  ),
  'compaction.alert_tokens': atLeast('compaction.alert_tokens'),
  'checkpoint.on_tier_rise': on('checkpoint.on_tier_rise'),
  'checkpoint.summariser_hints': on('checkpoint.summariser_hints'),
  'checkpoint.on_session_end': on('checkpoint.on_session_end'),
  'checkpoint.keep': atLeast('checkpoint.keep'),
  'resume.auto': ranked(
    'resume.auto',
    ['off', 'pointer', 'unfinished', 'always'],
    'a value that tells no less than yours',
  ),
  'resume.headless': ranked('resume.headless', [true, false], '`false`, or what you have set'),
  'resume.max_age_hours': atLeast('resume.max_age_hours'),
  'session.abandon_on': tighter(
    '`none`, or what you have set',
    (value, { settings }) => value !== 'none' && value !== settings['session.abandon_on'],
  ),
  'orchestration.path': {
    who: 'trusted',
    limit: 'a path that stays inside the project',
    isLoose: (value) => value !== null && (isAbsolute(value) || /^\.\.(?:[\\/]|$)/.test(normalize(value))),
  },
  'orchestration.hold_stop': on('orchestration.hold_stop'),
  'statusline.format': {
    who: 'trusted',
    limit: null,
    isLoose: (value, { settings }) => value !== settings['statusline.format'],
  },
  'statusline.colors': free,
  'quality.reinforcement': on('quality.reinforcement'),
  'guardrails.mode': guardrail('a mode that is no weaker than yours'),
  'guardrails.preset': guardrail(
    'a preset that is no weaker than yours; any while you have no guardrails on',
  ),
  'guardrails.strict': guardrail('`true`, or what you have set'),
  'guardrails.tools': guardrail(MORE),
  'guardrails.commands': guardrail('an action that is no weaker than yours and more packs, never `allow`'),
  'guardrails.paths': guardrail(MORE),
  'guardrails.governance': guardrail(MORE),
  'guardrails.architecture': guardrail('layers, where you have set none'),
  'guardrails.examples': free,
  'state.auto_merge': free,
  'state.offer_agent_done': free,
  'tracks.enabled': ranked('tracks.enabled', ['off', 'auto'], '`auto`, or what you have set'),
  'tracks.core_writes': ranked('tracks.core_writes', ['apply', 'propose'], '`propose`, or what you have set'),
  'tracks.capture': tighter(
    'any value, where you have set none',
    (value, { settings, isSet }) => isSet('tracks.capture') && value !== settings['tracks.capture'],
  ),
  'tracks.evaluator': {
    who: 'trusted',
    limit: null,
    isLoose: (value, { settings }) => value !== settings['tracks.evaluator'],
  },
  'tracks.gate': on('tracks.gate'),
};

/** Whether a committed value would loosen what holds without it, run something or lead outside. */
export function isLoose(key: SettingKey, value: unknown, own: OwnSettings): boolean {
  if (isDeepStrictEqual(value, own.settings[key])) return false;
  return (COMMITTED[key] as Rule<SettingKey>).isLoose(value as Settings[SettingKey], own);
}
