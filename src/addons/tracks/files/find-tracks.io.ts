// Finds the tracks of a project and the active one (environment, session's pin, ACTIVE_TRACK), and reads and makes their files.
import { basename, dirname, join } from 'node:path';
import {
  checkInProject,
  mkdirInProject,
  readInProject,
  resolveInProject,
} from '../../../platform/in-project.ts';
import { isFolder, listEntries } from '../../../platform/look.ts';
import type { Env, ProjectPaths } from '../../../platform/project/paths.ts';
import { joinPath, listSessionFolders } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, STATE_FILE } from '../../../platform/read.ts';
import { createFile, remove, replaceFile } from '../../../platform/write.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import type { TrackPlace } from '../../addon.ts';
import type { TaskName } from '../layout.ts';
import {
  ACTIVE_TRACK,
  isTrackId,
  latestFile,
  TASK_NAMES,
  TRACKS_FOLDER,
  taskFile,
  trackFolder,
} from '../layout.ts';

/** Folder of all tracks. */
export const joinTracksPath = (root: string): string => joinPath(root, TRACKS_FOLDER);

/** Whether a project uses tracks; costs one system call in a project that does not. */
export const hasTracks = (root: string): boolean => isFolder(joinTracksPath(root));

/** Whether a track has a folder. @throws PlimsollError `leads-out` */
export function hasFolder(root: string, track: string): boolean {
  const real = resolveInProject(root, trackFolder(track));
  return real !== null && isFolder(real);
}

/**
 * The active track: `PLIMSOLL_TRACK`, else the pinned one, else the one of ACTIVE_TRACK. A project without tracks is no
 * fault. Never throws.
 *
 * @param pinned see `pinnedTrack`
 */
export function findActiveTrack(root: string, env: Env, pinned: string | null): ActiveTrack {
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
const pinnedTrack = (paths: ProjectPaths, session: string): string | null =>
  readTextOrNull(paths.session(session).track, STATE_FILE);

/** The active track in a session; without one no pin counts. */
export const readActiveTrack = ({ root, env, paths, session }: TrackPlace): ActiveTrack =>
  findActiveTrack(root, env, session === null ? null : pinnedTrack(paths, session));

/** Pins a track to a session, or removes the pin. */
export function pinTrack(paths: ProjectPaths, session: string, track: string | null): void {
  if (track === null) {
    remove(paths.session(session).track);
    return;
  }
  ensureStateFolder(paths);
  replaceFile(paths.session(session).track, `${track}\n`);
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
  const folder = resolveInProject(root, TRACKS_FOLDER);
  if (folder === null) return [];
  return listEntries(folder)
    .filter((entry) => !entry.isFile && isTrackId(entry.name))
    .map((entry) => entry.name)
    .filter((name) => isFolder(joinPath(root, trackFolder(name))))
    .sort();
}

export type ActiveTrack =
  | { track: string; from: 'env' | 'session' | 'pointer' }
  /** `fault`: what is named and cannot be taken, with the next step; null where nothing is named. */
  | { track: null; fault: string | null };

/** Texts that may name a track, as they were found; null or empty where there is none. */
export interface Named {
  /** `PLIMSOLL_TRACK`. */
  env: string | null;
  /** What is pinned to the session. */
  pinned: string | null;
  /** Text of ACTIVE_TRACK. */
  pointer: string | null;
}

const WORDS = {
  env: 'PLIMSOLL_TRACK',
  session: 'The track that is pinned to this session',
  pointer: ACTIVE_TRACK,
} as const;

/** A text from outside, short enough for a sentence and without what could end its line. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(/[<>]/g, '?');

/** The first line, without the blanks around it; a file may begin with a byte order mark. */
const firstLine = (text: string): string => (text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '').trim();

/**
 * The one that is named first counts, also where it is of no use: another track than the one that is meant is never taken.
 *
 * @param hasFolder whether a track of that id has a folder
 */
export function resolveActiveTrack(named: Named, hasFolder: (track: string) => boolean): ActiveTrack {
  const given = [
    ['env', named.env],
    ['session', named.pinned],
    ['pointer', named.pointer],
  ] as const;
  for (const [from, text] of given) {
    const track = firstLine(text ?? '');
    if (track === '') continue;
    if (!isTrackId(track))
      return {
        track: null,
        fault: `${WORDS[from]} holds ${quoted(track)}, which is no id of a track: run plimsoll track activate ID`,
      };
    if (!hasFolder(track))
      return {
        track: null,
        fault: `${WORDS[from]} names the track ${track}, but there is no folder ${trackFolder(track)}: run plimsoll track new ${track}, or plimsoll track activate ID`,
      };
    return { track, from };
  }
  return { track: null, fault: null };
}

/** Texts of a track's four files, null for a missing one. @throws PlimsollError `leads-out` */
export const readTrack = (root: string, track: string): Record<TaskName, string | null> =>
  Object.fromEntries(TASK_NAMES.map((name) => [name, readInProject(root, taskFile(track, name))])) as Record<
    TaskName,
    string | null
  >;

/** Makes sure that the files that recovery reads lie in the project. @throws PlimsollError `leads-out` */
export function checkTrack(root: string, track: string): void {
  for (const path of [...TASK_NAMES.map((name) => taskFile(track, name)), latestFile(track)])
    resolveInProject(root, path);
}

/** The path of the file that marks a track as closed, whether it exists or not. @throws PlimsollError `leads-out` */
function closedPath(root: string, track: string): string {
  const path = `${trackFolder(track)}/CLOSED`;
  return resolveInProject(root, path) ?? join(mkdirInProject(root, dirname(path)), basename(path));
}

/** Whether a track is closed: a committed file in its folder says so, for fresh clones too. @throws PlimsollError `leads-out` */
export const isClosed = (root: string, track: string): boolean =>
  resolveInProject(root, `${trackFolder(track)}/CLOSED`) !== null;

/** Marks a track as closed; false when it was closed already. @throws PlimsollError `leads-out` */
export const markClosed = (root: string, track: string, text: string): boolean =>
  createFile(closedPath(root, track), text, { mode: 0o644 });
export const markOpen = (root: string, track: string): void => remove(closedPath(root, track));

/** Creates the missing files and returns their paths from the root. @throws PlimsollError `leads-out`, and makes nothing then */
export function createFiles(
  root: string,
  files: readonly (readonly [path: string, text: string, mode?: number])[],
): string[] {
  for (const [path] of files) checkInProject(root, path);
  return files.flatMap(([path, text, mode = 0o644]) => {
    // The folders belong to the project, so others may read them.
    const folder = mkdirInProject(root, dirname(path));
    return createFile(join(folder, basename(path)), text, { mode }) ? [path] : [];
  });
}
