// What do the files of tracks say, ours and those of another layout?
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONDUCTOR_FOLDER, CONDUCTOR_INDEX } from '../model/tracks/conductor.ts';
import { TASK_NAMES, type TaskName, taskFile, trackFolder } from '../model/tracks/layout.ts';
import { createFile, remove } from './atomic.ts';
import { exists, isFolder } from './files.ts';
import { looseText } from './loose-text.ts';

/** Texts of a track's four files, null for one that is not there. */
export const readTrack = (root: string, track: string): Record<TaskName, string | null> =>
  Object.fromEntries(
    TASK_NAMES.map((name) => [name, looseText(join(root, taskFile(track, name)))]),
  ) as Record<TaskName, string | null>;

const closedPath = (root: string, track: string): string => join(root, trackFolder(track), 'CLOSED');

/** A track is closed by a file of this name in its folder, so that a fresh clone knows it too. */
export const isClosed = (root: string, track: string): boolean => exists(closedPath(root, track));

/** Marks a track as closed; false when it was. */
export const markClosed = (root: string, track: string, text: string): boolean =>
  createFile(closedPath(root, track), text, { mode: 0o644 });
export const markOpen = (root: string, track: string): void => remove(closedPath(root, track));

/** Creates those files that are not there yet; gives their paths from the root. */
export function createFiles(
  root: string,
  files: readonly (readonly [path: string, text: string, mode?: number])[],
): string[] {
  return files.flatMap(([path, text, mode = 0o644]) => {
    // Folders of the project, not of ours: others may read them.
    mkdirSync(join(root, path, '..'), { recursive: true });
    return createFile(join(root, path), text, { mode }) ? [path] : [];
  });
}

/** Names of the tracks of a conductor-style layout, as their folders are called; none where there is no such layout. */
export function conductorTracks(root: string): string[] {
  try {
    return readdirSync(join(root, CONDUCTOR_FOLDER))
      .filter((name) => isFolder(join(root, CONDUCTOR_FOLDER, name)))
      .sort();
  } catch {
    return [];
  }
}

/** A file of such a track, null where it is missing or cannot be read. */
export const conductorText = (
  root: string,
  track: string,
  name: 'plan.md' | 'spec.md' | 'metadata.json',
): string | null => looseText(join(root, CONDUCTOR_FOLDER, track, name));

/** Text of the index of that layout; null where there is none. */
export const conductorIndex = (root: string): string | null => looseText(join(root, CONDUCTOR_INDEX));
