// Reads and writes the files of tracks.
import { basename, dirname, join } from 'node:path';
import {
  checkInProject,
  mkdirInProject,
  readInProject,
  realInProject,
} from '../../../platform/in-project.ts';
import { createFile, remove } from '../../../platform/write.ts';
import { latestFile, TASK_NAMES, type TaskName, taskFile, trackFolder } from '../layout.ts';

/** Texts of a track's four files, null for a missing one. @throws PlimsollError `leads-out` */
export const readTrack = (root: string, track: string): Record<TaskName, string | null> =>
  Object.fromEntries(TASK_NAMES.map((name) => [name, readInProject(root, taskFile(track, name))])) as Record<
    TaskName,
    string | null
  >;

/** Makes sure that the files that recovery reads lie in the project. @throws PlimsollError `leads-out` */
export function checkTrack(root: string, track: string): void {
  for (const path of [...TASK_NAMES.map((name) => taskFile(track, name)), latestFile(track)])
    realInProject(root, path);
}

/** The path of the file that marks a track as closed, whether it exists or not. @throws PlimsollError `leads-out` */
function closedPath(root: string, track: string): string {
  const path = `${trackFolder(track)}/CLOSED`;
  return realInProject(root, path) ?? join(mkdirInProject(root, dirname(path)), basename(path));
}

/** Whether a track is closed: a committed file in its folder says so, for fresh clones too. @throws PlimsollError `leads-out` */
export const isClosed = (root: string, track: string): boolean =>
  realInProject(root, `${trackFolder(track)}/CLOSED`) !== null;

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
