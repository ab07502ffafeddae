// Changes a settings file under its lock, or makes a missing one.

import { resolveNamed } from '../../platform/in-project.ts';
import { readOwnStats, readStats } from '../../platform/look.ts';
import { changeUserFile, createUserFile } from '../../platform/user-file.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';

/** Whether the file exists. @throws PlimsollError `unusable-file` for anything but a file that may be changed */
function checkKind(path: string): boolean {
  const stats = readStats(path);
  if (stats === undefined) {
    if (readOwnStats(path) !== undefined)
      throw new PlimsollError('unusable-file', 'it is a link to a file that is not there');
    return false;
  }
  if (stats.isDirectory()) throw new PlimsollError('unusable-file', 'it is a folder');
  if (!stats.isFile()) throw new PlimsollError('unusable-file', 'it is no file');
  // A file without write permission is not to be changed, even by a user who may write everything.
  if ((stats.mode & 0o222) === 0) throw new PlimsollError('unusable-file', 'it is read-only');
  return true;
}

/**
 * Changes a settings file under its lock; a missing one is made, with its folder, if its text would not be empty.
 * @param change gives the new text; called again when somebody else has changed the file in between
 * @param root of the project, which links in it must not leave
 * @param mode of a file that is made, reduced by the umask
 * @returns whether anything was written
 * @throws PlimsollError `unusable-file`, `locked`, `leads-out`, what `change` throws
 */
export function changeConfigFile(
  path: string,
  change: (text: string) => string,
  root: string | null = null,
  mode?: number,
): boolean {
  resolveNamed(root, path);
  if (checkKind(path)) return changeUserFile(path, change);
  const text = change('');
  if (text === '') return false;
  return createUserFile(path, text, mode) || changeUserFile(path, change);
}
