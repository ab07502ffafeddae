// Trims a work log that has grown too long: the oldest log lines go, never an entry, never its time.

/** A line that capturing wrote: see `logLine`. */
export const LOG_LINE = /^- \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /;

/** So many characters may a work log have before its oldest lines go. */
export const LOG_CHARACTERS = 256 * 1024;

/**
 * Empties the oldest lines of the log until the text is at most half as long as it may be. An emptied line stays as a line,
 * so that what points to a line of this file still points to the same one. What is no line of the log stays, and so does
 * the last one above it: it may give an entry its time, or be the newest of its track. Null where nothing can go.
 */
export function boundedLog(text: string, most: number = LOG_CHARACTERS): string | null {
  if (text.length <= most) return null;
  const lines = text.split('\n');
  const newest = lines.findLastIndex((line) => LOG_LINE.test(line));
  let over = text.length - Math.floor(most / 2);
  // The line of the log that goes as soon as the next one follows it, with nothing but emptied lines between.
  let before: number | null = null;
  let hasGone = false;
  for (let at = 0; at <= newest && over > 0; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const isOfLog = LOG_LINE.test(line);
    if (isOfLog && before !== null) {
      over -= lines[before]?.length ?? 0;
      lines[before] = '';
      hasGone = true;
    }
    before = isOfLog ? at : null;
  }
  return hasGone ? lines.join('\n') : null;
}
