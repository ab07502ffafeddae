// Runs `plimsoll track sync`: brings the files of a track up to date with what was noted, or reports why it cannot.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import { findNearEntries } from '../entries/collect.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { entriesFolder } from '../entries/entry-file.ts';
import { parseEntryPath } from '../entries/stored-entries.ts';
import { compactTrack, type CompactOptions as Given, previewCompaction } from '../files/compact-track.io.ts';
import { readCompactionFiles } from '../files/compaction-inputs.io.ts';
import type { TrackCompaction, TrackFileChange } from '../plan-compaction.ts';
import { buildCompactOptions } from './name-track.io.ts';

export interface SyncOptions {
  session?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** Turns what the store could not do into an error for people; returns any other error unchanged. */
function explainError(error: unknown, track: string): unknown {
  if (!isError(error)) return error;
  const { code, message, hint } = error;
  const isLocked: boolean = isError(error, 'locked', 'lost-lock');
  return isLocked
    ? new PlimsollError(code, `Track ${track} was not compacted: ${message}. Nothing was changed`, {
        hint: 'try again; remove "artifacts/checkpoints/compaction.lock" when no plimsoll runs',
      })
    : new PlimsollError(code, `Track ${track} was not compacted: ${message}`, { hint });
}

/** Formats a violation: where it is, what was found, what is expected. */
const violationLine = ({ file, line, found, expected }: EntryViolation): string =>
  stripControls(`${file}:${line}: found ${found}\n  expected: ${expected}`);

/** Prints all violations, and returns the error of the command. */
function violationsError(
  track: string,
  violations: readonly EntryViolation[],
  output: Output | null,
): PlimsollError {
  for (const each of output === null ? [] : violations) output?.print(violationLine(each));
  const [first] = violations;
  return new PlimsollError(
    'invalid',
    `Track ${track} was not compacted: ${formatCount(violations.length, 'violation')}. Nothing was changed`,
    {
      hint: `put ${stripControls(first?.file ?? 'the file')} right at line ${first?.line ?? 1}, and run it again`,
      found: { track, compacted: false, violations },
    },
  );
}

/** A change as a unified diff. */
async function diffOf({ path, before, after }: TrackFileChange): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const from = before === null ? '/dev/null' : `a/${path}`;
  return createTwoFilesPatch(from, `b/${path}`, before ?? '', after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}

const isDocument = ({ path }: TrackFileChange): boolean => path.startsWith('docs/');

/** What changes, in a few words: entries by their number. */
function namesOf(track: string, documents: readonly TrackFileChange[]): string {
  const entries = documents.filter(({ path }) => parseEntryPath(path) !== null).length;
  const others = documents.filter(({ path }) => parseEntryPath(path) === null).map(({ path }) => path);
  const counted = entries === 0 ? [] : [`${formatCount(entries, 'file')} in ${entriesFolder(track)}`];
  return [...others, ...counted].join(', ') || 'no document';
}

async function report(
  { track }: Given,
  { changes, latest, notes }: TrackCompaction,
  options: SyncOptions,
  output: Output,
): Promise<void> {
  const isDry = options.dryRun === true;
  if (options.json) {
    const files = changes.map(({ path, before }) => ({ path, change: before === null ? 'new' : 'changed' }));
    output.print(toJson({ track, dry_run: isDry, compacted: !isDry, files, latest, notes }));
    return;
  }
  for (const note of notes) output.warn(stripControls(note));
  const documents = changes.filter(isDocument);
  if (isDry) for (const each of documents) output.print(stripControls(await diffOf(each)));
  if (changes.length === 0) {
    output.print(`Track ${track} is up to date: nothing was said since its last compaction.`);
    return;
  }
  const { decisions = 0, tasks = 0, risks = 0, invariants = 0 } = latest?.entries ?? {};
  const held = [
    formatCount(tasks, 'task'),
    formatCount(risks, 'risk'),
    formatCount(decisions, 'decision'),
    formatCount(invariants, 'invariant'),
  ].join(', ');
  const names = namesOf(track, documents);
  output.print(
    isDry
      ? `To be changed: ${names}. Nothing was changed.`
      : `Track ${track} compacted: ${held}.\nChanged: ${names}; artifacts/checkpoints/${track}/latest.json says what it was made of.`,
  );
}

/**
 * Compacts a track, or shows what that would change.
 * @throws PlimsollError on violations, each with file and line, where nothing is changed, or when a file was changed meanwhile
 */
export async function syncTrack(
  place: ProjectContext,
  id: string | undefined,
  options: SyncOptions,
  output: Output,
): Promise<void> {
  const given = buildCompactOptions(place, id, options);
  let done: TrackCompaction;
  try {
    done = options.dryRun ? previewCompaction(given) : compactTrack(given);
  } catch (error) {
    throw explainError(error, given.track);
  }
  if (done.violations.length > 0)
    throw violationsError(given.track, done.violations, options.json ? null : output);
  // What is nearly an entry is told too: "nothing was said" alone would hide them.
  const near = findNearEntries(given.track, readCompactionFiles(given.root, given.track, null).files);
  await report(given, { ...done, notes: [...done.notes, ...near] }, options, output);
}
