// Finds the offset of a transcript before which nothing was requested after a given time.
import { isObject } from '../../../text/json.ts';
import { parseLine, reading, visitLinesBackwards } from '../../transcript.io.ts';

const STAMP = '"timestamp":"';
const ISO_LENGTH = '2026-11-28T10:00:00.000Z'.length;

/**
 * Whether a line is an answer of the main session from before or at that time. Such lines are in the order of their
 * times, unlike those of tools, prompts and subagents.
 */
function isAnswerBy(line: Buffer, moment: string): boolean {
  // The bytes are checked first, because parsing every line would cost more than this saves.
  const at = line.lastIndexOf(STAMP);
  if (at < 0) return false;
  const stamp = line.toString('latin1', at + STAMP.length, at + STAMP.length + ISO_LENGTH);
  if (stamp > moment) return false;
  const parsed = parseLine(line);
  if (!isObject(parsed) || parsed.type !== 'assistant' || parsed.isSidechain === true) return false;
  return typeof parsed.timestamp === 'string' && parsed.timestamp <= moment;
}

/**
 * An offset of a line in [from, to), in bytes, before which nothing was requested after `moment`.
 * @param moment an ISO time in UTC with milliseconds; '' for the beginning of time
 */
export function offsetAfter(
  path: string,
  moment: string,
  { from, to }: { from: number; to: number },
): number {
  if (moment === '') return from;
  return reading(path, from, (descriptor, size) =>
    visitLinesBackwards(descriptor, from, Math.min(to, size), (line) => !isAnswerBy(line, moment)),
  );
}
