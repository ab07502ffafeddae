// Runs `plimsoll track sync`: merges what was noted into the files of a track, or reports why it cannot.
import type { Change, Compaction } from '../model/tracks/compact.ts';
import type { Violation } from '../model/tracks/entry.ts';
import { nearNotes } from '../model/tracks/near-entries.ts';
import { Locked } from '../platform/lock.ts';
import { compactTrack, type CompactOptions as Given, previewCompaction } from '../store/compact-track.ts';
import { readCompactionFiles } from '../store/compaction-inputs.ts';
import { CompactionRefused } from '../store/tracks-journal.ts';
import { count, type Output, printable, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';
import { trackOrActive, trackRoot } from './track.ts';

export interface SyncOptions {
  session?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** How long a command waits for another one's lock. */
const WAIT_MS = 20_000;

/** The options of a compaction for the store, from those of the command. */
export const compactionOf = (place: Place, given: string | undefined, options: SyncOptions): Given => ({
  root: trackRoot(place),
  track: trackOrActive(place, given),
  session: options.session ?? place.env.HOST_SESSION ?? null,
  coreWrites: place.resolved.settings['tracks.core_writes'] === 'apply',
  wait: WAIT_MS,
});

/** Turns what the store could not do into an error for people; returns any other error unchanged. */
function syncError(error: unknown, track: string): unknown {
  if (error instanceof CompactionRefused)
    return new UserError(`Track ${track} was not compacted: ${error.message}`, { hint: error.next });
  if (error instanceof Locked)
    return new UserError(`Track ${track} was not compacted: ${error.message}. Nothing was changed`, {
      hint: 'try again; remove "artifacts/checkpoints/compaction.lock" when no plimsoll runs',
    });
  return error;
}

/** Formats a violation: where it is, what was found, what is expected. */
const violationLine = ({ file, line, found, expected }: Violation): string =>
  printable(`${file}:${line}: found ${found}\n  expected: ${expected}`);

/** Prints all violations, and returns the error of the command. */
function violationsError(track: string, violations: readonly Violation[], output: Output | null): UserError {
  for (const each of output === null ? [] : violations) output?.print(violationLine(each));
  const [first] = violations;
  return new UserError(
    `Track ${track} was not compacted: ${count(violations.length, 'violation')}. Nothing was changed`,
    {
      hint: `put ${printable(first?.file ?? 'the file')} right at line ${first?.line ?? 1}, and run it again`,
      found: { track, compacted: false, violations },
    },
  );
}

/** A change as a unified diff. */
async function diffOf({ path, before, after }: Change): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const from = before === null ? '/dev/null' : `a/${path}`;
  return createTwoFilesPatch(from, `b/${path}`, before ?? '', after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}

const isDocument = ({ path }: Change): boolean => path.startsWith('docs/');

async function report(
  { track }: Given,
  { changes, latest, notes }: Compaction,
  options: SyncOptions,
  output: Output,
): Promise<void> {
  const isDry = options.dryRun === true;
  if (options.json) {
    const files = changes.map(({ path, before }) => ({ path, change: before === null ? 'new' : 'changed' }));
    output.print(toJson({ track, dry_run: isDry, compacted: !isDry, files, latest, notes }));
    return;
  }
  for (const note of notes) output.warn(printable(note));
  const documents = changes.filter(isDocument);
  if (isDry) for (const each of documents) output.print(printable(await diffOf(each)));
  if (changes.length === 0) {
    output.print(`Track ${track} is up to date: nothing was said since its last compaction.`);
    return;
  }
  const { decisions = 0, tasks = 0, risks = 0, invariants = 0 } = latest?.entries ?? {};
  const held = [
    count(tasks, 'task'),
    count(risks, 'risk'),
    count(decisions, 'decision'),
    count(invariants, 'invariant'),
  ].join(', ');
  const names = documents.map(({ path }) => path).join(', ') || 'no document';
  output.print(
    isDry
      ? `To be changed: ${names}. Nothing was changed.`
      : `Track ${track} compacted: ${held}.\nChanged: ${names}; artifacts/checkpoints/${track}/latest.json says what it was made of.`,
  );
}

/**
 * Compacts a track, or shows what that would change.
 * @throws UserError on violations, each with file and line, or when a file was changed meanwhile; nothing is changed then
 */
export async function syncTrack(
  place: Place,
  id: string | undefined,
  options: SyncOptions,
  output: Output,
): Promise<void> {
  const given = compactionOf(place, id, options);
  let done: Compaction;
  try {
    done = options.dryRun ? previewCompaction(given) : compactTrack(given);
  } catch (error) {
    throw syncError(error, given.track);
  }
  if (done.violations.length > 0)
    throw violationsError(given.track, done.violations, options.json ? null : output);
  // Malformed entries are told too: "nothing was said" alone would hide them.
  const near = nearNotes(given.track, readCompactionFiles(given.root, given.track, null).files);
  await report(given, { ...done, notes: [...done.notes, ...near] }, options, output);
}
