// Updates a track's files before a compaction of the context, or saves the reason why that failed.

import type { ProjectPaths } from '../../../platform/project/paths.ts';
import { redact } from '../../../text/redact.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { compactTrack } from './compact-track.io.ts';
import { saveCompactionError } from './compaction-error.io.ts';

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
