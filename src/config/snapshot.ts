// What do the settings come to, and is that still true? The hot hooks read this snapshot instead of TOML.
import type { AssessmentSettings } from '../model/assessment.ts';
import { OPERATION_TOKENS, PRESETS } from '../model/tier.ts';
import { isUnchanged, readText } from '../store/files.ts';
import type { Env } from '../store/paths.ts';
import type { Settings } from './settings.ts';

/** Size and time of a file that the snapshot was made from; -1 where there was none. */
export interface Stamp {
  path: string;
  size: number;
  mtimeMs: number;
}

/** Where a value came from. */
export type Origin = 'env' | 'local' | 'project' | 'user' | 'default';

/** A value or file that was not usable; the next layer counts instead. */
export interface Problem {
  origin: Origin;
  /** File and place, or the name of the variable. */
  where: string;
  message: string;
}

export interface Resolved {
  settings: Settings;
  origins: Record<string, Origin>;
  problems: Problem[];
  /** The client's own settings, merged, as far as they decide when it compacts. */
  client: Record<string, unknown>;
  stamps: Stamp[];
}

/** Changes with every change of the settings' shape: an older snapshot is made anew. */
const SNAPSHOT_VERSION = 1;

interface Snapshot {
  snapshot_version: number;
  resolved: Resolved;
}

/** Whether the environment sets anything: then the layers are read, and no snapshot is kept. */
export const hasOwnVariables = (env: Env): boolean =>
  Object.keys(env).some((name) => name.startsWith('PLIMSOLL_') && env[name] !== '');

export const snapshotText = (resolved: Resolved): string =>
  `${JSON.stringify({ snapshot_version: SNAPSHOT_VERSION, resolved } satisfies Snapshot)}\n`;

/** The settings of last time, if every file that they came from is as it was; else null. Never throws. */
export function readSnapshot(path: string): Resolved | null {
  try {
    const snapshot = JSON.parse(readText(path) ?? 'null') as Snapshot | null;
    if (snapshot?.snapshot_version !== SNAPSHOT_VERSION) return null;
    return snapshot.resolved.stamps.every(isUnchanged) ? snapshot.resolved : null;
  } catch {
    return null;
  }
}

/** The settings that judge a fill, with preset and explicit thresholds put together. */
export function assessmentSettings(settings: Settings): AssessmentSettings {
  const preset = PRESETS[settings['context_monitor.criticality'] ?? 'C2'];
  return {
    basis: settings['context_monitor.basis'],
    mode: settings['context_monitor.mode'],
    thresholds: {
      low: settings['context_monitor.low_threshold'] ?? preset.low,
      warning: settings['context_monitor.warning_threshold'] ?? preset.warning,
      critical: settings['context_monitor.critical_threshold'] ?? preset.critical,
      emergency: settings['context_monitor.emergency_threshold'] ?? preset.emergency,
    },
    windowTokens: settings['context_monitor.window_tokens'],
    compactionPoint: settings['context_monitor.compaction_point'],
    operationTokens: settings['context_monitor.operation_tokens'] ?? OPERATION_TOKENS,
    modelWindows: settings['context_monitor.model_windows'],
  };
}
