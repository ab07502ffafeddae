// Resolves the value and origin of each setting over all layers: environment > local > project > user > defaults.

import { isDeepStrictEqual } from 'node:util';
import { ADDONS, findUsed } from '../addons/addon.ts';
import { listCommittedVariables } from '../hosts/claude-code/environment.io.ts';
import { listLimitSettings } from '../hosts/claude-code/files.io.ts';
import { readSettingsText } from '../hosts/claude-code/install/files.io.ts';
import { pickLimitVariables } from '../hosts/claude-code/limits.ts';
import { readStamp } from '../platform/look.ts';
import { type Env, listProjectPaths } from '../platform/project/paths.ts';
import { redact } from '../text/redact.ts';
import { checkValue, findNearestKey, isSection } from './check-value.ts';
import { COMMITTED, isLoose, readTrust } from './committed.io.ts';
import type { Reader, SettingsLayer, Table } from './layers.io.ts';
import { isTable, listSettingsPaths, readLayers } from './layers.io.ts';
import type { Resolved, SettingOrigin, SettingProblem } from './resolved.ts';
import { buildVariableName, SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from './settings.ts';
import { combineGuardrails, GUARDRAIL_KEYS } from './tightest-guardrails.io.ts';
import { orderFault, readAssessmentSettings, THRESHOLD_KEYS } from './usage-settings.ts';

const isRight = (key: SettingKey, name: string, value: unknown): boolean =>
  'value' in checkValue(key, { [name]: value });

/** The valid entries of a setting's table, lists without their faulty items; undefined when nothing is valid. */
export function keepUsablePart(key: SettingKey, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (isRight(key, name, each)) return [[name, each]];
    const items = Array.isArray(each) ? each.filter((item) => isRight(key, name, [item])) : [];
    return items.length > 0 ? [[name, items]] : [];
  });
  if (entries.length === 0) return undefined;
  const checked = checkValue(key, Object.fromEntries(entries));
  return 'value' in checked ? checked.value : undefined;
}

/** Whether the user lets a value of the project's file count. */
type Trusts = (key: SettingKey, value: unknown) => boolean;
type Trusting = (trusts: Trusts) => Trusts;

/** The user's trust covers exactly the value that was shown. */
const trustsIn = (root: string, env: Env): Trusts => {
  const trusted = readTrust(env, root);
  return (key, value) => Object.hasOwn(trusted, key) && isDeepStrictEqual(trusted[key], value);
};

/** The settings resolved from layers, with problems of single values and of values together. */
interface Decided extends Pick<Resolved, 'settings' | 'origins' | 'committed'> {
  problems: SettingProblem[];
  together: SettingProblem[];
}

/** The problem with one value of a layer; null when there is none. */
export function findValueProblem(layer: SettingsLayer, name: string): SettingProblem | null {
  const key = SETTING_KEYS.find((each) => each === name);
  if (key === undefined) {
    if (isSection(name)) {
      const said = Array.isArray(layer.values[name]) ? 'a list' : 'a value';
      const message = `"${name}" is ${said}, but settings are kept below it`;
      return { origin: layer.origin, where: layer.where, key: name, message };
    }
    const near = findNearestKey(name);
    const meant = near === null ? '' : `; did you mean "${near}"?`;
    return { origin: layer.origin, where: layer.where, key: name, message: `unknown key "${name}"${meant}` };
  }
  const checked = checkValue(key, layer.values[key]);
  if ('value' in checked) return null;
  const where = layer.origin === 'env' ? buildVariableName(key) : layer.where;
  return { origin: layer.origin, where, key, message: `"${key}": ${checked.problem}` };
}

/** Replaces thresholds that do not rise from LOW to EMERGENCY by the preset, and reports the fault. */
function checkOrder({ settings, origins, together }: Decided): void {
  const fault = orderFault(settings);
  if (fault === null) return;
  const explicit = THRESHOLD_KEYS.filter((key) => settings[key] !== null);
  const last = explicit.at(-1);
  together.push({
    origin: (last && origins[last]) ?? 'project',
    where: explicit.join(', '),
    ...(last === undefined ? {} : { key: last }),
    message: `${fault}; the preset is used`,
  });
  for (const key of explicit) {
    settings[key] = null;
    origins[key] = 'default';
  }
}

function clientSettings(root: string | null, env: Env): Table {
  const client: Table = {};
  const variables: Record<string, string> = {};
  for (const path of listLimitSettings(root, env)) {
    try {
      const value: unknown = JSON.parse(readSettingsText(root, path, env)?.replace(/^\uFEFF/, '') ?? '{}');
      if (!isTable(value)) continue;
      for (const key of ['autoCompactWindow', 'autoCompactEnabled', 'modelSettings']) {
        if (value[key] !== undefined) client[key] = value[key];
      }
      Object.assign(variables, pickLimitVariables(value.env));
    } catch {
      // the client complains about its own file; we take what the others say
    }
  }
  return Object.keys(variables).length === 0 ? client : { ...client, env: variables };
}

