// Finds the id of the last message in a session's transcript.

import { isObject, isUuid } from '../../../text/json.ts';
import { readLines } from '../../transcript.io.ts';
import { leanResult } from './lean-line.ts';

/** Bytes of the end that are searched: the last message may be a long one, and the id is not essential. */
const MOST_BYTES = 1024 * 1024;

/**
 * Id of the last message of the main session, without long outputs of tools; null when there is none near the end, or
 * no such file.
 * @throws what the file system throws
 */
export function lastMessageId(transcript: string): string | null {
  const { lines } = readLines(transcript, { from: 0, cap: MOST_BYTES }, leanResult);
  for (const line of lines.reverse()) {
    if (!isObject(line) || (line.type !== 'assistant' && line.type !== 'user')) continue;
    if (line.isSidechain !== true && typeof line.uuid === 'string' && isUuid(line.uuid)) return line.uuid;
  }
  return null;
}
