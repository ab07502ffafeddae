// Finds the previous session of a project, and tells whether a session is still running.

import { readStamp } from '../platform/look.ts';
import { isRunning } from '../platform/process.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import type { SessionState } from '../sessions/session-state.ts';
import { readSessionState, readStates } from '../sessions/session-states.io.ts';
import { isHeadless, isUnderWay } from './decide-handoff.ts';

export interface PreviousSession {
  state: SessionState;
  /** Time of the last activity, in ms since the epoch. */
  at: number;
}

/** The most sessions examined, among the states written last: scripts leave many behind. */
const MOST = 30;
const FILES = 500;

/**
 * Time of the last activity: a hook that ran, or a line that the client wrote. The time of the state file does not
 * count, because later sessions write into it who took the work over.
 */
export function findLastSign(paths: ProjectPaths, state: SessionState): number | null {
  const path = state.transcript;
  const times = [
    readStamp(paths.session(state.session_id).runs).mtimeMs,
    path === null ? -1 : readStamp(path).mtimeMs,
    Date.parse(state.ended?.at ?? ''),
  ].filter((time) => time > 0);
  return times.length === 0 ? null : Math.max(...times);
}

export const isStillRunning = ({ state, at }: PreviousSession, now: number): boolean =>
  isUnderWay(state, { at, now, isRunning: state.process === null ? null : isRunning(state.process) });

/** Whether another session of the project goes on: what a file tells of may be what it works on. */
export const isAnotherRunning = (paths: ProjectPaths, session: string, now: number): boolean =>
  readStates(paths, { most: MOST, files: FILES, wanted: isOpen(session) }).some(({ state, mtimeMs }) =>
    isStillRunning({ state, at: findLastSign(paths, state) ?? mtimeMs }, now),
  );

const isOpen =
  (session: string) =>
  (state: SessionState): boolean =>
    state.active && state.ended === null && state.session_id !== session;

/** Whether another session has taken this one's work over, or is about to: leased by a start that is still running. */
function isTaken(paths: ProjectPaths, state: SessionState, now: number): boolean {
  const by = state.resumed_by;
  if (by === null || by.status === 'taken') return by !== null;
  try {
    const holder = readSessionState(paths, by.session_id);
    if (holder === null) return false;
    return isStillRunning({ state: holder, at: findLastSign(paths, holder) ?? Date.parse(by.at) }, now);
  } catch {
    // a holder with unreadable state does not count
    return false;
  }
}

/**
 * The session before a new one: the last of this project that is no longer running. Headless runs that ended do not
 * count, unless `resume.headless` is on; nor do sessions that were only started, that are switched off, and whose work a person dropped.
 * Null when there is none. `obstacle`: why it is not handed off to a new session all the same.
 */
export function findPrevious(
  paths: ProjectPaths,
  options: { except: readonly string[]; now: number; maxAgeHours: number; headless: boolean },
): (PreviousSession & { obstacle: 'too old' | 'taken over' | null }) | null {
  const { now } = options;
  const wanted = (state: SessionState): boolean => {
    if (options.except.includes(state.session_id) || state.off) return false;
    if (state.dropped?.cause === 'person') return false;
    // States of earlier versions do not tell whether anything followed the start.
    if (!state.active && state.last_seen === null) return false;
    return state.ended === null || !isHeadless(state.entrypoint) || options.headless;
  };
  const found = readStates(paths, { most: MOST, files: FILES, wanted })
    .map(({ state, mtimeMs }) => ({ state, at: findLastSign(paths, state) ?? mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .find((each) => !isStillRunning(each, now));
  if (found === undefined) return null;
  const isOld = now - found.at > options.maxAgeHours * 3_600_000;
  const isGone = isTaken(paths, found.state, now);
  return { ...found, obstacle: isOld ? 'too old' : isGone ? 'taken over' : null };
}
