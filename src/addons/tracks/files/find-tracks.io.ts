// Finds the tracks of a project and the active one: from the environment, a session's pin or the ACTIVE_TRACK pointer.
import { basename } from 'node:path';
import { mkdirInProject, readInProject, realInProject } from '../../../platform/in-project.ts';
import { entriesIn, isFolder } from '../../../platform/look.ts';
import {
  type Env,
  joinPath,
  listSessionFolders,
  type ProjectPaths,
} from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, STATE_FILE } from '../../../platform/read.ts';
import { remove, replaceFile } from '../../../platform/write.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import type { TrackPlace } from '../../addon.ts';
import { ACTIVE_TRACK, isTrackId, TRACKS_FOLDER, trackFolder } from '../layout.ts';
import { type ActiveTrack, resolveActiveTrack } from '../resolve-active.ts';

/** Folder of all tracks. */
export const tracksPath = (root: string): string => joinPath(root, TRACKS_FOLDER);

/** Whether a project uses tracks; costs one system call in a project that does not. */
export const hasTracks = (root: string): boolean => isFolder(tracksPath(root));

/** Whether a track has a folder. @throws PlimsollError `leads-out` */
export function hasFolder(root: string, track: string): boolean {
  const real = realInProject(root, trackFolder(track));
  return real !== null && isFolder(real);
}

/**
 * The active track: `PLIMSOLL_TRACK`, else the pinned one, else the one of ACTIVE_TRACK. A project without tracks is no
 * fault. Never throws.
 *
 * @param pinned see `pinnedTrack`
 */
export function activeTrack(root: string, env: Env, pinned: string | null): ActiveTrack {
  if (!hasTracks(root)) return { track: null, fault: null };
  try {
    const named = { env: env.PLIMSOLL_TRACK ?? null, pinned, pointer: readInProject(root, ACTIVE_TRACK) };
    return resolveActiveTrack(named, (track) => hasFolder(root, track));
  } catch (error) {
    const { message } = error as Error;
    return { track: null, fault: isError(error, 'leads-out') ? `${message}: ${error.hint}` : message };
  }
}

/** The text of a session's pin as written; null when nothing is pinned. Never throws. */
const pinnedTrack = (paths: ProjectPaths, conversation: string): string | null =>
  readTextOrNull(paths.session(conversation).track, STATE_FILE);

/** The active track in a session; without one no pin counts. */
export const readActiveTrack = ({ root, env, paths, conversation }: TrackPlace): ActiveTrack =>
  activeTrack(root, env, conversation === null ? null : pinnedTrack(paths, conversation));

/** Pins a track to a session, or removes the pin. */
export function pinTrack(paths: ProjectPaths, conversation: string, track: string | null): void {
  if (track === null) {
    remove(paths.session(conversation).track);
    return;
  }
  ensureStateFolder(paths);
  replaceFile(paths.session(conversation).track, `${track}\n`);
}

/** Removes the pins of all sessions that name a track, and returns their number. */
export function unpin(paths: ProjectPaths, track: string): number {
  const pinned = listSessionFolders(paths).filter(
    (session) => readTextOrNull(session.track, STATE_FILE)?.trim() === track,
  );
  for (const session of pinned) remove(session.track);
  return pinned.length;
}

/** Points ACTIVE_TRACK to a track; null empties it. @throws PlimsollError `leads-out` */
export function pointTo(root: string, track: string | null): void {
  // The folder belongs to the project, so others may read it.
  const folder = mkdirInProject(root, TRACKS_FOLDER);
  replaceFile(joinPath(folder, basename(ACTIVE_TRACK)), track === null ? '' : `${track}\n`, { mode: 0o644 });
}

/** Ids of all tracks with a folder, by name, even if that is a link to elsewhere. @throws PlimsollError `leads-out` for the common folder */
export function listTracks(root: string): string[] {
  const folder = realInProject(root, TRACKS_FOLDER);
  if (folder === null) return [];
  return entriesIn(folder)
    .filter((entry) => !entry.isFile && isTrackId(entry.name))
    .map((entry) => entry.name)
    .filter((name) => isFolder(joinPath(root, trackFolder(name))))
    .sort();
}
