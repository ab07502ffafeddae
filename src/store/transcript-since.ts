// From where on does a transcript tell of what was asked for after a moment?
import { isObject } from '../model/json.ts';
import { parseLine, reading, visitLinesBackwards } from './transcript.ts';

const STAMP = '"timestamp":"';
const ISO_LENGTH = '2026-11-28T10:00:00.000Z'.length;

/**
 * Whether a line is an answer of the main conversation that was given by then: such lines stand in the order of their
 * times, which those of tools, prompts and subagents need not.
 */
function isAnswerBy(line: Buffer, moment: string): boolean {
  // Looked at as bytes first: to parse them all costs more than what this is for.
  const at = line.lastIndexOf(STAMP);
  if (at < 0) return false;
  const stamp = line.toString('latin1', at + STAMP.length, at + STAMP.length + ISO_LENGTH);
  if (stamp > moment) return false;
  const parsed = parseLine(line);
  if (!isObject(parsed) || parsed.type !== 'assistant' || parsed.isSidechain === true) return false;
  return typeof parsed.timestamp === 'string' && parsed.timestamp <= moment;
}

/**
 * An offset of a line in [from, to), in bytes: before it nothing was asked for after `moment`.
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
