// How is one tool call written into a work log, so that it is one line, and nothing but a line of the log?

/** So long is a line at the most, in characters. */
export const LINE_CHARACTERS = 200;

/** A line of the log, with its time: neither an entry nor a mark. */
export const LOG_LINE = /^- (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) /;

const MARK = '<!-- plimsoll work log; track: ';

/** The mark above the lines of a track. The id of a track has only signs that end no comment. */
export const trackMark = (track: string): string => `${MARK}${track} -->`;

/** The track of the last mark in a text; null where there is none. */
export function lastTrack(text: string): string | null {
  const at = text.lastIndexOf(MARK);
  return at < 0
    ? null
    : (/^[\w.-]+(?= -->)/.exec(text.slice(at + MARK.length, at + MARK.length + 80))?.[0] ?? null);
}

/** One line, without what could begin or end a comment, turn the direction of writing, or move a cursor. */
const plain = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g, ' ')
    .replace(/<!-/g, '‹!-')
    .replace(/--(!?)>/g, '--$1›')
    .replace(/ {2,}/g, ' ')
    .trim();

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/**
 * The line of a call: `- 2026-11-28T10:00:00Z Edit src/a.ts: ok`. A target that is too long is cut, the outcome is not.
 *
 * @param call.at ms since the epoch
 * @param call.target what it worked on, and `outcome`: both redacted by the caller
 */
export function logLine(call: { at: number; tool: string; target: string; outcome: string }): string {
  const at = new Date(call.at).toISOString().slice(0, 19);
  const head = `- ${at}Z ${cut(call.tool.replace(/[^\w.:-]/g, '') || 'tool', 48)}`;
  const end = `: ${cut(plain(call.outcome), 60)}`;
  const target = cut(plain(call.target), LINE_CHARACTERS - head.length - end.length - 1);
  return `${head}${target === '' ? '' : ` ${target}`}${end}`;
}
