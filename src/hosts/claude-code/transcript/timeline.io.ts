// Reads the timeline of a session from its transcript, forwards in blocks.

import { isObject, isUuid, readNonEmpty } from '../../../text/json.ts';
import {
  findBackwards,
  parseLine,
  reading,
  visitLinesBackwards,
  visitLinesFrom,
} from '../../transcript.io.ts';
import { addLine, createTimeline, type Timeline } from './timeline.ts';

/**
 * Id of the last message of the main session; null when there is none near the end, or no such file.
 * @throws what the file system throws
 */
export const findLastMessageId = (transcript: string): string | null =>
  findBackwards(
    transcript,
    (line) => line.includes('"uuid"'),
    (line) => {
      if (!isObject(line) || (line.type !== 'assistant' && line.type !== 'user')) return null;
      const id = readNonEmpty(line.uuid) ?? '';
      return line.isSidechain !== true && isUuid(id) ? id : null;
    },
  );

// Finds the offset of a transcript before which nothing was requested after a given time.
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
export function findOffsetAfter(
  path: string,
  moment: string,
  { from, to }: { from: number; to: number },
): number {
  if (moment === '') return from;
  return reading(path, from, (descriptor, size) =>
    visitLinesBackwards(descriptor, from, Math.min(to, size), (line) => !isAnswerBy(line, moment)),
  );
}

/**
 * Only lines with one of these words are parsed; most of a transcript is output of tools. Inside texts the words have
 * escaped quotes.
 */
const MARKS = ['"assistant"', '"compact_boundary"', '"isCompactSummary"', '"hook_'].map((word) =>
  Buffer.from(word),
);
const isTelling = (line: Buffer): boolean => MARKS.some((mark) => line.includes(mark));

/**
 * The timeline of a transcript; null when there is no transcript.
 * @param count counts the tokens of a text
 */
export function readTimeline(path: string, count: (text: string) => number): Timeline | null {
  const timeline = createTimeline();
  const end = visitLinesFrom(path, 0, (line, offset) => {
    if (isTelling(line)) addLine(timeline, parseLine(line), offset, count);
  });
  return end === null ? null : timeline;
}
