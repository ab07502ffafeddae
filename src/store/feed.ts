// Which figures of the client itself lie beside the state of a conversation?
import { readFileSync } from 'node:fs';
import { type FeedWriter, type Frame, parseFrame, trustedFrame } from '../model/feed.ts';
import { replaceFile } from './atomic.ts';
import type { ProjectPaths } from './paths.ts';

export function frameOf(paths: ProjectPaths, conversation: string, writer: FeedWriter): Frame | null {
  try {
    return parseFrame(readFileSync(paths.feed(conversation, writer), 'utf8'), conversation);
  } catch {
    // no such writer, or nothing that can be read: the transcript says it all, a little later
    return null;
  }
}

/** The frame of a conversation that is believed, or null. Costs two failing opens where nobody writes. */
export const readFeed = (paths: ProjectPaths, conversation: string): Frame | null =>
  trustedFrame(frameOf(paths, conversation, 'module'), frameOf(paths, conversation, 'statusline'));

/**
 * Keeps a frame as the newest of its writer: a whole file at once, for the user alone.
 * @throws when it cannot be written
 */
export function writeFeed(paths: ProjectPaths, frame: Frame): void {
  replaceFile(paths.feed(frame.conversation, frame.from), `${JSON.stringify(frame)}\n`);
}
