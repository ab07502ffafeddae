// Which value does each setting have, and who set it? Layers: environment > local > project > user > defaults.
import { resolve } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { redact } from '../model/redact.ts';
import { PRESETS } from '../model/tier.ts';
import { stampOf } from '../store/files.ts';
import { foreignText } from '../store/foreign.ts';
import { clientSettingsPaths, type Env, isAllowed, projectPaths, userPaths } from '../store/paths.ts';
import { assessmentSettings } from './assessment.ts';
import { type ProjectRules, projectRules } from './rules.ts';
import {
  checkValue,
  nearestKey,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
  variableOf,
} from './settings.ts';
import type { Origin, Problem, Resolved } from './snapshot.ts';

type Table = Record<string, unknown>;
const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Dotted keys of a TOML table; a key whose setting is a table itself is kept whole. */
function flatten(table: Table, prefix = ''): Table {
  const flat: Table = {};
  for (const [name, value] of Object.entries(table)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (isTable(value) && !(key in SETTINGS)) Object.assign(flat, flatten(value, key));
    else flat[key] = value;
  }
  return flat;
}

interface Layer {
  origin: Origin;
  where: string;
  values: Table;
}

const textOf = (path: string): string | null => foreignText(path)?.replace(/^\uFEFF/, '') ?? null;

function fileLayer(origin: Origin, path: string, problems: Problem[]): Layer {
  try {
    const source = textOf(path);
    return { origin, where: path, values: source === null ? {} : flatten(parseToml(source)) };
  } catch (error) {
    const [reason = 'unreadable'] = (error instanceof Error ? error.message : String(error)).split('\n');
    const at = error as { line?: number; column?: number };
    const place = at.line === undefined ? path : `${path}:${at.line}:${at.column ?? 1}`;
    problems.push({ origin, where: place, message: `${reason}; the whole file is left out` });
    return { origin, where: path, values: {} };
  }
}

/** A variable's text as the value that its setting wants: the first reading that the schema accepts. */
function fromVariable(key: SettingKey, text: string): unknown {
  const readings: unknown[] = [text];
  if (/^(?:true|yes|on|1)$/i.test(text)) readings.push(true);
  if (/^(?:false|no|off|0)$/i.test(text)) readings.push(false);
  if (text.trim() !== '') readings.push(Number(text));
  try {
    readings.push(JSON.parse(text));
  } catch {
    // not JSON: the other readings stand
  }
  return readings.find((value) => 'value' in checkValue(key, value)) ?? text;
}

function envLayer(env: Env): Layer {
  const values: Table = {};
  for (const key of SETTING_KEYS) {
    const text = env[variableOf(key)];
    if (text !== undefined && text !== '') values[key] = fromVariable(key, text);
  }
  return { origin: 'env', where: 'environment', values };
}

const TIER_NAMES = ['low', 'warning', 'critical', 'emergency'] as const;

/** Thresholds that do not rise from LOW to EMERGENCY decide nothing: the preset counts, and the fault is said. */
function checkOrder(settings: Settings, origins: Record<string, Origin>, problems: Problem[]): void {
  const preset = PRESETS[settings['context_monitor.criticality'] ?? 'C2'];
  const values = TIER_NAMES.map((name) => settings[`context_monitor.${name}_threshold`] ?? preset[name]);
  if (values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))) return;
  const explicit = TIER_NAMES.map((name) => `context_monitor.${name}_threshold` as const).filter(
    (key) => settings[key] !== null,
  );
  const last = explicit.at(-1);
  problems.push({
    origin: (last && origins[last]) ?? 'project',
    where: explicit.join(', '),
    message: `thresholds must rise from LOW to EMERGENCY, found ${values.join(', ')}; the preset is used`,
  });
  for (const key of explicit) {
    settings[key] = null;
    origins[key] = 'default';
  }
}

/** State never lies in the home folder or at the top of the file system themselves. */
function checkStateFolder(
  root: string,
  env: Env,
  settings: Settings,
  origins: Record<string, Origin>,
  problems: Problem[],
): void {
  const { state_dir: folder } = settings;
  if (isAllowed(resolve(root, folder), env)) return;
  problems.push({
    origin: origins.state_dir ?? 'project',
    where: 'state_dir',
    message: `"${folder}" is the home folder or the top of the file system; "${SETTINGS.state_dir.default}" is used`,
  });
  settings.state_dir = SETTINGS.state_dir.default;
  origins.state_dir = 'default';
}

function clientSettings(root: string | null, env: Env): { client: Table; paths: string[] } {
  const paths = clientSettingsPaths(root, env);
  const client: Table = {};
  for (const path of paths) {
    try {
      const value: unknown = JSON.parse(textOf(path) ?? '{}');
      if (!isTable(value)) continue;
      for (const key of ['autoCompactWindow', 'autoCompactEnabled', 'modelSettings']) {
        if (value[key] !== undefined) client[key] = value[key];
      }
    } catch {
      // the client complains about its own file; we take what the others say
    }
  }
  return { client, paths };
}

const NO_RULES: ProjectRules = { rules: [], problems: [], looked: [] };

/**
 * Resolves all settings of a project. Never throws on content: what is broken is reported in `problems` and the next
 * layer counts.
 */
export function loadSettings(root: string | null, env: Env): Resolved {
  const problems: Problem[] = [];
  const project = projectPaths(root, env);
  const user = userPaths(env);
  const layers: Layer[] = [envLayer(env)];
  const files =
    root === null
      ? []
      : ([
          ['local', project.localConfig],
          ['project', project.config],
        ] as const);
  for (const [origin, path] of [...files, ['user', user.config] as const]) {
    layers.push(fileLayer(origin, path, problems));
  }
  const settings: Table = {};
  const origins: Record<string, Origin> = {};
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
      const where = layer.origin === 'env' ? variableOf(key) : layer.where;
      problems.push({ origin: layer.origin, where, message: `"${key}": ${checked.problem}` });
    }
  }
  for (const layer of layers) {
    for (const name of Object.keys(layer.values)) {
      if (name in SETTINGS) continue;
      const near = nearestKey(name);
      problems.push({
        origin: layer.origin,
        where: layer.where,
        message: `unknown key "${name}"${near === null ? '' : `; did you mean "${near}"?`}`,
      });
    }
  }
  checkOrder(settings as Settings, origins, problems);
  if (root !== null) checkStateFolder(root, env, settings as Settings, origins, problems);
  const { client, paths } = clientSettings(root, env);
  const stateDir = (settings as Settings).state_dir;
  const {
    rules,
    problems: faults,
    looked,
  } = (settings as Settings)['quality.reinforcement']
    ? projectRules(projectPaths(root, env, stateDir))
    : NO_RULES;
  problems.push(...faults);
  const stamps = [project.localConfig, project.config, user.config, ...paths, ...looked].map(stampOf);
  return {
    settings: settings as Settings,
    assessment: assessmentSettings(settings as Settings),
    origins,
    // A value that is not usable is quoted, and may be anything.
    problems: problems.map((each) => ({ ...each, message: redact(each.message) })),
    client,
    stamps,
    rules,
    reinforcement: null,
  };
}
