// Reads the timeline of a session from its transcript, forwards in blocks, and continues from an earlier reading.
import { addLine, newTimeline, type Timeline } from '../hosts/claude-code/transcript/timeline.ts';
import { stampOf } from '../platform/look.ts';
import { parseLine, visitLinesFrom } from './transcript.ts';

/**
 * Only lines with one of these words are parsed; most of a transcript is output of tools. Inside texts the words have
 * escaped quotes.
 */
const MARKS = ['"assistant"', '"compact_boundary"', '"isCompactSummary"', '"hook_'].map((word) =>
  Buffer.from(word),
);
const isTelling = (line: Buffer): boolean => MARKS.some((mark) => line.includes(mark));

export interface Reading {
  timeline: Timeline;
  /** Offset up to which the transcript was read, in bytes. */
  end: number;
}

/**
 * The timeline of a transcript up to now; null when there is no transcript.
 *
 * @param before an earlier reading of the same file, to continue from its end; a file that has become shorter is
 *   another one and is read from the beginning
 * @param count counts the tokens of a text
 */
export function readTimeline(
  path: string,
  count: (text: string) => number,
  before: Reading | null = null,
): Reading | null {
  const isGrown = before !== null && stampOf(path).size >= before.end;
  const timeline = isGrown ? before.timeline : newTimeline();
  const end = visitLinesFrom(path, isGrown ? before.end : 0, (line, offset) => {
    if (isTelling(line)) addLine(timeline, parseLine(line), offset, count);
  });
  return end === null ? null : { timeline, end };
}
