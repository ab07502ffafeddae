// Saves why a track's files could not be updated before a compaction, until the alert reports it or an update succeeds.

import type { ProjectPaths } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readJson, STATE_FILE } from '../../../platform/read.ts';
import { remove, replaceFile } from '../../../platform/write.ts';
import { isObject } from '../../../text/json.ts';

export interface CompactionError {
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
export function saveCompactionError(
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
