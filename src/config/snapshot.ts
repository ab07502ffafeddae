// What do the settings come to, and is that still true? The hot hooks read this snapshot instead of TOML.
import type { AssessmentSettings } from '../model/assessment.ts';
import type { Marker } from '../model/reinforcement.ts';
import { isUnchanged } from '../platform/look.ts';
import { readUntrusted, STATE } from '../platform/read.ts';
import type { Env } from '../store/paths.ts';
import type { SettingKey, Settings } from './settings.ts';

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
  /** The key that it is about, as it stands in the layer. */
  key?: string;
  message: string;
}

/** A value of the project's file that loosens, runs or leads outside: it counts only where the user trusts it. */
export interface Committed {
  key: SettingKey;
  /** What the project's file says, and what holds without it. */
  value: unknown;
  own: unknown;
  isTrusted: boolean;
}

export interface Resolved {
  settings: Settings;
  /** The settings that judge a fill, with preset and explicit thresholds put together. */
  assessment: AssessmentSettings;
  /** Where each value came from, for people who ask; empty in a snapshot. */
  origins: Record<string, Origin>;
  problems: Problem[];
  committed: Committed[];
  /** The client's own settings, merged, as far as they decide when it compacts. */
  client: Record<string, unknown>;
  stamps: Stamp[];
  /** Rules that files ask to be said again at every prompt, by rank; empty in a snapshot, which has the words. */
  rules: Marker[];
  /** What is said of them at a prompt, where that is known; null where there are none. */
  reinforcement: string | null;
  /** Whether the project is worked on by tracks. */
  tracks: boolean;
}

/** The keys of which the project's file does not decide, though it would. */
export const notFollowed = ({ committed }: Pick<Resolved, 'committed'>): SettingKey[] =>
  committed.filter(({ isTrusted }) => !isTrusted).map(({ key }) => key);

/** Changes with every change of the settings' shape: an older snapshot is made anew. */
const SNAPSHOT_VERSION = 10;

interface Snapshot {
  snapshot_version: number;
  resolved: Resolved;
}

/** Whether the environment sets anything (which track is worked on is no setting): then the layers are read, and no snapshot is kept. */
export const hasOwnVariables = (env: Env): boolean =>
  Object.keys(env).some(
    (name) => name.startsWith('PLIMSOLL_') && name !== 'PLIMSOLL_TRACK' && env[name] !== '',
  );

export const snapshotText = (resolved: Resolved): string =>
  `${JSON.stringify({ snapshot_version: SNAPSHOT_VERSION, resolved: { ...resolved, origins: {} } } satisfies Snapshot)}\n`;

/** Whether a text of ours, of this version, is whole: what hooks read at once stands where they look for it. */
function isWhole({ settings, assessment, problems, committed, client, stamps, ...rest }: Resolved): boolean {
  return (
    typeof settings.enabled === 'boolean' &&
    typeof settings['guardrails.mode'] === 'string' &&
    typeof assessment.thresholds.emergency === 'number' &&
    typeof rest.tracks === 'boolean' &&
    typeof client === 'object' &&
    [problems, committed, stamps, rest.rules].every(Array.isArray) &&
    (rest.reinforcement === null || typeof rest.reinforcement === 'string')
  );
}

/**
 * The settings of last time, if every file that they came from is as it was; else null. Undefined: a newer version of ours
 * keeps its own there, which is left alone. Never throws.
 * @param sources the files that settings are made from here: one that was made from others, or names none, is not believed
 */
export function readSnapshot(path: string, sources: readonly string[]): Resolved | null | undefined {
  try {
    const snapshot = JSON.parse(readUntrusted(path, STATE) ?? 'null') as Snapshot;
    if (snapshot.snapshot_version > SNAPSHOT_VERSION) return undefined;
    if (snapshot.snapshot_version !== SNAPSHOT_VERSION) return null;
    const { resolved } = snapshot;
    const { stamps } = resolved;
    const isHere = sources.every((source, index) => stamps[index]?.path === source);
    return isHere && isWhole(resolved) && stamps.every(isUnchanged) ? resolved : null;
  } catch {
    return null;
  }
}
