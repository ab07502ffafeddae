// The saved snapshot of the resolved settings, which fast hooks read instead of TOML, and the check that it is current.

import type { AssessmentSettings } from '../context/assessment.ts';
import { isUnchanged } from '../platform/look.ts';
import type { Env } from '../platform/project/paths.ts';
import { readUntrusted, STATE_FILE } from '../platform/read.ts';
import { isFlag, isNumber, isObject, isText, listOf, mapOf, mayBe, withFields } from '../text/json.ts';
import type { SettingKey, Settings } from './settings.ts';

/** Size and time of a file that the snapshot was made from; -1 when it did not exist. */
export interface Stamp {
  path: string;
  size: number;
  mtimeMs: number;
}

/** Where a value came from. */
export type SettingOrigin = 'env' | 'local' | 'project' | 'user' | 'default';

/** A value or file that was not usable; the next layer counts instead. */
export interface SettingProblem {
  origin: SettingOrigin;
  /** File and place, or the name of the variable. */
  where: string;
  /** The key it concerns, as written in the layer. */
  key?: string;
  message: string;
}

/** A value of the project's file that loosens, runs or leads outside: it counts only if the user trusts it. */
export interface Committed {
  key: SettingKey;
  /** The value in the project's file, and (`own`) the one that holds without it. */
  value: unknown;
  own: unknown;
  isTrusted: boolean;
}

export interface Resolved {
  settings: Settings;
  /** The settings by which usage is assessed, with preset and explicit thresholds put together. */
  assessment: AssessmentSettings;
  /** Where each value came from, for people; empty in a snapshot. */
  origins: Record<string, SettingOrigin>;
  problems: SettingProblem[];
  committed: Committed[];
  /** The client's own settings, merged, that decide when it compacts. */
  client: Record<string, unknown>;
  stamps: Stamp[];
  /** What add-ons say at every prompt; null for nothing. */
  promptText: string | null;
  /** The add-ons that the project uses, by their names. */
  addons: string[];
}

/** The keys whose value in the project's file does not count for lack of trust. */
export const listNotFollowed = ({ committed }: Pick<Resolved, 'committed'>): SettingKey[] =>
  committed.filter(({ isTrusted }) => !isTrusted).map(({ key }) => key);

/** Changes with every change of the settings' shape, so that an older snapshot is rebuilt. */
const SNAPSHOT_VERSION = 16;

interface Snapshot {
  snapshot_version: number;
  resolved: Resolved;
}

/** Whether the environment sets a setting (PLIMSOLL_TRACK is none): then the layers are read, and no snapshot is saved. */
export const hasOwnVariables = (env: Env): boolean =>
  Object.keys(env).some(
    (name) => name.startsWith('PLIMSOLL_') && name !== 'PLIMSOLL_TRACK' && env[name] !== '',
  );

export const formatSettingsSnapshot = (resolved: Resolved): string =>
  `${JSON.stringify({ snapshot_version: SNAPSHOT_VERSION, resolved: { ...resolved, origins: {} } } satisfies Snapshot)}\n`;

const THRESHOLDS = { low: isNumber, warning: isNumber, critical: isNumber, emergency: isNumber };

/** The fields that hooks decide by: with another type in one of them a warning would be wrong, or missing. */
const isResolved = withFields({
  settings: withFields({
    ...{ enabled: isFlag, 'context_monitor.enabled': isFlag, 'context_monitor.emit': isText },
    ...{ 'checkpoint.on_tier_rise': isFlag, 'checkpoint.summariser_hints': isFlag },
    ...{ 'guardrails.mode': isText },
  }),
  assessment: withFields({
    ...{ thresholdBase: isText, mode: isText, thresholds: withFields(THRESHOLDS) },
    ...{ windowTokens: mayBe(isNumber), autoCompactAt: mayBe(isNumber), typicalStepTokens: isNumber },
    modelWindows: mapOf(isNumber),
    ownThresholds: (value) => value === undefined || mapOf(isNumber)(value),
  }),
  ...{ problems: listOf(isObject), committed: listOf(isObject), stamps: listOf(isObject) },
  ...{ client: isObject, promptText: mayBe(isText), addons: listOf(isText) },
});

/**
 * The saved settings, if every file that they came from is unchanged; else null. Undefined means that a newer version
 * of ours wrote the snapshot, which is left alone. Never throws.
 * @param sources the files that settings come from here: a snapshot made from others, or naming none, is not used
 */
export function readSettingsSnapshot(path: string, sources: readonly string[]): Resolved | null | undefined {
  try {
    const snapshot = JSON.parse(readUntrusted(path, STATE_FILE) ?? 'null') as Snapshot;
    if (snapshot.snapshot_version > SNAPSHOT_VERSION) return undefined;
    if (snapshot.snapshot_version !== SNAPSHOT_VERSION) return null;
    const { resolved } = snapshot;
    const { stamps } = resolved;
    const isHere = sources.every((source, index) => stamps[index]?.path === source);
    return isHere && isResolved(resolved) && stamps.every(isUnchanged) ? resolved : null;
  } catch {
    return null;
  }
}
