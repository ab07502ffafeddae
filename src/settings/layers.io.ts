// Reads the layers of settings, strongest first: environment, local, project and user.

import { parse as parseToml } from 'smol-toml';
import { readNamed } from '../platform/in-project.ts';
import { type Env, projectPaths, userPaths } from '../platform/project/paths.ts';
import { isError } from '../text/plimsoll-error.ts';
import { fromText } from './from-text.ts';
import { SETTING_KEYS, SETTINGS, variableOf } from './settings.ts';
import type { SettingOrigin, SettingProblem } from './settings-snapshot.io.ts';

export type Table = Record<string, unknown>;
export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

export interface SettingsLayer {
  origin: SettingOrigin;
  /** Path of the file, or "environment". */
  where: string;
  /** By dotted key. */
  values: Table;
  /** The parts of each key as written in the file: a part may hold dots itself. */
  paths: Record<string, string[]>;
}

/** Dotted keys of a TOML table; a key whose setting is a table itself is kept whole. */
function flatten(table: Table): Pick<SettingsLayer, 'values' | 'paths'> {
  const values: Table = {};
  const paths: Record<string, string[]> = {};
  const walk = (below: Table, above: readonly string[]): void => {
    for (const [name, value] of Object.entries(below)) {
      const path = [...above, name];
      const key = path.join('.');
      if (isTable(value) && !Object.hasOwn(SETTINGS, key)) walk(value, path);
      else {
        values[key] = value;
        paths[key] = path;
      }
    }
  };
  walk(table, []);
  return { values, paths };
}

/** Gives the text of a file, or null. */
export type Reader = (path: string) => string | null;

function fileLayer(
  origin: SettingOrigin,
  path: string,
  read: Reader,
  problems: SettingProblem[],
): SettingsLayer {
  try {
    const source = read(path);
    return { origin, where: path, ...flatten(source === null ? {} : parseToml(source)) };
  } catch (error) {
    const [reason = 'unreadable'] = (error instanceof Error ? error.message : String(error)).split('\n');
    const at = error as { line?: number; column?: number };
    const place = at.line === undefined ? path : `${path}:${at.line}:${at.column ?? 1}`;
    const words = isError(error) ? reason.replace(`: "${path}"`, '') : reason;
    problems.push({ origin, where: place, message: `${words}; the whole file is left out` });
    return { origin, where: path, ...flatten({}) };
  }
}

function envLayer(env: Env): SettingsLayer {
  const values: Table = {};
  for (const key of SETTING_KEYS) {
    const text = env[variableOf(key)];
    if (text !== undefined && text !== '') values[key] = fromText(key, text);
  }
  return { origin: 'env', where: 'environment', values, paths: {} };
}

/** The settings files, the strongest first; without a project, only the user's. */
export function settingsFiles(root: string | null, env: Env): { origin: SettingOrigin; path: string }[] {
  const project = projectPaths(root, env);
  const files: { origin: SettingOrigin; path: string }[] = [
    { origin: 'local', path: project.localConfig },
    { origin: 'project', path: project.config },
  ];
  return [...(root === null ? [] : files), { origin: 'user', path: userPaths(env).config }];
}

/** Reads all layers; a file that cannot be read is reported as a problem and counts as empty. */
export function readLayers(
  root: string | null,
  env: Env,
  read: Reader = (path) => readNamed(root, path),
): { layers: SettingsLayer[]; problems: SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const files = settingsFiles(root, env).map(({ origin, path }) => fileLayer(origin, path, read, problems));
  return { layers: [envLayer(env), ...files], problems };
}
