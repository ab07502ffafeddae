// The last decisions of a session about announcements, as lines of fixed width; equal ones in a row share a line.
import type { Announcement } from './announcement.ts';

/** One decision, or several equal ones. */
export interface AnnouncementRecord
  extends Pick<Announcement, 'said' | 'reason' | 'tier' | 'from' | 'fractionOfLimit'> {
  event: 'prompt' | 'tool';
  /** When it was made first and last, in ms since the epoch. */
  since: number;
  at: number;
  times: number;
}

const WIDTH = 112;
const MOST = 20;
/** Bytes of a log that is full. */
export const LOG_BYTES = WIDTH * MOST;

const LINE = /^(\d+) (\d+) (\d+) (\S+) (prompt|tool) ([A-Z]+|-) ([A-Z]+|-) (full|line|-) ([a-z-]+)\s*$/;

/** What makes two decisions equal: all but time and figure. */
const keyOf = (event: AnnouncementRecord['event'], { tier, from, said, reason }: Announcement): string =>
  `${event} ${tier ?? '-'} ${from ?? '-'} ${said ?? '-'} ${reason}`;

/** The whole lines of a log, each of the same width whatever is in it. */
const linesIn = (text: string): string[] =>
  Array.from({ length: Math.floor(text.length / WIDTH) }, (_, index) =>
    text.slice(index * WIDTH, (index + 1) * WIDTH),
  );

/**
 * Adds a decision to a log.
 * @param text the log as it is
 * @returns what to write, and where
 */
export function appendDecision(
  text: string,
  made: { event: AnnouncementRecord['event']; announcement: Announcement; now: number },
): { at: number; text: string } {
  const { announcement, now } = made;
  const lines = linesIn(text);
  const key = keyOf(made.event, announcement);
  const line = (since: string | number, times: number): string =>
    `${since} ${now} ${times} ${announcement.fractionOfLimit?.toFixed(4) ?? '-'} ${key}`.padEnd(WIDTH - 1) +
    '\n';
  // Equal ones share a line as long as nothing else was said in between.
  for (let index = lines.length - 1; index >= 0; index--) {
    const known = lines[index] ?? '';
    if (known.trimEnd().endsWith(` ${key}`)) {
      const [since = now, , times] = known.split(' ');
      return { at: index * WIDTH, text: line(since, Number(times) + 1) };
    }
    if (/ (?:full|line) /.test(known)) break;
  }
  return lines.length < MOST
    ? { at: lines.length * WIDTH, text: line(now, 1) }
    : { at: 0, text: [...lines.slice(lines.length - MOST + 1), line(now, 1)].join('') };
}

const known = <T extends string>(word: string | undefined): T | null =>
  word === undefined || word === '-' ? null : (word as T);

/** The decisions of a log, the last made at the end; what cannot be read is left out. */
export function parseDecisions(text: string): AnnouncementRecord[] {
  return linesIn(text)
    .flatMap((line): AnnouncementRecord[] => {
      const [, since, at, times, fraction, event, tier, from, said, reason] = LINE.exec(line) ?? [];
      if (reason === undefined) return [];
      return [
        {
          event: event as AnnouncementRecord['event'],
          since: Number(since),
          at: Number(at),
          times: Number(times),
          tier: known(tier),
          from: known(from),
          fractionOfLimit: fraction === '-' ? null : Number(fraction),
          said: known(said),
          reason: reason as AnnouncementRecord['reason'],
        },
      ];
    })
    .sort((a, b) => a.at - b.at);
}
