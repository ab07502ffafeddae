// Finds the track that a command means, and the root that it is in.

import { stripControls } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import type { CompactOptions } from '../files/compact-track.io.ts';
import { type ActiveTrack, hasFolder, readActiveTrack } from '../files/find-tracks.io.ts';
import { isTrackId } from '../layout.ts';

/** The project's root. @throws PlimsollError in the home folder and in "/" */
export function requireRoot(place: ProjectContext): string {
  if (place.root !== null) return place.root;
  throw new PlimsollError('no-project', 'The home folder and "/" are no projects', {
    hint: 'go to a project and run the command there',
  });
}

/** The active track here; in a session's shell, its pinned track counts. */
export function readActiveHere(place: ProjectContext): ActiveTrack {
  const { env, paths } = place;
  return readActiveTrack({ root: requireRoot(place), env, paths, session: env.HOST_SESSION || null });
}

/** Checks the id of a track. @throws PlimsollError when a text is no such id */
export function checkTrackId(text: string): string {
  if (isTrackId(text)) return text;
  throw new PlimsollError('usage', `"${stripControls(text)}" is no id of a track`, {
    hint: 'letters, digits, ".", "_" and "-", at most 64, a letter or a digit first: plimsoll track new cache-layer',
  });
}

/** Checks that a track of ours exists. @throws PlimsollError when there is none, `leads-out` */
export function requireTrack(place: ProjectContext, text: string): string {
  const track = checkTrackId(text);
  if (hasFolder(requireRoot(place), track)) return track;
  throw new PlimsollError('not-found', `There is no track "${track}"`, {
    hint: `plimsoll track new ${track} begins it, plimsoll track list names those that there are`,
  });
}

/** The named track, else the active one. @throws PlimsollError when there is none */
export function resolveTrack(place: ProjectContext, given: string | undefined): string {
  if (given !== undefined) return requireTrack(place, given);
  const active = readActiveHere(place);
  if (active.track !== null) return active.track;
  throw new PlimsollError('not-found', active.fault ?? 'No track is active here', {
    hint: 'name one, or run plimsoll track activate ID; plimsoll track list names those that there are',
  });
}

/** How long a command waits for another one's lock. */
const WAIT_MS = 20_000;

/** The options of a compaction for the store, from those of the command. */
export const buildCompactOptions = (
  place: ProjectContext,
  given: string | undefined,
  options: { session?: string },
): CompactOptions => ({
  root: requireRoot(place),
  track: resolveTrack(place, given),
  session: options.session ?? place.env.HOST_SESSION ?? null,
  coreWrites: place.resolved.settings['tracks.core_writes'] === 'apply',
  wait: WAIT_MS,
});
