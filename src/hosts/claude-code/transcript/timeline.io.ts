// Reads the timeline of a session from its transcript, forwards in blocks.

import { parseLine, visitLinesFrom } from '../../transcript.io.ts';
import { addLine, newTimeline, type Timeline } from './timeline.ts';

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
  const timeline = newTimeline();
  const end = visitLinesFrom(path, 0, (line, offset) => {
    if (isTelling(line)) addLine(timeline, parseLine(line), offset, count);
  });
  return end === null ? null : timeline;
}
