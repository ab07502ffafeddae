// What was a conversation told of its track? A hash, beside its state.
import { safeName } from '../model/safe-name.ts';
import { readTextOrNull, STATE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import { below, type ProjectPaths } from './paths.ts';
import { ensureStateFolder } from './state-folder.ts';

const pathOf = (paths: ProjectPaths, conversation: string): string =>
  below(paths.conversations, `${safeName(conversation)}.told`);

/** The hash of what it was told last; null where it was told nothing. */
export const toldTo = (paths: ProjectPaths, conversation: string): string | null =>
  readTextOrNull(pathOf(paths, conversation), STATE)?.trim() ?? null;

export function noteTold(paths: ProjectPaths, conversation: string, hash: string): void {
  ensureStateFolder(paths);
  replaceFile(pathOf(paths, conversation), `${hash}\n`);
}
