// Behind which message of a conversation does something happen now? The last one that its transcript holds.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isObject } from '../model/json.ts';
import { isUuid } from '../model/tracks/entry.ts';

/** So much of the end is looked at: the last message may be a long one, all else can be said without it. */
const MOST_BYTES = 1024 * 1024;

/** Id of the last message of the main conversation; null where there is none near the end, or no file that can be read. */
export function lastMessageId(transcript: string): string | null {
  let tail: string;
  try {
    const file = openSync(transcript, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
      const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      tail = bytes.toString('utf8', 0, read);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
  for (const text of tail.split('\n').reverse()) {
    if (!text.includes('"uuid"')) continue;
    try {
      const line: unknown = JSON.parse(text);
      if (!isObject(line) || (line.type !== 'assistant' && line.type !== 'user')) continue;
      if (line.isSidechain !== true && typeof line.uuid === 'string' && isUuid(line.uuid)) return line.uuid;
    } catch {
      // a torn line, or the middle of one at the beginning of what was read
    }
  }
  return null;
}
