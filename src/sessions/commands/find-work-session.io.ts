// Finds the thread of work that a command means, and reads its event log.

import { type Output, stripControls } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { streamPath } from '../../platform/project/paths.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import type { LogEvent, LoggedEvent } from '../log-event.ts';
import { appendEvents, listStreams, readEvents, type StreamProblem } from '../read-events.io.ts';
import { readSessionState } from '../session-states.io.ts';
import { buildSession, type Session } from '../work-session.ts';
import { findNewestHere, findOwnSession } from './find-session.io.ts';

/** How long a command waits for the lock of a stream, in ms. */
const WAIT_MS = 2_000;

/** The problems in the stream of a thread. */
interface Faulty {
  id: string;
  problems: StreamProblem[];
}

export interface ThreadLog extends Faulty {
  session: Session;
  events: LoggedEvent[];
}

function readLog(place: ProjectContext, id: string): ThreadLog | Faulty {
  const { events, problems } = readEvents(place.paths, id);
  const session = buildSession(events);
  return session === null ? { id, problems } : { id, session, events, problems };
}

const isLog = (read: ThreadLog | Faulty): read is ThreadLog => 'session' in read;

/** Reads the log of one thread; null where its stream holds no event. */
export function readThreadLog(place: ProjectContext, stream: string): ThreadLog | null {
  const read = readLog(place, stream);
  return isLog(read) ? read : null;
}

/** Reads the logs of all threads of this project, the last written first, and the problems of those that are unreadable. */
export function readAllLogs(place: ProjectContext): { logs: ThreadLog[]; lost: Faulty[] } {
  const all = listStreams(place.paths).map((stream) => readLog(place, stream));
  return { logs: all.filter(isLog), lost: all.filter((read) => !isLog(read) && read.problems.length > 0) };
}

/** Formats the problems of streams, one per line, each with its file. */
export const formatProblems = (place: ProjectContext, streams: readonly Faulty[]): string[] =>
  streams.flatMap(({ id, problems }) =>
    problems.map(({ line, problem }) => {
      const path = displayPath(streamPath(place.paths, id), place);
      return stripControls(`${path}${line === null ? '' : `:${line}`}: ${problem}; left out`);
    }),
  );

/** The problems of streams as data. */
export const listStreamProblems = (streams: readonly Faulty[]) =>
  streams.flatMap(({ id, problems }) => problems.map((each) => ({ thread: id, ...each })));

/** The session that this command runs in, else the newest one of this folder; null where none is known. */
export const findPresentSession = (place: ProjectContext): string | null =>
  findOwnSession(place) ?? findNewestHere(place)?.id ?? null;

/** Reads the log of the present session's thread; null where it has none. */
export function readPresentLog(place: ProjectContext): ThreadLog | null {
  const id = findPresentSession(place);
  try {
    const stream = id === null ? null : (readSessionState(place.paths, id)?.session ?? null);
    return stream === null ? null : readThreadLog(place, stream);
  } catch {
    return null;
  }
}

/**
 * Finds the thread that an id names: its own id, that of one of its sessions, or the beginning of either.
 * @throws PlimsollError when there is none, or several
 */
export function findThreadLog(place: ProjectContext, given: string): ThreadLog {
  const { logs: all, lost } = readAllLogs(place);
  const exact =
    all.find(({ session }) => session.id === given) ??
    all.find(({ session }) => session.conversations.includes(given));
  if (exact !== undefined) return exact;
  const begins = (id: string): boolean => given !== '' && id.startsWith(given);
  const found = all.filter(({ session }) => begins(session.id) || session.conversations.some(begins));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  const [unread] = formatProblems(
    place,
    lost.filter(({ id }) => begins(id)),
  );
  if (only === undefined && unread !== undefined)
    throw new PlimsollError('invalid', `Nothing of thread "${given}" can be read: ${unread}`, {
      hint: 'the other threads: plimsoll session list',
    });
  if (only === undefined)
    throw new PlimsollError('not-found', `No thread or session "${given}" in this project`, {
      hint: 'plimsoll session list shows what is there',
    });
  throw new PlimsollError(
    'usage',
    `"${given}" may be one of ${found.length} threads: ${found.map(({ session }) => session.id).join(', ')}`,
    { hint: 'name more of the id' },
  );
}

/**
 * Finds the thread that a command is about: the named one, else the present one.
 * @throws PlimsollError when there is none
 */
export function requireThreadLog(place: ProjectContext, given: string | undefined): ThreadLog {
  const log = given === undefined ? readPresentLog(place) : findThreadLog(place, given);
  if (log !== null) return log;
  throw new PlimsollError('not-found', 'No thread of this session is known', {
    hint: 'plimsoll session list shows those of this project; the first prompt of a session begins one',
  });
}

/**
 * Logs what a command did in the thread of the named session, else of the present one; without a thread it logs
 * nothing. A failure only prints a warning; the command still succeeds.
 */
export function logToSession(
  place: ProjectContext,
  event: (conversation: string) => LogEvent,
  output: Output,
  named?: string,
): void {
  try {
    const conversation = named ?? findPresentSession(place);
    const state = conversation === null ? null : readSessionState(place.paths, conversation);
    if (state === null || state.session === null) return;
    appendEvents(place.paths, state.session, [event(state.session_id)], { now: place.now, wait: WAIT_MS });
  } catch (error) {
    output.warn(`Not noted in the session: ${error instanceof Error ? error.message : String(error)}`);
  }
}
