// Reads the layers of settings, strongest first: environment, local, project and user.

import { dirname } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { listClientSettings, listLimitSettings } from '../hosts/claude-code/files.io.ts';
import { readNamed } from '../platform/in-project.ts';
import { type Env, listProjectPaths, listUserPaths, type ProjectPaths } from '../platform/project/paths.ts';
import { isError } from '../text/plimsoll-error.ts';
import { parseSetting } from './check-value.ts';
import type { SettingOrigin, SettingProblem } from './resolved.ts';
import { buildVariableName, SETTING_KEYS, SETTINGS } from './settings.ts';

/** Our folders outside the project and the settings that may hold our hooks, which guardrails protect for themselves. */
export function ownPlaces(root: string | null, env: Env): { folders: string[]; settings: string[] } {
  const { config, state, data } = listUserPaths(env);
  return { folders: [dirname(config), state, data], settings: listClientSettings(root, env) };
}

/** All files that a snapshot of settings is made from: our settings, the client's, and the user's trust. */
export function listSettingsPaths(
  { root, config, localConfig }: Pick<ProjectPaths, 'root' | 'config' | 'localConfig'>,
  env: Env,
): string[] {
  const { config: user, trust } = listUserPaths(env);
  return [...(root === null ? [] : [localConfig, config]), user, ...listLimitSettings(root, env), trust];
}

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
    const text = env[buildVariableName(key)];
    if (text !== undefined && text !== '') values[key] = parseSetting(key, text);
  }
  return { origin: 'env', where: 'environment', values, paths: {} };
}

/** The settings files, the strongest first; without a project, only the user's. */
export function listSettingsFiles(root: string | null, env: Env): { origin: SettingOrigin; path: string }[] {
  const project = listProjectPaths(root, env);
  const files: { origin: SettingOrigin; path: string }[] = [
    { origin: 'local', path: project.localConfig },
    { origin: 'project', path: project.config },
  ];
  return [...(root === null ? [] : files), { origin: 'user', path: listUserPaths(env).config }];
}

/** Reads all layers; a file that cannot be read is reported as a problem and counts as empty. */
export function readLayers(
  root: string | null,
  env: Env,
  read: Reader = (path) => readNamed(root, path),
): { layers: SettingsLayer[]; problems: SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const files = listSettingsFiles(root, env).map(({ origin, path }) =>
    fileLayer(origin, path, read, problems),
  );
  return { layers: [envLayer(env), ...files], problems };
}
