// Tells which value of a key is in force and where it comes from: a file and line, a variable, the preset or a default.
import { PRESETS } from '../context/tier.ts';
import { readNamed } from '../platform/in-project.ts';
import type { Env } from '../platform/project/paths.ts';
import { findLine } from './edit/toml-text.ts';
import { listSettingsFiles } from './layers.io.ts';
import type { Resolved, SettingOrigin } from './resolved.ts';
import { buildVariableName, SETTINGS, type SettingKey } from './settings.ts';
import { findPreset, THRESHOLD_KEYS, TIER_NAMES } from './usage-settings.ts';

export interface Effective {
  key: SettingKey;
  /** null: detected by other means. */
  value: unknown;
  origin: SettingOrigin | 'preset';
  /** A file, a variable, the name of the preset; null for a default. */
  where: string | null;
  line: number | null;
}

/** Line of a key in a text, which need not be TOML; null when it is not found. */
export function findKeyLine(text: string | null, path: readonly string[]): number | null {
  try {
    return text === null ? null : findLine(text, path);
  } catch {
    return null;
  }
}

export function findEffective(key: SettingKey, root: string | null, env: Env, resolved: Resolved): Effective {
  const origin = resolved.origins[key] ?? 'default';
  const value = resolved.settings[key];
  if (origin === 'env') return { key, value, origin, where: buildVariableName(key), line: null };
  const file = listSettingsFiles(root, env).find((each) => each.origin === origin);
  if (file !== undefined)
    return {
      key,
      value,
      origin,
      where: file.path,
      line: findKeyLine(readNamed(root, file.path), key.split('.')),
    };
  const tier = TIER_NAMES[(THRESHOLD_KEYS as SettingKey[]).indexOf(key)];
  if (value === null && tier !== undefined) {
    const preset = findPreset(resolved.settings);
    return { key, value: PRESETS[preset][tier], origin: 'preset', where: preset, line: null };
  }
  if (key === 'context_monitor.sensitivity')
    return { key, value: findPreset(resolved.settings), origin: 'default', where: null, line: null };
  return { key, value, origin: 'default', where: null, line: null };
}

/** Formats a value for people. */
export function describeValue(key: SettingKey, value: unknown): string {
  if (value === null || value === undefined) return SETTINGS[key].unset ?? 'unset';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
