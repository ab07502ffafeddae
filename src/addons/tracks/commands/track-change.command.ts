// Runs `plimsoll track new`, `activate`, `close` and `sync`: begins a track, makes it the active one, closes it, updates its files.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import { findNearEntries } from '../entries/collect.ts';
import { type EntryViolation, formatUtc } from '../entries/entry.ts';
import { joinEntriesFolder } from '../entries/entry-file.ts';
import { parseEntryPath } from '../entries/stored-entries.ts';
import { compactTrack, type CompactOptions as Given, previewCompaction } from '../files/compact-track.io.ts';
import { readCompactionFiles } from '../files/compaction-inputs.io.ts';
import {
  createFiles,
  findActiveTrack,
  isClosed,
  markClosed,
  markOpen,
  pinTrack,
  pointTo,
  unpin,
} from '../files/find-tracks.io.ts';
import { TASK_NAMES, taskFile, trackFolder } from '../layout.ts';
import type { TrackCompaction, TrackFileChange } from '../plan-compaction.ts';
import { composeTrackFiles } from '../templates.ts';
import {
  buildCompactOptions,
  checkTrackId,
  readActiveHere,
  requireRoot,
  requireTrack,
} from './name-track.io.ts';

// Runs `plimsoll track sync`: brings the files of a track up to date with what was noted, or reports why it cannot.
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
  const counted = entries === 0 ? [] : [`${formatCount(entries, 'file')} in ${joinEntriesFolder(track)}`];
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

export interface NewOptions {
  title?: string;
  json?: boolean;
}

/** Creates the missing files of a track; the first track of a project becomes active at once. */
export function createTrack(place: ProjectContext, given: string, options: NewOptions, output: Output): void {
  const root = requireRoot(place);
  const track = checkTrackId(given);
  const title =
    stripControls(options.title ?? track)
      .replace(/\s+/g, ' ')
      .trim() || track;
  const before = readActiveHere(place);
  const texts = composeTrackFiles(title);
  const created = createFiles(
    root,
    TASK_NAMES.map((name) => [taskFile(track, name), texts[name]] as const),
  );
  if (created.length === 0)
    throw new PlimsollError(
      'already-exists',
      `The track "${track}" is there already, in ${trackFolder(track)}`,
      {
        hint: `plimsoll track activate ${track}, or take another id`,
      },
    );
  const kept = TASK_NAMES.map((name) => taskFile(track, name)).filter((path) => !created.includes(path));
  const isActivated = before.track === null && before.fault === null;
  if (isActivated) pointTo(root, track);
  if (options.json) {
    output.print(toJson({ track, created, kept, activated: isActivated }));
    return;
  }
  output.print(
    [
      `Track ${track} begins in ${trackFolder(track)}.`,
      ...created.map((path) => `  ${path}`),
      ...kept.map((path) => `  ${path} was there, and stays`),
      isActivated
        ? 'It is the active track now.'
        : `The active track stays ${before.track ?? 'what it was'}: plimsoll track activate ${track} changes that.`,
      `Next: fill in SPEC.md and PLAN.md; "plimsoll track lint ${track}" says what is missing.`,
    ].join('\n'),
  );
}

export interface ActivateOptions {
  session?: string;
  reopen?: boolean;
  json?: boolean;
}

/** Makes a track the project's active one, or pins it to one session. */
export function activateTrack(
  place: ProjectContext,
  given: string,
  options: ActivateOptions,
  output: Output,
): void {
  const root = requireRoot(place);
  const track = requireTrack(place, given);
  const wasClosed = isClosed(root, track);
  if (wasClosed && !options.reopen)
    throw new PlimsollError('conflict', `The track "${track}" is closed`, {
      hint: `plimsoll track activate ${track} --reopen opens it again`,
    });
  const { session } = options;
  if (session?.trim() === '')
    throw new PlimsollError('usage', 'The session has no id', { hint: 'give it as --session ID' });
  if (wasClosed) markOpen(root, track);
  if (session === undefined) pointTo(root, track);
  else pinTrack(place.paths, session, track);
  const now = readActiveHere(place);
  if (options.json) {
    output.print(toJson({ track, session: session ?? null, reopened: wasClosed, active: now }));
    return;
  }
  const isOther = session === undefined && now.track !== track;
  output.print(
    [
      session === undefined
        ? `The active track is ${track}.`
        : `Session ${stripControls(session)} works on ${track}, whatever the active track is.`,
      ...(wasClosed ? ['It was closed, and is open again.'] : []),
      ...(isOther
        ? [
            `Here it is not used: ${now.track === null ? now.fault : `${now.track} counts, by ${now.from === 'env' ? 'PLIMSOLL_TRACK' : 'what is pinned to this session'}`}.`,
          ]
        : []),
    ].join('\n'),
  );
}

export interface CloseOptions {
  reason?: string;
  json?: boolean;
}

/** Closes a track by a file in its folder, and removes the pointer and pins to it. */
export function closeTrack(
  place: ProjectContext,
  given: string,
  options: CloseOptions,
  output: Output,
): void {
  const root = requireRoot(place);
  const track = requireTrack(place, given);
  const at = formatUtc(place.now);
  const reason = stripControls(options.reason ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const isNew = markClosed(root, track, `${at}${reason === '' ? '' : ` ${reason}`}\n`);
  const wasActive = pointsTo(place, track);
  if (wasActive) pointTo(root, null);
  const unpinned = unpin(place.paths, track);
  const isByVariable = place.env.PLIMSOLL_TRACK === track;
  if (options.json) {
    output.print(
      toJson({
        track,
        closed: true,
        changed: isNew,
        was_active: wasActive,
        unpinned,
        named_by_variable: isByVariable,
      }),
    );
    return;
  }
  output.print(
    [
      isNew ? `Track ${track} is closed; its files stay.` : `Track ${track} was closed already.`,
      ...(wasActive ? ['It was the active track: docs/tracks/ACTIVE_TRACK is empty now.'] : []),
      ...(unpinned > 0
        ? [
            `${unpinned === 1 ? 'One session was' : `${unpinned} sessions were`} pinned to it, and no longer ${unpinned === 1 ? 'is' : 'are'}.`,
          ]
        : []),
      ...(isByVariable ? ['PLIMSOLL_TRACK still names it here: unset it.'] : []),
      `Next: plimsoll track activate ID takes up another one${isNew ? `; plimsoll track activate ${track} --reopen opens this one again` : ''}.`,
    ].join('\n'),
  );
}

/** Whether ACTIVE_TRACK itself names a track, regardless of the variable and pins that override it. */
const pointsTo = (place: ProjectContext, track: string): boolean =>
  findActiveTrack(requireRoot(place), {}, null).track === track;
