// What was a conversation told of its track? A hash, beside its state.
import { safeName } from '../model/safe-name.ts';
import { replaceFile } from '../platform/write.ts';
import { ensureStateFolder } from './atomic.ts';
import { looseText } from './loose-text.ts';
import { below, type ProjectPaths } from './paths.ts';

const pathOf = (paths: ProjectPaths, conversation: string): string =>
  below(paths.conversations, `${safeName(conversation)}.told`);

/** The hash of what it was told last; null where it was told nothing. */
export const toldTo = (paths: ProjectPaths, conversation: string): string | null =>
  looseText(pathOf(paths, conversation))?.trim() ?? null;

export function noteTold(paths: ProjectPaths, conversation: string, hash: string): void {
  ensureStateFolder(paths.state);
  replaceFile(pathOf(paths, conversation), `${hash}\n`);
}
