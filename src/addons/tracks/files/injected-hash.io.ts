// Saves the hash of the track message that a session was given last.

import { joinPath, type ProjectPaths } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, STATE_FILE } from '../../../platform/read.ts';
import { replaceFile } from '../../../platform/write.ts';
import { safeName } from '../../../text/file-slug.ts';

const pathOf = (paths: ProjectPaths, conversation: string): string =>
  joinPath(paths.conversations, `${safeName(conversation)}.told`);

/** The hash of the last message that the session was given; null when there was none. */
export const readInjectedHash = (paths: ProjectPaths, conversation: string): string | null =>
  readTextOrNull(pathOf(paths, conversation), STATE_FILE)?.trim() ?? null;

export function saveInjectedHash(paths: ProjectPaths, conversation: string, hash: string): void {
  ensureStateFolder(paths);
  replaceFile(pathOf(paths, conversation), `${hash}\n`);
}
