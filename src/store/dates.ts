// Which files of ours are dated ahead of the clock, and how do they get the time of now?
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { stampOf } from '../platform/look.ts';
import { eventsFolder, type ProjectPaths } from './paths.ts';

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
};

/** Files of checkpoints, conversations, claims and events that were changed after a time (ms since the epoch). */
export const filesAhead = (paths: ProjectPaths, time: number): { path: string; at: number }[] =>
  [paths.checkpoints, paths.conversations, paths.claims, eventsFolder(paths)]
    .flatMap(filesIn)
    .map((path) => ({ path, at: stampOf(path).mtimeMs }))
    .filter(({ at }) => at > time);

/** Gives a file another time; what it holds stays. */
export const dateFile = (path: string, time: number): void => utimesSync(path, time / 1000, time / 1000);
