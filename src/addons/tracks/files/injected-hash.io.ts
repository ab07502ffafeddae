// Saves the hash of the track message that a session was given last.

import type { ProjectPaths } from '../../../platform/project/paths.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, STATE_FILE } from '../../../platform/read.ts';
import { replaceFile } from '../../../platform/write.ts';

/** The hash of the last message that the session was given; null when there was none. */
export const readInjectedHash = (paths: ProjectPaths, conversation: string): string | null =>
  readTextOrNull(paths.session(conversation).told, STATE_FILE)?.trim() ?? null;

export function saveInjectedHash(paths: ProjectPaths, conversation: string, hash: string): void {
  ensureStateFolder(paths);
  replaceFile(paths.session(conversation).told, `${hash}\n`);
}
