// The resolved settings as a value, and as the text of the snapshot that fast hooks read instead of TOML.

import type { AssessmentSettings } from '../context/assessment.ts';
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
export const hasOwnVariables = (env: Record<string, string | undefined>): boolean =>
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

/** The settings of a snapshot's text; null for none of this version, undefined where a newer version of ours wrote it. Never throws. */
export function parseSettingsSnapshot(text: string | null): Resolved | null | undefined {
  try {
    const snapshot = JSON.parse(text ?? 'null') as Snapshot;
    if (snapshot.snapshot_version > SNAPSHOT_VERSION) return undefined;
    return snapshot.snapshot_version === SNAPSHOT_VERSION && isResolved(snapshot.resolved)
      ? snapshot.resolved
      : null;
  } catch {
    return null;
  }
}

/** Whether settings came from these files, in this order, and maybe from others besides. */
export const isMadeFrom = ({ stamps }: Pick<Resolved, 'stamps'>, sources: readonly string[]): boolean =>
  sources.every((source, index) => stamps[index]?.path === source);
