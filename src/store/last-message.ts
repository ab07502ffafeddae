// Behind which message of a conversation does something happen now? The last one that its transcript holds.
import { isObject } from '../model/json.ts';
import { isUuid } from '../model/tracks/entry.ts';
import { readLines } from './transcript.ts';

/** So much of the end is looked at: the last message may be a long one, all else can be said without it. */
const MOST_BYTES = 1024 * 1024;

/**
 * Id of the last message of the main conversation, long outputs of tools passed over; null where there is none near the end,
 * or no such file.
 * @throws what the file system throws
 */
export function lastMessageId(transcript: string): string | null {
  const { lines } = readLines(transcript, { from: 0, cap: MOST_BYTES });
  for (const line of lines.reverse()) {
    if (!isObject(line) || (line.type !== 'assistant' && line.type !== 'user')) continue;
    if (line.isSidechain !== true && typeof line.uuid === 'string' && isUuid(line.uuid)) return line.uuid;
  }
  return null;
}
