// Finds the session that a command means, and reads its log and how it stands.

import { basename } from 'node:path';
import { formatId, type Output, stripControls } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { findLastSign, isStillRunning } from '../../handoff/previous-session.io.ts';
import { readOwnStats, readStamp } from '../../platform/look.ts';
import { listSessionFolders, type ProjectPaths } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { appendEvents, type EventLog, readEvents } from '../event-log.io.ts';
import type { LogEvent } from '../log-event.ts';
import type { SessionState } from '../session-state.ts';
import { readSessionState, readStateIn } from '../session-states.io.ts';
import { type SessionSummary, summarizeSession } from '../session-summary.ts';
import { findNewestHere, findOwnSession } from './find-session.io.ts';

/** How long a command waits for the lock of a log, in ms. */
const WAIT_MS = 2_000;
/** A session without readable state whose hooks were silent for so long is not running. */
const SILENCE_MS = 30 * 60_000;

export interface SessionLog extends EventLog {
  id: string;
  session: SessionSummary;
}

function isRunning({ paths, now }: ProjectContext, id: string, state: SessionState | null): boolean {
  if (state === null) return now - readStamp(paths.session(id).runs).mtimeMs < SILENCE_MS;
  const at = findLastSign(paths, state) ?? Date.parse(state.started ?? '');
  return isStillRunning({ state, at }, now);
}

export function readLog(place: ProjectContext, id: string): SessionLog {
  const { events, problems } = readEvents(place.paths, id);
  const state = tryOrNull(() => readSessionState(place.paths, id));
  return { id, events, problems, session: summarizeSession(id, events, state, isRunning(place, id, state)) };
}

/** Ids of all sessions in which something has happened, the last written first. */
function listLogged(paths: ProjectPaths): string[] {
  return listSessionFolders(paths)
    .flatMap((files) => {
      const state = tryOrNull(() => readStateIn(paths, files));
      const at = readOwnStats(files.events)?.mtimeMs ?? -1;
      // Where no event could be written the state tells that there was work.
      if (at < 0 && state?.active !== true) return [];
      return { id: state?.session_id ?? basename(files.folder), at };
    })
    .sort((a, b) => b.at - a.at)
    .map(({ id }) => id);
}

/** Reads the logs of all sessions of this project, the last written first. */
export const readAllLogs = (place: ProjectContext): SessionLog[] =>
  listLogged(place.paths).map((id) => readLog(place, id));

type Faulty = Pick<SessionLog, 'id' | 'problems'>;

/** Formats the problems of logs, one per line, each with its file. */
export const formatProblems = (place: ProjectContext, logs: readonly Faulty[]): string[] =>
  logs.flatMap(({ id, problems }) =>
    problems.map(({ line, problem }) => {
      const path = displayPath(place.paths.session(id).events, place);
      return stripControls(`${path}${line === null ? '' : `:${line}`}: ${problem}; left out`);
    }),
  );

/** The problems of logs as data. */
export const listLogProblems = (logs: readonly Faulty[]) =>
  logs.flatMap(({ id, problems }) => problems.map((each) => ({ session: id, ...each })));

/** The session that this command runs in, else the newest one of this folder; null where none is known. */
export const findPresentSession = (place: ProjectContext): string | null =>
  findOwnSession(place) ?? findNewestHere(place)?.id ?? null;

/** Reads the log of the present session; null where nothing has happened in it. */
export function readPresentLog(place: ProjectContext): SessionLog | null {
  const id = findPresentSession(place);
  const log = id === null ? null : readLog(place, id);
  return log === null || log.events.length + log.problems.length === 0 ? null : log;
}

/**
 * Finds the session that an id, or the beginning of one, names.
 * @throws PlimsollError when there is none, or several
 */
export function findLog(place: ProjectContext, given: string): SessionLog {
  const all = listLogged(place.paths);
  const found = all.includes(given) ? [given] : all.filter((id) => given !== '' && id.startsWith(given));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return readLog(place, only);
  const hint = 'plimsoll session list shows what is there';
  if (only === undefined)
    throw new PlimsollError('not-found', `No session "${formatId(given)}" in this project`, { hint });
  throw new PlimsollError(
    'usage',
    `"${formatId(given)}" may be one of ${found.length} sessions: ${found.map((id) => formatId(id)).join(', ')}`,
    {
      hint: 'name more of the id',
    },
  );
}

/**
 * Finds the session that a command is about: the named one, else the present one.
 * @throws PlimsollError when there is none
 */
export function requireLog(place: ProjectContext, given: string | undefined): SessionLog {
  const log = given === undefined ? readPresentLog(place) : findLog(place, given);
  if (log !== null) return log;
  throw new PlimsollError('not-found', 'Nothing is known of this session', {
    hint: 'plimsoll session list shows those of this project; the first prompt of a session begins its log',
  });
}

/**
 * Logs what a command did in the named session, else in the present one; without saved state it logs nothing. A failure only
 * prints a warning; the command still succeeds.
 */
export function logToSession(place: ProjectContext, event: LogEvent, output: Output, named?: string): void {
  try {
    const id = named ?? findPresentSession(place);
    if (id === null || readSessionState(place.paths, id) === null) return;
    appendEvents(place.paths, id, [event], { now: place.now, wait: WAIT_MS });
  } catch (error) {
    output.warn(`Not noted in the session: ${error instanceof Error ? error.message : String(error)}`);
  }
}
