// The lines of a file of hook runs: one of fixed width for each hook, and behind them the log of decisions.

import type { Announcement } from '../context/announcement.ts';
import { type AnnouncementRecord, appendDecision } from '../context/decision-log.ts';

const WIDTH = 64;
const MOST_HOOKS = 16;
/** Where the log of decisions begins, behind the lines of the hooks. */
export const LOG_AT = MOST_HOOKS * WIDTH;

export interface RunNote {
  name: string;
  /** Its place in the file, one for each hook; below 0 for a hook whose runs are not kept. */
  line: number;
  now: number;
  /** From the start of the process, or of the question. */
  ms: number;
}
/** What was decided of an announcement. */
export interface DecisionNote {
  event: AnnouncementRecord['event'];
  announcement: Announcement;
}

export const isRunKept = ({ line }: RunNote): boolean => line >= 0 && line < MOST_HOOKS;

/** The line of a run, and where it belongs. */
export const formatRunLine = (run: RunNote): { at: number; text: string } => ({
  at: run.line * WIDTH,
  text: `${`${run.name} ${new Date(run.now).toISOString()} ${Math.round(run.ms)} ms`.padEnd(WIDTH - 1)}\n`,
});

/** The file's text with a run and what it decided. */
export function noteRun(text: string, run: RunNote, decided: DecisionNote | null): string {
  const put = (into: string, { at, text: part }: { at: number; text: string }): string =>
    // A file that is written in place has such holes too.
    into.padEnd(at, '\0').slice(0, at) + part + into.slice(at + part.length);
  const noted = isRunKept(run) ? put(text, formatRunLine(run)) : text;
  if (decided === null) return noted;
  const entry = appendDecision(noted.slice(LOG_AT), { ...decided, now: run.now });
  return put(noted, { at: LOG_AT + entry.at, text: entry.text });
}
