// Combines a project's guardrails with the user's: the stricter part of each rule counts, so that neither weakens the
// other. If the user has no guardrails on, the project's count as they are.
import { isDeepStrictEqual } from 'node:util';
import { isStronger, type VerdictDecision } from '../hosts/verdict.ts';
import type { GuardrailOptions, Mode, Preset } from './guardrail-options.ts';
import { readGuardrailOptions } from './read-guardrails.ts';
import type { SettingKey, Settings } from './settings.ts';

export const GUARDRAIL_KEYS = [
  'guardrails.mode',
  'guardrails.preset',
  'guardrails.strict',
  'guardrails.tools',
  'guardrails.commands',
  'guardrails.paths',
  'guardrails.governance',
  'guardrails.architecture',
] as const satisfies SettingKey[];
export type GuardrailKey = (typeof GUARDRAIL_KEYS)[number];

const MODES: Mode[] = ['off', 'warn', 'enforce'];
const PRESETS: Preset[] = ['none', 'standard', 'tracks'];

const higher = <T>(order: readonly T[], one: T, other: T): T =>
  order.indexOf(one) > order.indexOf(other) ? one : other;
const stronger = <D extends VerdictDecision>(one: D, other: D): D => (isStronger(one, other) ? one : other);

/** Joins lists that forbid. The last matching pattern decides, so the user's come last and no `!` of the project undoes them. */
function both(own: string[], theirs: string[]): string[] {
  if (isDeepStrictEqual(theirs.slice(-own.length), own)) return theirs;
  const takesBack = theirs.some((each) => each.startsWith('!'));
  return [...theirs, ...(takesBack ? own : own.filter((each) => !theirs.includes(each)))];
}

/** Joins lists that allow, of which an empty one allows everything. */
const allowed = (own: string[], theirs: string[]): string[] => (own.length > 0 ? own : theirs);
/** Whether a glob cannot match outside the project: it begins with a folder and stays below it. */
const isInside = (glob: string): boolean =>
  /^[\w.@+-]+\//.test(glob) && !/(?:^|[/,{])\.\.(?:[/,}]|$)/.test(glob);

const EMPTY = {
  'guardrails.tools': {},
  'guardrails.commands': {},
  'guardrails.paths': {},
  'guardrails.governance': {},
};

type Tables = Pick<GuardrailOptions, 'tools' | 'commands' | 'paths' | 'governance'>;

function tightestTables(own: GuardrailOptions, theirs: GuardrailOptions): Tables {
  const { tools, commands, paths, governance } = own;
  const reachesOut = paths.outside !== 'abstain' && !theirs.paths.writable.every(isInside);
  return {
    tools: {
      allow: allowed(tools.allow, theirs.tools.allow),
      deny: both(tools.deny, theirs.tools.deny),
      unknown: stronger(tools.unknown, theirs.tools.unknown),
    },
    commands: {
      action: stronger(commands.action, theirs.commands.action),
      packs: [...new Set([...commands.packs, ...theirs.commands.packs])],
      // A project does not say what may be destroyed on this machine.
      allow: commands.allow,
    },
    paths: {
      writable: reachesOut ? paths.writable : allowed(paths.writable, theirs.paths.writable),
      protected: both(paths.protected, theirs.paths.protected),
      secrets: both(paths.secrets, theirs.paths.secrets),
      on_secret: stronger(paths.on_secret, theirs.paths.on_secret),
      outside: stronger(paths.outside, theirs.paths.outside),
      unknown: stronger(paths.unknown, theirs.paths.unknown),
      odd: stronger(paths.odd, theirs.paths.odd),
      // Naming another field for a tool would hide the file that it really writes.
      fields: paths.fields,
    },
    governance: {
      c3: both(governance.c3, theirs.governance.c3),
      c4: both(governance.c4, theirs.governance.c4),
      action: stronger(governance.action, theirs.governance.action),
    },
  };
}

/** The entries of a table that differ from the preset: only these were set by somebody. */
const beyond = <T extends object>(table: T, preset: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(table).filter(([name, value]) => !isDeepStrictEqual(value, preset[name as keyof T])),
  ) as Partial<T>;

/**
 * The guardrails in force: the project's together with the user's own.
 * @param own the user's settings, without the project
 * @param wanted the settings if the project's file counted as it is
 * @param isTrusted whether the user lets a key of the project replace their own
 * @returns the settings, and the keys whose value in the project's file does not count as it is
 */
export function combineGuardrails(
  own: Settings,
  wanted: Settings,
  isTrusted: (key: GuardrailKey) => boolean,
): { settings: Pick<Settings, GuardrailKey>; held: GuardrailKey[] } {
  if (own['guardrails.mode'] === 'off') {
    const { allow, ...rest } = wanted['guardrails.commands'];
    const kept = own['guardrails.commands'].allow;
    if (isDeepStrictEqual(allow ?? [], kept ?? [])) return { settings: wanted, held: [] };
    const commands = kept === undefined ? rest : { ...rest, allow: kept };
    return {
      settings: isTrusted('guardrails.commands') ? wanted : { ...wanted, 'guardrails.commands': commands },
      held: ['guardrails.commands'],
    };
  }
  const preset = isTrusted('guardrails.preset')
    ? wanted['guardrails.preset']
    : higher(PRESETS, own['guardrails.preset'], wanted['guardrails.preset']);
  const base = readGuardrailOptions({ ...own, ...EMPTY, 'guardrails.preset': preset });
  const trustsPreset = isTrusted('guardrails.preset') ? { 'guardrails.preset': preset } : {};
  const ours = readGuardrailOptions({ ...own, ...trustsPreset });
  const theirs = readGuardrailOptions({ ...wanted, 'guardrails.preset': preset });
  const tables = tightestTables(ours, theirs);
  const hasOwnLayers = Object.keys(own['guardrails.architecture']).length > 0;
  const tightest: Pick<Settings, GuardrailKey> = {
    'guardrails.mode': higher(MODES, ours.mode, theirs.mode),
    'guardrails.preset': preset,
    'guardrails.strict': ours.strict || theirs.strict,
    'guardrails.tools': beyond(tables.tools, base.tools),
    'guardrails.commands': beyond(tables.commands, base.commands),
    'guardrails.paths': beyond(tables.paths, base.paths),
    'guardrails.governance': beyond(tables.governance, base.governance),
    'guardrails.architecture': (hasOwnLayers ? own : wanted)['guardrails.architecture'],
  };
  const isAsWanted = (key: GuardrailKey): boolean => {
    const name = key.slice('guardrails.'.length);
    if (name === 'tools' || name === 'commands' || name === 'paths' || name === 'governance')
      return isDeepStrictEqual(tables[name], theirs[name]);
    return isDeepStrictEqual(tightest[key], wanted[key]);
  };
  const settings = { ...tightest };
  const held = GUARDRAIL_KEYS.filter((key) => !isAsWanted(key));
  for (const key of held.filter(isTrusted)) Object.assign(settings, { [key]: wanted[key] });
  return { settings, held };
}
