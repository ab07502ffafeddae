// The guardrails of a project beside those of its user: of each rule the stricter half, so that neither takes away from the
// other. Where the user has no guardrails on, whatever the project asks for is more than nothing.
import { isDeepStrictEqual } from 'node:util';
import type { GuardrailOptions, Mode, Preset } from '../model/guardrails/options.ts';
import { type Decision, isStronger } from '../model/guardrails/verdict.ts';
import { guardrailOptions } from './guardrails.ts';
import type { SettingKey, Settings } from './settings.ts';

export const GUARDRAIL_KEYS = [
  'guardrails.mode',
  'guardrails.preset',
  'guardrails.strict',
  'guardrails.tools',
  'guardrails.paths',
  'guardrails.governance',
  'guardrails.architecture',
] as const satisfies SettingKey[];
export type GuardrailKey = (typeof GUARDRAIL_KEYS)[number];

const MODES: Mode[] = ['off', 'warn', 'enforce'];
const PRESETS: Preset[] = ['none', 'standard', 'tracks'];

const higher = <T>(order: readonly T[], one: T, other: T): T =>
  order.indexOf(one) > order.indexOf(other) ? one : other;
const stronger = <D extends Decision>(one: D, other: D): D => (isStronger(one, other) ? one : other);

/** A list that forbids: of patterns that match the last decides, so no `!` of the project takes back one of the user's. */
function both(own: string[], theirs: string[]): string[] {
  if (isDeepStrictEqual(theirs.slice(-own.length), own)) return theirs;
  const takesBack = theirs.some((each) => each.startsWith('!'));
  return [...theirs, ...(takesBack ? own : own.filter((each) => !theirs.includes(each)))];
}

/** A list that allows, where an empty one allows all. */
const allowed = (own: string[], theirs: string[]): string[] => (own.length > 0 ? own : theirs);
/** Whether a glob names nothing outside the project: it begins with a folder, and stays below it. */
const isInside = (glob: string): boolean =>
  /^[\w.@+-]+\//.test(glob) && !/(?:^|[/,{])\.\.(?:[/,}]|$)/.test(glob);

const EMPTY = { 'guardrails.tools': {}, 'guardrails.paths': {}, 'guardrails.governance': {} };

type Tables = Pick<GuardrailOptions, 'tools' | 'paths' | 'governance'>;

function tightestTables(own: GuardrailOptions, theirs: GuardrailOptions): Tables {
  const { tools, paths, governance } = own;
  const reachesOut = paths.outside !== 'pass' && !theirs.paths.writable.every(isInside);
  return {
    tools: {
      allow: allowed(tools.allow, theirs.tools.allow),
      deny: both(tools.deny, theirs.tools.deny),
      unknown: stronger(tools.unknown, theirs.tools.unknown),
    },
    paths: {
      writable: reachesOut ? paths.writable : allowed(paths.writable, theirs.paths.writable),
      protected: both(paths.protected, theirs.paths.protected),
      secrets: both(paths.secrets, theirs.paths.secrets),
      on_secret: stronger(paths.on_secret, theirs.paths.on_secret),
      outside: stronger(paths.outside, theirs.paths.outside),
      unknown: stronger(paths.unknown, theirs.paths.unknown),
      odd: stronger(paths.odd, theirs.paths.odd),
      // Naming another field for a tool takes the file that it really writes out of sight.
      fields: paths.fields,
    },
    governance: {
      c3: both(governance.c3, theirs.governance.c3),
      c4: both(governance.c4, theirs.governance.c4),
      action: stronger(governance.action, theirs.governance.action),
    },
  };
}

/** The entries of a table that are not those of the preset: only these were set by anybody. */
const beyond = <T extends object>(table: T, preset: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(table).filter(([name, value]) => !isDeepStrictEqual(value, preset[name as keyof T])),
  ) as Partial<T>;

/**
 * What guardrails hold: the project's, with all of the user's own that are on.
 * @param own what the user has set, without the project
 * @param wanted what would hold if the project's file counted as it stands
 * @param isTrusted whether the user lets a key of the project count in place of his own
 * @returns the settings, and the keys of which the project's value does not count as it stands
 */
export function tightestGuardrails(
  own: Settings,
  wanted: Settings,
  isTrusted: (key: GuardrailKey) => boolean,
): { settings: Pick<Settings, GuardrailKey>; held: GuardrailKey[] } {
  if (own['guardrails.mode'] === 'off') return { settings: wanted, held: [] };
  const preset = isTrusted('guardrails.preset')
    ? wanted['guardrails.preset']
    : higher(PRESETS, own['guardrails.preset'], wanted['guardrails.preset']);
  const base = guardrailOptions({ ...own, ...EMPTY, 'guardrails.preset': preset });
  const trustsPreset = isTrusted('guardrails.preset') ? { 'guardrails.preset': preset } : {};
  const ours = guardrailOptions({ ...own, ...trustsPreset });
  const theirs = guardrailOptions({ ...wanted, 'guardrails.preset': preset });
  const tables = tightestTables(ours, theirs);
  const hasOwnLayers = Object.keys(own['guardrails.architecture']).length > 0;
  const tightest: Pick<Settings, GuardrailKey> = {
    'guardrails.mode': higher(MODES, ours.mode, theirs.mode),
    'guardrails.preset': preset,
    'guardrails.strict': ours.strict || theirs.strict,
    'guardrails.tools': beyond(tables.tools, base.tools),
    'guardrails.paths': beyond(tables.paths, base.paths),
    'guardrails.governance': beyond(tables.governance, base.governance),
    'guardrails.architecture': (hasOwnLayers ? own : wanted)['guardrails.architecture'],
  };
  const isAsWanted = (key: GuardrailKey): boolean => {
    const name = key.slice('guardrails.'.length);
    if (name === 'tools' || name === 'paths' || name === 'governance')
      return isDeepStrictEqual(tables[name], theirs[name]);
    return isDeepStrictEqual(tightest[key], wanted[key]);
  };
  const settings = { ...tightest };
  const held = GUARDRAIL_KEYS.filter((key) => !isAsWanted(key));
  for (const key of held.filter(isTrusted)) Object.assign(settings, { [key]: wanted[key] });
  return { settings, held };
}
