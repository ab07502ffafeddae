// What goes from a work log that has grown too long? The oldest lines of the log; never an entry, never its time.
import { LOG_LINE } from './log-line.ts';

/** So many characters may a work log have before its oldest lines go. */
export const LOG_CHARACTERS = 256 * 1024;

/**
 * Empties the oldest lines of the log until the text is at most half as long as it may be. An emptied line stays as a line,
 * so that what points to a line of this file still points to the same one. What is no line of the log stays, and so does
 * the last one above an entry, which may give it its time, and the newest of all. Null where nothing can go.
 */
export function boundedLog(text: string, most: number = LOG_CHARACTERS): string | null {
  if (text.length <= most) return null;
  const lines = text.split('\n');
  const newest = lines.findLastIndex((line) => LOG_LINE.test(line));
  let over = text.length - Math.floor(most / 2);
  let hasGone = false;
  for (let at = 0; at < newest && over > 0; at++) {
    const line = lines[at] ?? '';
    if (!LOG_LINE.test(line)) continue;
    // Past emptied lines and marks: does an entry come before the next line of the log?
    const next = lines.slice(at + 1).find((each) => each.trim() !== '' && !each.startsWith('<!--')) ?? '';
    if (!LOG_LINE.test(next)) continue;
    lines[at] = '';
    over -= line.length;
    hasGone = true;
  }
  return hasGone ? lines.join('\n') : null;
}
