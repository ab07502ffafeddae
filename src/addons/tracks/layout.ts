// The paths of the three context tiers of a track, from the project's root, `/` between parts.
import { makeSafeName } from '../../text/path-text.ts';

/** Always loaded, in this order. */
export const CORE_FILES = [
  'CLAUDE.md',
  'docs/context/CONTEXT_CORE.md',
  'docs/context/ROLES.md',
  'docs/context/GUARDRAILS.md',
  'docs/context/INVARIANTS.md',
] as const;

export const CORE_FILE = CORE_FILES[1];
export const INVARIANTS_FILE = CORE_FILES[4];

/** Holds the id of the track that is worked on. */
export const ACTIVE_TRACK = 'docs/tracks/ACTIVE_TRACK';
export const TRACKS_FOLDER = 'docs/tracks';

/** Files of a track, in the order in which they are loaded. */
export const TASK_NAMES = ['SPEC.md', 'PLAN.md', 'RISKS.md', 'DECISIONS.md'] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** What a session leaves behind while it works. */
export const TRANSIENT_NAMES = ['recent_diff.txt', 'test_output.txt', 'work_log.md'] as const;
export type TransientName = (typeof TRANSIENT_NAMES)[number];

/**
 * Whether a text may name a track: letters, digits, `.`, `_` and `-`, at most 64, none of them first but a letter or a
 * digit, so that an id is always one folder's name and never leads elsewhere. Names that Windows keeps are not taken.
 */
export const isTrackId = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) &&
  !text.endsWith('.') &&
  !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(text);

export const trackFolder = (track: string): string => `${TRACKS_FOLDER}/${track}`;
export const taskFile = (track: string, name: TaskName): string => `${trackFolder(track)}/${name}`;

/** The id of a session comes from outside: in a path it is made safe. */
export const sessionFolder = (session: string): string => `artifacts/sessions/${makeSafeName(session)}`;
export const transientFile = (session: string, name: TransientName): string =>
  `${sessionFolder(session)}/${name}`;

/** What the last compaction of a track left: see `addons/tracks/last-compaction.ts` for its shape. */
export const trackCheckpoints = (track: string): string => `artifacts/checkpoints/${track}`;
export const latestFile = (track: string): string => `${trackCheckpoints(track)}/latest.json`;
