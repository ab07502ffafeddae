// Records when each hook of a session last ran, how long it took, and what it decided to announce, as lines of fixed width
// that are written in place.
import type { AnnouncementRecord } from '../context/decision-log.ts';
import { appendDecision, LOG_BYTES, parseDecisions } from '../context/decision-log.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { changeInPlace, writeInPlace } from '../platform/write.ts';
import { type DecisionNote, formatRunLine, isRunKept, LOG_AT, type RunNote } from './run-lines.ts';

/**
 * Records that a hook ran, and what it decided. It writes without a lock, because every hook pays for it; parallel runs of
 * one hook write the same line. A missing file is made only with `create`; failures are ignored.
 *
 * @param decided null where an announcement was not the question
 */
export function recordHookRun(
  paths: ProjectPaths,
  session: string,
  run: RunNote & { create: boolean },
  decided: DecisionNote | null = null,
): void {
  if (!isRunKept(run)) return;
  try {
    const line = formatRunLine(run);
    const path = paths.session(session).runs;
    if (decided === null) writeInPlace(path, line.text, line.at, run.create);
    else
      changeInPlace(path, { create: run.create, from: LOG_AT, bytes: LOG_BYTES }, (log) => {
        const entry = appendDecision(log, { ...decided, now: run.now });
        return [line, { at: LOG_AT + entry.at, text: entry.text }];
      });
  } catch {
    // no file yet, or none that can be written
  }
}

export interface HookRun {
  name: string;
  /** ISO time of the last run. */
  at: string;
  /** Milliseconds from the start of the process to its answer. */
  ms: number;
}

/** The hooks that ran in a session, the latest first; none when nothing was noted. */
export function readHookRuns(paths: ProjectPaths, session: string): HookRun[] {
  return (
    (readTextOrNull(paths.session(session).runs, STATE_FILE) ?? '')
      .split('\n')
      .flatMap((line) => {
        const [, name, at, ms] = /([A-Za-z]+) (\S+Z) (\d+) ms/.exec(line) ?? [];
        return name === undefined || at === undefined ? [] : [{ name, at, ms: Number(ms) }];
      })
      // Compared without a locale, because loading one would cost the hooks time.
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  );
}

/** The last decisions of a session about announcements, the newest at the end; none when nothing was recorded. */
export const readDecisions = (paths: ProjectPaths, session: string): AnnouncementRecord[] =>
  parseDecisions((readTextOrNull(paths.session(session).runs, STATE_FILE) ?? '').slice(LOG_AT));
