// Which figures of the client itself lie beside the state of a conversation?
import {
  type Fed,
  type FeedWriter,
  type Frame,
  feedAgainst,
  parseFrame,
  type Seen,
  trustedFrame,
} from '../model/feed.ts';
import { pause } from '../platform/pause.ts';
import { readTextOrNull, STATE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import type { ProjectPaths } from './paths.ts';

/** A frame that is being written is whole a moment later; the client cannot replace a file at once. */
export function frameOf(
  paths: ProjectPaths,
  conversation: string,
  writer: FeedWriter,
  tries = 3,
): Frame | null {
  const text = readTextOrNull(paths.feed(conversation, writer), STATE);
  // No such writer, or nothing that can be read: the transcript says it all, a little later.
  if (text === null) return null;
  const frame = parseFrame(text, conversation);
  if (frame !== null || tries <= 1 || text.endsWith('\n')) return frame;
  pause(1);
  return frameOf(paths, conversation, writer, tries - 1);
}

/** The frame of a conversation that is believed, or null. */
export const readFeed = (paths: ProjectPaths, conversation: string): Frame | null =>
  trustedFrame(frameOf(paths, conversation, 'module'), frameOf(paths, conversation, 'statusline'));

/** What the frames of a conversation add to what is seen of its transcript; they are read when it is asked. */
export const feedIn =
  (paths: ProjectPaths, conversation: string) =>
  (seen: Seen): Fed =>
    feedAgainst(readFeed(paths, conversation), seen);

/**
 * Keeps a frame as the newest of its writer: a whole file at once, for the user alone.
 * @throws when it cannot be written
 */
export function writeFeed(paths: ProjectPaths, frame: Frame): void {
  replaceFile(paths.feed(frame.conversation, frame.from), `${JSON.stringify(frame)}\n`);
}
