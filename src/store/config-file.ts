// How is a settings file changed, or made where there is none?
import { realNamed } from '../platform/in-project.ts';
import { ownStatsOf, statsOf } from '../platform/look.ts';
import { changeStateFile, createStateFile, FileRefused } from './state-file.ts';

/** @throws FileRefused for what is no file, or is not to be changed */
function checkKind(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) {
    if (ownStatsOf(path) !== undefined) throw new FileRefused('it is a link to a file that is not there');
    return false;
  }
  if (stats.isDirectory()) throw new FileRefused('it is a folder');
  if (!stats.isFile()) throw new FileRefused('it is no file');
  // Whoever took the right to write from a file meant it, also for those who may write everything.
  if ((stats.mode & 0o222) === 0) throw new FileRefused('it is read-only');
  return true;
}

/**
 * Changes a settings file under its lock; a missing one is made, with its folder, when there is something to say in it.
 * @param change gives the new text; called again when somebody else has changed the file in between
 * @param root of the project: a link in it must not lead out of it
 * @param mode of a file that is made; the user's mask takes off from it
 * @returns whether anything was written
 * @throws FileRefused, Locked, LeadsOut, what `change` throws
 */
export function changeConfigFile(
  path: string,
  change: (text: string) => string,
  root: string | null = null,
  mode = 0o666,
): boolean {
  realNamed(root, path);
  if (checkKind(path)) return changeStateFile(path, change);
  const text = change('');
  if (text === '') return false;
  return createStateFile(path, text, mode) || changeStateFile(path, change);
}
