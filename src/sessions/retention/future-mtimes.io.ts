// Finds files of ours that are dated in the future, and gives a file another date.
import { join } from 'node:path';
import { listFiles, stampOf } from '../../platform/look.ts';
import { eventsFolder, type ProjectPaths } from '../../platform/project/paths.ts';
import { setTimes } from '../../platform/write.ts';

/** Files of checkpoints, sessions, claims and events with a modification time after a given one (ms since the epoch). */
export const filesAhead = (paths: ProjectPaths, time: number): { path: string; at: number }[] =>
  [paths.checkpoints, paths.conversations, paths.claims, eventsFolder(paths)]
    .flatMap((folder) => listFiles(folder).map((name) => join(folder, name)))
    .map((path) => ({ path, at: stampOf(path).mtimeMs }))
    .filter(({ at }) => at > time);

/** Gives a file another time; its content stays. */
export const dateFile = (path: string, time: number): void => setTimes(path, time, time);
