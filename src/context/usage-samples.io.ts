// Reads and writes the usage samples that the client itself reports, saved beside the state of a session.

import { pause } from '../platform/process.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import type { ClientUsage, SampleWriter, TranscriptState, UsageSample } from './client-usage.ts';
import { chooseSample, findClientUsage, parseUsageSample } from './client-usage.ts';

/** Reads a writer's sample; one that is being written is read again, because the client cannot replace a file atomically. */
export function readSample(
  paths: ProjectPaths,
  session: string,
  writer: SampleWriter,
  tries = 3,
): UsageSample | null {
  const text = readTextOrNull(paths.session(session).feed(writer), STATE_FILE);
  // Without a readable sample the transcript gives the same figures, a little later.
  if (text === null) return null;
  const frame = parseUsageSample(text, session);
  if (frame !== null || tries <= 1 || text.endsWith('\n')) return frame;
  pause(1);
  return readSample(paths, session, writer, tries - 1);
}

/** The most trusted sample of a session, or null. */
export const readBestSample = (paths: ProjectPaths, session: string): UsageSample | null =>
  chooseSample(readSample(paths, session, 'module'), readSample(paths, session, 'statusline'));

/** Returns a function that reads the samples of a session and compares them with its transcript. */
export const readFeed =
  (paths: ProjectPaths, session: string) =>
  (seen: TranscriptState): ClientUsage =>
    findClientUsage(readBestSample(paths, session), seen);

/**
 * Saves a sample as the newest of its writer, in one whole file that only the user may read.
 * @throws when it cannot be written
 */
export function writeSample(paths: ProjectPaths, frame: UsageSample): void {
  replaceFile(paths.session(frame.session).feed(frame.from), `${JSON.stringify(frame)}\n`);
}
