// Updates a track's files before a compaction of the context; keeps why that failed, and what a session was told of it.

import type { ProjectPaths } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readJson, readTextOrNull, STATE_FILE } from '../../../platform/read.ts';
import { remove, replaceFile } from '../../../platform/write.ts';
import { isObject } from '../../../text/json.ts';
import { redact } from '../../../text/redact.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { compactTrack } from './compact-track.io.ts';

const reasonOf = ([first, ...more]: readonly EntryViolation[]): string | null =>
  first === undefined
    ? null
    : `${first.file}:${first.line}: found ${first.found}, expected ${first.expected}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;

/**
 * Compacts a track for a session whose context is about to be compacted.
 *
 * @throws Error with file and line when a violation prevents it, or with another failure; the alert reports it too
 */
export function compactInHook(
  paths: ProjectPaths,
  { root, session, track, coreWrites }: { root: string; session: string; track: string; coreWrites: boolean },
): void {
  try {
    const { violations } = compactTrack({ root, track, session: session, coreWrites });
    const reason = reasonOf(violations);
    if (reason !== null) throw new Error(reason);
    saveCompactionError(paths, session, null);
  } catch (error) {
    const reason = redact(error instanceof Error ? error.message : String(error));
    saveCompactionError(paths, session, { track, reason });
    throw new Error(`The track ${track} was not compacted: ${reason}`);
  }
}

interface CompactionError {
  track: string;
  /** In one sentence, with file and line if there is one. */
  reason: string;
}

/** Why the last hook before a compaction of a session could not update the track; null when it did, or had nothing to do. */
export function readCompactionError(paths: ProjectPaths, session: string): CompactionError | null {
  try {
    const value: unknown = readJson(paths.session(session).refusal, STATE_FILE);
    return isObject(value) && typeof value.track === 'string' && typeof value.reason === 'string'
      ? { track: value.track, reason: value.reason }
      : null;
  } catch {
    return null;
  }
}

/** Saves a refusal, or removes it when it is null. */
function saveCompactionError(paths: ProjectPaths, session: string, refusal: CompactionError | null): void {
  const path = paths.session(session).refusal;
  if (refusal === null) remove(path);
  else {
    ensureStateFolder(paths);
    replaceFile(path, `${JSON.stringify(refusal)}\n`);
  }
}

/** The hash of the last message that the session was given; null when there was none. */
export const readInjectedHash = (paths: ProjectPaths, session: string): string | null =>
  readTextOrNull(paths.session(session).told, STATE_FILE)?.trim() ?? null;

export function saveInjectedHash(paths: ProjectPaths, session: string, hash: string): void {
  ensureStateFolder(paths);
  replaceFile(paths.session(session).told, `${hash}\n`);
}
