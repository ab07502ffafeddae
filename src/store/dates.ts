// Which files of ours are dated ahead of the clock, and how do they get the time of now?
import { join } from 'node:path';
import { filesIn, stampOf } from '../platform/look.ts';
import { setTimes } from '../platform/write.ts';
import { eventsFolder, type ProjectPaths } from './paths.ts';

/** Files of checkpoints, conversations, claims and events that were changed after a time (ms since the epoch). */
export const filesAhead = (paths: ProjectPaths, time: number): { path: string; at: number }[] =>
  [paths.checkpoints, paths.conversations, paths.claims, eventsFolder(paths)]
    .flatMap((folder) => filesIn(folder).map((name) => join(folder, name)))
    .map((path) => ({ path, at: stampOf(path).mtimeMs }))
    .filter(({ at }) => at > time);

/** Gives a file another time; what it holds stays. */
export const dateFile = (path: string, time: number): void => setTimes(path, time, time);
