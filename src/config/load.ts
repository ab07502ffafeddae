// Which value does each setting have, and who set it? Layers: environment > local > project > user > defaults.
import { isDeepStrictEqual } from 'node:util';
import { redact } from '../model/redact.ts';
import { stampOf } from '../platform/look.ts';
import { committedVariables } from '../store/believed-env.ts';
import { settingsText } from '../store/client-settings.ts';
import { clientSettingsPaths, type Env, projectPaths, settingsPaths } from '../store/paths.ts';
import { hasTracks, tracksPath } from '../store/tracks.ts';
import { readTrust } from '../store/trust.ts';
import { assessmentSettings, orderFault, THRESHOLD_KEYS } from './assessment.ts';
import { checkValue, nearestKey } from './check-value.ts';
import { COMMITTED, isLoose } from './committed.ts';
import { isTable, type Layer, type Reader, readLayers, type Table } from './layers.ts';
import { type ProjectRules, projectRules } from './rules.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings, variableOf } from './settings.ts';
import type { Origin, Problem, Resolved } from './snapshot.ts';
import { GUARDRAIL_KEYS, tightestGuardrails } from './tightest-guardrails.ts';
import { usablePart } from './usable.ts';

/** Whether the user lets a value of the project's file count. */
type Trusts = (key: SettingKey, value: unknown) => boolean;
type Trusting = (trusts: Trusts) => Trusts;

/** What the user has allowed counts for exactly the value that was shown. */
const trustsIn = (root: string, env: Env): Trusts => {
  const trusted = readTrust(env, root);
  return (key, value) => Object.hasOwn(trusted, key) && isDeepStrictEqual(trusted[key], value);
};

/** What layers come to, and what is wrong with single values, and with values together. */
interface Decided extends Pick<Resolved, 'settings' | 'origins' | 'committed'> {
  problems: Problem[];
  together: Problem[];
}

/** What is wrong with one value of a layer; null when nothing is. */
export function valueProblem(layer: Layer, name: string): Problem | null {
  const key = SETTING_KEYS.find((each) => each === name);
  if (key === undefined) {
    const near = nearestKey(name);
    const meant = near === null ? '' : `; did you mean "${near}"?`;
    return { origin: layer.origin, where: layer.where, key: name, message: `unknown key "${name}"${meant}` };
  }
  const checked = checkValue(key, layer.values[key]);
  if ('value' in checked) return null;
  const where = layer.origin === 'env' ? variableOf(key) : layer.where;
  return { origin: layer.origin, where, key, message: `"${key}": ${checked.problem}` };
}

/** Thresholds that do not rise from LOW to EMERGENCY decide nothing: the preset counts, and the fault is said. */
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
  for (const path of clientSettingsPaths(root, env)) {
    try {
      const value: unknown = JSON.parse(settingsText(root, path, env)?.replace(/^\uFEFF/, '') ?? '{}');
      if (!isTable(value)) continue;
      for (const key of ['autoCompactWindow', 'autoCompactEnabled', 'modelSettings']) {
        if (value[key] !== undefined) client[key] = value[key];
      }
    } catch {
      // the client complains about its own file; we take what the others say
    }
  }
  return client;
}

/** Of each key the first value that is usable, of a faulty table what is right in it. */
function firstOf(layers: readonly Layer[]): Decided {
  const settings: Table = {};
  const origins: Record<string, Origin> = {};
  const problems: Problem[] = [];
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
      const problem = valueProblem(layer, key);
      if (problem !== null) problems.push(problem);
      const part = usablePart(key, layer.values[key]);
      if (part === undefined) continue;
      settings[key] = part;
      origins[key] = layer.origin;
      break;
    }
  }
  return { settings: settings as Settings, origins, problems, together: [], committed: [] };
}

/** Takes back what the project's file may not decide, unless its user lets it count. */
function holdCommitted(decided: Decided, layers: readonly Layer[], trusts: Trusts): void {
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
  const tightest = tightestGuardrails(
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
 * What layers come to, the strongest first.
 * @param trusts whether a value of the project's file counts though it loosens, runs or leads outside; every one unless given
 */
export function resolveLayers(layers: readonly Layer[], trusts: Trusts = () => true): Decided {
  const decided = firstOf(layers);
  holdCommitted(decided, layers, trusts);
  for (const layer of layers) {
    for (const name of Object.keys(layer.values)) {
      const problem = Object.hasOwn(SETTINGS, name) ? null : valueProblem(layer, name);
      if (problem !== null) decided.problems.push(problem);
    }
  }
  checkOrder(decided);
  return decided;
}

/** Said of a variable that is left out (store/believed-env.ts). */
const variableProblem = ({ name, file }: { name: string; file: string }): Problem => ({
  origin: 'project',
  where: file,
  message: `"env.${name}" does not count: a repository can ship it. What you decide yourself: plimsoll config set`,
});

const NO_RULES: ProjectRules = { rules: [], problems: [], looked: [] };

/**
 * A project judged by its own file, as `plimsoll check` does it: that may be as lenient as the team wants; what it runs, and
 * where it leads, is still for its user to allow.
 */
export const ownJudge: Trusting = (trusts) => (key, value) =>
  COMMITTED[key].who === 'tighter' || trusts(key, value);

/**
 * Resolves all settings of a project. Never throws on content: what is broken is reported in `problems` and the next
 * layer counts.
 */
export function loadSettings(
  root: string | null,
  env: Env,
  read?: Reader,
  trusting: Trusting = (trusts) => trusts,
): Resolved {
  const paths = projectPaths(root, env);
  // Before anything is read: a file that changes meanwhile must not pass for the one that was read.
  const stamps = [
    ...settingsPaths(paths, env),
    // With the folder of tracks, what hooks do after a tool begins and ends.
    ...(root === null ? [] : [tracksPath(root)]),
  ].map(stampOf);
  const { layers, problems } = readLayers(root, env, read);
  const trusts = trusting(root === null ? () => false : trustsIn(root, env));
  const { settings, origins, committed, ...found } = resolveLayers(layers, trusts);
  const own = settings['quality.reinforcement'] ? projectRules(paths) : NO_RULES;
  const left = root === null ? [] : committedVariables(root).map(variableProblem);
  const all = [...left, ...problems, ...found.problems, ...found.together, ...own.problems];
  return {
    settings,
    origins,
    assessment: assessmentSettings(settings),
    // A value that is not usable is quoted, and may be anything.
    problems: all.map((each) => ({ ...each, message: redact(each.message) })),
    committed,
    client: clientSettings(root, env),
    stamps: [...stamps, ...own.looked],
    rules: own.rules,
    reinforcement: null,
    tracks: root !== null && settings['tracks.enabled'] !== 'off' && hasTracks(root),
  };
}
