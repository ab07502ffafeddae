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
  {
    root,
    conversation,
    track,
    coreWrites,
  }: { root: string; conversation: string; track: string; coreWrites: boolean },
): void {
  try {
    const { violations } = compactTrack({ root, track, session: conversation, coreWrites });
    const reason = reasonOf(violations);
    if (reason !== null) throw new Error(reason);
    saveCompactionError(paths, conversation, null);
  } catch (error) {
    const reason = redact(error instanceof Error ? error.message : String(error));
    saveCompactionError(paths, conversation, { track, reason });
    throw new Error(`The track ${track} was not compacted: ${reason}`);
  }
}

interface CompactionError {
  track: string;
  /** In one sentence, with file and line if there is one. */
  reason: string;
}

/** Why the last hook before a compaction of a session could not update the track; null when it did, or had nothing to do. */
export function readCompactionError(paths: ProjectPaths, conversation: string): CompactionError | null {
  try {
    const value: unknown = readJson(paths.session(conversation).refusal, STATE_FILE);
    return isObject(value) && typeof value.track === 'string' && typeof value.reason === 'string'
      ? { track: value.track, reason: value.reason }
      : null;
  } catch {
    return null;
  }
}

/** Saves a refusal, or removes it when it is null. */
function saveCompactionError(
  paths: ProjectPaths,
  conversation: string,
  refusal: CompactionError | null,
): void {
  const path = paths.session(conversation).refusal;
  if (refusal === null) remove(path);
  else {
    ensureStateFolder(paths);
    replaceFile(path, `${JSON.stringify(refusal)}\n`);
  }
}

/** The hash of the last message that the session was given; null when there was none. */
export const readInjectedHash = (paths: ProjectPaths, conversation: string): string | null =>
  readTextOrNull(paths.session(conversation).told, STATE_FILE)?.trim() ?? null;

export function saveInjectedHash(paths: ProjectPaths, conversation: string, hash: string): void {
  ensureStateFolder(paths);
  replaceFile(paths.session(conversation).told, `${hash}\n`);
}
