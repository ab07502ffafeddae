// How did a conversation go, and what has come since the last look? Read forwards in blocks, each byte once.
import { addLine, newTimeline, type Timeline } from '../model/timeline.ts';
import { stampOf } from '../platform/look.ts';
import { parseLine, visitLinesFrom } from './transcript.ts';

/**
 * Lines that say nothing of these are not parsed; most of a transcript is output of tools. In text these words stand with
 * escaped quotes.
 */
const MARKS = ['"assistant"', '"compact_boundary"', '"isCompactSummary"', '"hook_'].map((word) =>
  Buffer.from(word),
);
const isTelling = (line: Buffer): boolean => MARKS.some((mark) => line.includes(mark));

export interface Reading {
  timeline: Timeline;
  /** Up to where the transcript was read, in bytes. */
  end: number;
}

/**
 * A timeline with all that a transcript says by now; null where there is none.
 *
 * @param before an earlier reading of the same file, which goes on from where it ended; a file that has become shorter is
 *   another one, and read anew
 * @param count tokens of a text
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
