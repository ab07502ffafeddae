// Finds the setting and the settings file that a command names.

import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { findNearestKey } from '../check-value.ts';
import { listSettingsFiles } from '../layers.io.ts';
import type { SettingOrigin } from '../resolved.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../settings.ts';

export type ConfigScope = 'local' | 'project' | 'user';

export interface ConfigTarget {
  key: SettingKey;
  /** The entry of a setting that is a table; null for the whole setting. */
  entry: string | null;
  path: string[];
}

/** The parts of a key as TOML reads it; a key that TOML does not know is split at its dots. */
export function splitKey(given: string): string[] {
  const parts: string[] = [];
  try {
    let value: unknown = parseToml(`${given} = 0`);
    while (typeof value === 'object' && value !== null) {
      const [name = ''] = Object.keys(value);
      parts.push(name);
      value = (value as Record<string, unknown>)[name];
    }
    return parts;
  } catch {
    return given.split('.');
  }
}

const isRecord = (key: SettingKey): boolean => isDeepStrictEqual(SETTINGS[key].default, {});

/** Finds the setting that a key names. @throws PlimsollError for an unknown key */
export function findConfigTarget(given: string): ConfigTarget {
  const key = SETTING_KEYS.find((each) => each === given.trim());
  if (key !== undefined) return { key, entry: null, path: key.split('.') };
  const record = SETTING_KEYS.find((each) => isRecord(each) && given.startsWith(`${each}.`));
  if (record !== undefined) {
    const rest = given.slice(record.length + 1);
    const parts = splitKey(rest);
    // Names of models have dots: `glm-5.1` is one name.
    const entry = /^["']/.test(rest) && parts.length === 1 ? parts[0] : rest;
    if (entry) return { key: record, entry, path: [...record.split('.'), entry] };
  }
  const near = findNearestKey(given);
  throw new PlimsollError('usage', `There is no setting "${given}"`, {
    hint: near === null ? 'plimsoll config show lists all' : `did you mean ${near}?`,
    found: { key: given, nearest: near },
  });
}

/** The path of a scope's settings file. @throws PlimsollError where there is no project */
export function findConfigFile(place: ProjectContext, scope: ConfigScope): string {
  const file = listSettingsFiles(place.root, place.env).find((each) => each.origin === scope);
  if (file !== undefined) return file.path;
  throw new PlimsollError('no-project', 'The home folder and "/" are no projects', {
    hint: 'go to a project, or use --scope user for all projects',
  });
}

/** Where a value comes from, in words. */
export function describeOrigin(
  place: ProjectContext,
  from: { origin: SettingOrigin | 'preset'; where: string | null; line: number | null },
): string {
  const line = from.line === null ? '' : `:${from.line}`;
  if (from.origin === 'env') return `variable ${from.where}`;
  if (from.origin === 'preset') return `preset ${from.where}`;
  return from.where === null ? 'default' : `${displayPath(from.where, place)}${line}`;
}