/** Takes the first usable value of each key, and of a faulty table its valid entries. */
function firstOf(layers: readonly SettingsLayer[]): Decided {
  const settings: Table = {};
  const origins: Record<string, SettingOrigin> = {};
  const problems: SettingProblem[] = [];
  for (const key of SETTING_KEYS) {
    settings[key] = SETTINGS[key].default;
    origins[key] = 'default';
    for (const layer of layers) {
      if (layer.values[key] === undefined) continue;
      const checked = checkValue(key, layer.values[key]);
      if ('value' in checked) {
        settings[key] = checked.value;
        origins[key] = layer.origin;
        break;
      }
      const problem = findValueProblem(layer, key);
      if (problem !== null) problems.push(problem);
      const part = keepUsablePart(key, layer.values[key]);
      if (part === undefined) continue;
      settings[key] = part;
      origins[key] = layer.origin;
      break;
    }
  }
  return { settings: settings as Settings, origins, problems, together: [], committed: [] };
}

/** Reverts values that the project's file may not decide, unless the user trusts them. */
function holdCommitted(decided: Decided, layers: readonly SettingsLayer[], trusts: Trusts): void {
  const { settings, origins } = decided;
  if (!Object.values(origins).includes('project')) return;
  const { settings: own, origins: ownOrigins } = firstOf(layers.filter(({ origin }) => origin !== 'project'));
  const isSet = (key: SettingKey): boolean => ownOrigins[key] !== 'default';
  const wanted = { ...settings };
  const judge = (key: SettingKey): boolean => {
    const isTrusted = trusts(key, wanted[key]);
    decided.committed.push({ key, value: wanted[key], own: own[key], isTrusted });
    return isTrusted;
  };
  for (const key of SETTING_KEYS) {
    if (origins[key] !== 'project' || !isLoose(key, settings[key], { settings: own, isSet }) || judge(key))
      continue;
    Object.assign(settings, { [key]: own[key] });
    origins[key] = ownOrigins[key] ?? 'default';
  }
  const tightest = combineGuardrails(
    own,
    wanted,
    (key) => origins[key] === 'project' && trusts(key, wanted[key]),
  );
  for (const key of GUARDRAIL_KEYS) {
    if (origins[key] !== 'project') continue;
    Object.assign(settings, { [key]: tightest.settings[key] });
    if (tightest.held.includes(key)) judge(key);
    if (isDeepStrictEqual(settings[key], own[key])) origins[key] = ownOrigins[key] ?? 'default';
  }
}

/**
 * Resolves layers, given the strongest first.
 * @param trusts whether a value of the project's file that loosens, runs or leads outside counts; by default all do
 */
export function resolveLayers(layers: readonly SettingsLayer[], trusts: Trusts = () => true): Decided {
  const decided = firstOf(layers);
  holdCommitted(decided, layers, trusts);
  for (const layer of layers) {
    for (const name of Object.keys(layer.values)) {
      const problem = Object.hasOwn(SETTINGS, name) ? null : findValueProblem(layer, name);
      if (problem !== null) decided.problems.push(problem);
    }
  }
  checkOrder(decided);
  return decided;
}

/** The problem reported for a variable that is ignored (store/believed-env.ts). */
const variableProblem = ({ name, file }: { name: string; file: string }): SettingProblem => ({
  origin: 'project',
  where: file,
  message: `"env.${name}" does not count: a repository can ship it. What you decide yourself: plimsoll config set`,
});

/**
 * Trust for `plimsoll check`, which judges a project by its own file: that may be as lenient as the team wants, but the
 * user still has to allow what it runs and where it leads.
 */
export const ownJudge: Trusting = (trusts) => (key, value) =>
  COMMITTED[key].who === 'tighter' || trusts(key, value);

/**
 * Resolves all settings of a project. Never throws on content: a broken value is reported in `problems`, and the next
 * layer counts.
 */
export function loadSettings(
  root: string | null,
  env: Env,
  read?: Reader,
  trusting: Trusting = (trusts) => trusts,
): Resolved {
  const paths = listProjectPaths(root, env);
  // Stamped before anything is read: a file that changes meanwhile must not pass for the one that was read.
  const stamps = [
    ...listSettingsPaths(paths, env),
    ...(root === null ? [] : ADDONS.flatMap((addon) => addon.listStamped?.(root) ?? [])),
  ].map(readStamp);
  const { layers, problems } = readLayers(root, env, read);
  const trusts = trusting(root === null ? () => false : trustsIn(root, env));
  const { settings, origins, committed, ...found } = resolveLayers(layers, trusts);
  const said = ADDONS.flatMap((addon) => addon.readPromptText?.(paths, settings) ?? []);
  const left = root === null ? [] : listCommittedVariables(root).map(variableProblem);
  const all = [
    ...left,
    ...problems,
    ...found.problems,
    ...found.together,
    ...said.flatMap((each) => each.problems),
  ];
  return {
    settings,
    origins,
    assessment: readAssessmentSettings(settings),
    // Messages quote unusable values, which may hold secrets.
    problems: all.map((each) => ({ ...each, message: redact(each.message) })),
    committed,
    client: clientSettings(root, env),
    stamps: [...stamps, ...said.flatMap((each) => each.stamps)],
    promptText: said.flatMap((each) => each.text ?? []).join('\n') || null,
    addons: findUsed(settings, root),
  };
}
