// `latest.json`, which the last compaction of a track left: hashes of what it read and wrote.
import { formatCanonical, isObject, type JsonObject } from '../../text/json.ts';
import { buildNewerFile } from '../../text/plimsoll-error.ts';
import { isNewer } from '../../text/version-order.ts';
import { isTrackId } from './layout.ts';

export const LATEST_VERSION = '1.0.0';

/** A file as it was, by the SHA-256 of its bytes in hexadecimal digits. Paths go from the project's root. */
interface Hashed {
  path: string;
  sha256: string;
}

/** Made of the inputs alone: neither a clock nor a folder's name is in it. */
export interface Latest {
  schema_version: string;
  track: string;
  /** The session whose transient files belong to it; null where no session has worked on the track. */
  session: string | null;
  /** Time of the newest entry, or of the session's newest log line; null where there is neither. */
  at: string | null;
  /** The session's work log and all others that hold entries of the track, as they were. */
  inputs: (Hashed & { bytes: number })[];
  /** SPEC, PLAN, RISKS and DECISIONS as they were left, those that there are. */
  files: Hashed[];
  /** PLAN.md as it was left; null where the track has none. */
  plan: Hashed | null;
  /** Transient files of the session that there were. */
  transient: string[];
  /** How many stand in the generated blocks. */
  entries: { decisions: number; risks: number; tasks: number; invariants: number };
}

/** As it is written: canonical JSON, so that equal values are equal bytes. */
export const formatLatest = (latest: Latest): string => `${formatCanonical(latest)}\n`;

const isText = (value: unknown): value is string => typeof value === 'string';
/** Below the root, whatever stands in the file: no path of it leads elsewhere. */
const isBelow = (path: unknown): path is string =>
  isText(path) &&
  path !== '' &&
  !/^[/\\]|^[A-Za-z]:|[\u0000\\]/.test(path) &&
  !path.split('/').includes('..');
const isHashed = (value: unknown): value is Hashed & JsonObject =>
  isObject(value) && isBelow(value.path) && isText(value.sha256) && /^[0-9a-f]{64}$/.test(value.sha256);
const isListOf = <T>(value: unknown, is: (each: unknown) => each is T): value is T[] =>
  Array.isArray(value) && value.every(is);

/**
 * What a `latest.json` says; null where it is none, is damaged, or names a path outside of the project.
 *
 * @throws PlimsollError `newer-file` when a newer version wrote it
 */
export function readLatest(text: string): Latest | null {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  if (isNewer(value.schema_version, LATEST_VERSION)) throw buildNewerFile('latest.json');
  const { schema_version, track, session, at, inputs, files, plan, transient, entries } = value;
  const isInput = (each: unknown): each is Hashed & { bytes: number } =>
    isHashed(each) && typeof each.bytes === 'number';
  if (
    !isText(schema_version) ||
    !isText(track) ||
    !isTrackId(track) ||
    !(session === null || isText(session)) ||
    !(at === null || isText(at)) ||
    !isListOf(inputs, isInput) ||
    !isListOf(files, isHashed) ||
    !(plan === null || isHashed(plan)) ||
    !isListOf(transient, isBelow) ||
    !isObject(entries)
  )
    return null;
  const { decisions, risks, tasks, invariants } = entries as Record<string, unknown>;
  const counts = [decisions, risks, tasks, invariants];
  if (!counts.every((each) => typeof each === 'number')) return null;
  return value as unknown as Latest;
}
