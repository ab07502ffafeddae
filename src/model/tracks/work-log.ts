// How is a conversation's work log written and read? A mark that names the track, one line a call, and noted entries.

import type { Violation } from './entry.ts';
import { isTrackId } from './layout.ts';
import type { Entries } from './read-entries.ts';
import { isTime, readEntries } from './read-entries.ts';
import { scanLines } from './text-lines.ts';

/** The first line of a log, and again whenever the track changes: what follows belongs to that track. */
export const workLogMark = (track: string): string => `<!-- plimsoll work log; track: ${track} -->`;

const MARK = /^\s*<!-- plimsoll work log; track: (\S+) -->\s*$/;
const LINE = /^- (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) /;

/** The track that a log's last mark names; null where there is none, so that the next line needs one before it. */
export function markedTrack(text: string): string | null {
  const marks = text.split('\n').flatMap((line) => MARK.exec(line.replace(/\r$/, ''))?.[1] ?? []);
  return marks.at(-1) ?? null;
}

export interface Logged {
  /** ISO 8601 in UTC with seconds. */
  at: string;
  tool: string;
  /** What it was called with: a path, or a command in back ticks. Redacted by whoever gives it. */
  target: string;
  outcome: string;
}

const MOST = 200;
const MOST_TOOL = 40;
const MOST_OUTCOME = 60;

/** One line without control characters, in which no comment begins or ends. */
const plain = (text: string): string =>
  text
    .replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .replaceAll('<!--', '<! --')
    .replaceAll('-->', '-- >')
    .trim();

/** Cut to so many characters; what stood in back ticks still does. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.startsWith('`') && text.endsWith('`') ? '…`' : '…';
  return `${text.slice(0, Math.max(0, most - end.length)).replace(/[\uD800-\uDBFF]$/, '')}${end}`;
}

/** A call as one line of at most 200 characters, without line end. It can form no entry and no mark, whatever it holds. */
export function logLine({ at, tool, target, outcome }: Logged): string {
  const end = `: ${cut(plain(outcome), MOST_OUTCOME)}`;
  const begin = `- ${at} ${cut(plain(tool), MOST_TOOL)}`;
  const said = plain(target);
  const middle = said === '' ? '' : ` ${cut(said, MOST - begin.length - end.length - 1)}`;
  return `${begin}${middle}${end}`;
}

/** Time of the newest line of a track, of a log that holds no entries; null where it has none. */
export function newestLine(text: string, track: string): string | null {
  let own = false;
  let newest = '';
  for (const line of text.split('\n')) {
    const time = own ? LINE.exec(line)?.[1] : undefined;
    if (time !== undefined && time > newest && isTime(time)) newest = time;
    else if (line.includes('plimsoll work log')) {
      const marked = MARK.exec(line.replace(/\r$/, ''))?.[1];
      if (marked !== undefined) own = marked === track;
    }
  }
  return newest === '' ? null : newest;
}

export interface WorkLog extends Entries {
  /** Time of the newest line of each track that the log names. */
  newest: ReadonlyMap<string, string>;
  /** Whose stretch of the log a line stands in; null before any mark. */
  trackAt: (line: number) => string | null;
  /** A code block or a comment without an end, which hides what follows it, marks among it. */
  unended: Violation | null;
}

/**
 * Entries of a log, each with the track of the mark above it, and the time of the last line above it where it names none
 * itself. A decision without any time is a violation: no clock is ever asked for one.
 *
 * @param file the path as evidence names it
 */
export function readWorkLog(file: string, text: string): WorkLog {
  const { lines, open } = scanLines(text);
  // What is true from a line on, in the order of lines.
  const states: { line: number; track: string | null; at: string | null }[] = [];
  const newest = new Map<string, string>();
  let track: string | null = null;
  let at: string | null = null;
  for (const { text: own, line, kind } of lines) {
    const marked = kind === 'comment' ? MARK.exec(own)?.[1] : undefined;
    const time = kind === 'text' ? LINE.exec(own)?.[1] : undefined;
    if (marked !== undefined) track = isTrackId(marked) ? marked : null;
    else if (time !== undefined && isTime(time)) {
      at = time;
      if (track !== null && time > (newest.get(track) ?? '')) newest.set(track, time);
    } else continue;
    states.push({ line, track, at });
  }
  const { entries, violations } = readEntries(file, text);
  const placed = entries.map((entry) => {
    const above = states.findLast((each) => each.line < entry.source.line);
    return { ...entry, track: entry.track ?? above?.track ?? null, at: entry.at ?? above?.at ?? null };
  });
  for (const { kind, at: time, source } of placed) {
    if (kind === 'decision' && time === null)
      violations.push({ ...source, found: 'no At', expected: '"  - At: 2026-01-31T09:00:00Z" below it' });
  }
  const [found, expected] =
    open?.kind === 'code'
      ? ['a code block without end', '``` behind it']
      : ['a comment without end', '--> behind it'];
  return {
    entries: placed,
    violations,
    newest,
    trackAt: (line) => states.findLast((each) => each.line < line)?.track ?? null,
    unended: open === null ? null : { file, line: open.line, found, expected },
  };
}
