// Runs `plimsoll track new`, `activate` and `close`: begins a track, makes it the active one, and closes it.

import { type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { formatUtc } from '../entries/entry.ts';
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
import { composeTrackFiles } from '../templates.ts';
import { checkTrackId, readActiveHere, requireRoot, requireTrack } from './name-track.io.ts';

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
