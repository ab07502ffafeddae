// Writes and reads a session's work log: a mark that names the track, one line a call, and noted entries.

import type { EntryViolation } from '../entries/entry.ts';
import type { Entries } from '../entries/read-entries.ts';
import { isTime, locateEntries } from '../entries/read-entries.ts';
import { isTrackId } from '../layout.ts';

/** The first line of a log, and again whenever the track changes: what follows belongs to that track. */
export const formatLogMark = (track: string): string => `<!-- plimsoll work log; track: ${track} -->`;

const MARK = /^\s*<!-- plimsoll work log; track: (\S+) -->\s*$/;
const LINE = /^- (\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ) /;

/** The track that a log's last mark names; null where there is none, so that the next line needs one before it. */
export function readMarkedTrack(text: string): string | null {
  const marks = text.split('\n').flatMap((line) => MARK.exec(line.replace(/\r$/, ''))?.[1] ?? []);
  return marks.at(-1) ?? null;
}

interface Logged {
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
export function formatLogLine({ at, tool, target, outcome }: Logged): string {
  const end = `: ${cut(plain(outcome), MOST_OUTCOME)}`;
  const begin = `- ${at} ${cut(plain(tool), MOST_TOOL)}`;
  const said = plain(target);
  const middle = said === '' ? '' : ` ${cut(said, MOST - begin.length - end.length - 1)}`;
  return `${begin}${middle}${end}`;
}

/** What is true from a line of a log on. */
interface Stretch {
  line: number;
  track: string | null;
  at: string | null;
}

interface Walked {
  /** By line. */
  stretches: Stretch[];
  newest: Map<string, string>;
  /** The text with an empty line for each line of a call: whoever reads entries has less to read. */
  quiet: string;
}

/** Logs are long, and nearly all of their lines are calls: one look at how each begins. */
function walk(text: string): Walked {
  const stretches: Stretch[] = [];
  const newest = new Map<string, string>();
  let track: string | null = null;
  let at: string | null = null;
  // The first line behind a mark counts for its track, whatever its time.
  let isCounted = false;
  const lines = text.split('\n');
  lines.forEach((own, index) => {
    if (own.startsWith('- 2')) {
      const time = LINE.exec(own)?.[1];
      if (time === undefined) return;
      lines[index] = '';
      if (time === at && isCounted) return;
      at = time;
      isCounted = true;
      if (track !== null && time > (newest.get(track) ?? '')) newest.set(track, time);
    } else if (own.includes('<!--')) {
      const marked = MARK.exec(own.replace(/\r$/, ''))?.[1];
      if (marked === undefined) return;
      track = isTrackId(marked) ? marked : null;
      isCounted = false;
    } else return;
    stretches.push({ line: index + 1, track, at });
  });
  return { stretches, newest, quiet: lines.join('\n') };
}

/** Time of the newest line that a log has on a track; null where it has none. */
export const findNewestLine = (text: string, track: string): string | null =>
  walk(text).newest.get(track) ?? null;

interface WorkLog extends Entries {
  /** Time of the newest line of each track that the log names. */
  newest: ReadonlyMap<string, string>;
  /** From which lines on the log belongs to which track; null for one that is none. */
  marks: readonly { line: number; track: string | null }[];
  /** A code block or a comment without an end, which hides the entries behind it. */
  unended: EntryViolation | null;
}

/** The track that a line of a log belongs to; null before any mark. */
export const findTrackAt = ({ marks }: Pick<WorkLog, 'marks'>, line: number): string | null =>
  marks.findLast((each) => each.line < line)?.track ?? null;

/**
 * Entries of a log, each with the track of the mark above it, and the time of the last line above it where it names none
 * itself. A decision without any time is a violation: no clock is ever asked for one.
 *
 * @param file the path as evidence names it
 */
export function readWorkLog(file: string, text: string): WorkLog {
  const { stretches, newest, quiet } = walk(text);
  const { entries, violations, open } = locateEntries(file, quiet);
  let next = 0;
  const placed = entries.map((entry) => {
    while ((stretches[next]?.line ?? Number.POSITIVE_INFINITY) < entry.source.line) next++;
    const above = stretches[next - 1];
    // What only looks like a time is none: to look at every line of a log for that would cost more than all else.
    const time = above?.at != null && isTime(above.at) ? above.at : null;
    return { ...entry, track: entry.track ?? above?.track ?? null, at: entry.at ?? time };
  });
  for (const { kind, at: time, source } of placed) {
    if (kind === 'decision' && time === null)
      violations.push({ ...source, found: 'no At', expected: '"  - At: 2026-01-31T09:00:00Z" below it' });
  }
  const [found, expected] =
    open?.kind === 'code'
      ? ['a code block without end', '``` behind it']
      : ['a comment without end', '--> behind it'];
  const marks: WorkLog['marks'] = stretches
    .filter((each, index) => each.track !== (stretches[index - 1]?.track ?? null))
    .map(({ line, track }) => ({ line, track }));
  return {
    entries: placed,
    violations,
    newest,
    marks,
    unended: open === null ? null : { file, line: open.line, found, expected },
  };
}
