// Makes the state folder of a project, and the note in the user's folder that holds its name.
import { exists } from '../look.ts';
import { createFile, makeFolder } from '../write.ts';
import { type Env, joinPath, listProjectPaths, type ProjectPaths } from './paths.ts';
import type { StatePlace } from './state-place.ts';

/** Notes the name of a state folder in the user's folder; false when another process has noted one before. */
const noteName = ({ entry, of, name }: StatePlace): boolean =>
  createFile(entry, `${JSON.stringify({ root: of, state: name })}\n`, { fsync: true });

/**
 * The files of a project after its state folder has got a name; of several processes that name it at once, the first
 * decides.
 * @throws what the file system throws
 */
export function readRegistered(paths: ProjectPaths, env: Env): ProjectPaths {
  if (paths.place.isRegistered) return paths;
  noteName(paths.place);
  return listProjectPaths(paths.root, env, paths.place.of);
}

/**
 * Makes a missing state folder, with a .gitignore that keeps all of it out of git.
 * @throws when another process has named the folder meanwhile; the caller then has to find the paths again
 */
export function ensureStateFolder({ place, state }: Pick<ProjectPaths, 'place' | 'state'>): void {
  const ignore = joinPath(state, '.gitignore');
  if (exists(ignore)) return;
  if (!place.isRegistered) {
    if (!noteName(place)) throw new Error(`Another process has just made the state folder of "${place.of}"`);
    place.isRegistered = true;
  }
  makeFolder(state);
  createFile(ignore, '*\n');
}
