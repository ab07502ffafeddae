// Finds the session (the stream of events about one work) of a conversation, and begins, continues and ends it.

import { findLastSign, isStillRunning } from '../handoff/previous-session.io.ts';
import type { AuditInput } from '../hook/action.ts';
import { nameOfSession, type ProjectPaths } from '../platform/project/paths.ts';
import type { JsonObject } from '../text/json.ts';
import { appendEvents } from './append-events.io.ts';
import { type LogEvent, parseLogEvent, redactOneLine } from './log-event.ts';
import type { SessionState } from './session-state.ts';
import { patchSessionState, readSessionState, readStates } from './session-states.io.ts';
import { buildSession, isReopenable, type Session } from './work-session.ts';

/** The most sessions of one conversation. */
const MOST_SESSIONS = 1_000;
/** The most conversations examined for sessions that nothing ended, among the states written last. */
const MOST_DEAD = 20;
const MOST_STATES = 50;
/** A command can wait longer for a lock than a hook, in ms. */
const LONG_WAIT = 5_000;

const stateOf = (paths: ProjectPaths, id: string): SessionState | null => {
  try {
    return readSessionState(paths, id);
  } catch {
    return null;
  }
};

const isAlive = (paths: ProjectPaths, state: SessionState, now: number): boolean =>
  isStillRunning({ state, at: findLastSign(paths, state) ?? Date.parse(state.started ?? '') }, now);

/** Whether a conversation of the session other than `but` is still running: then the end of `but` does not end it. */
export const isShared = (paths: ProjectPaths, session: Session, but: string | null, now: number): boolean =>
  session.conversations.some((id) => {
    const state = id === but ? null : stateOf(paths, id);
    return state?.session === session.id && state.session_open && isAlive(paths, state, now);
  });

/** Builds the session from the lines of its stream. */
export const sessionIn = (lines: readonly JsonObject[], stream: string): Session | null =>
  buildSession(lines.map((line) => parseLogEvent(line, stream)).filter((event) => typeof event !== 'string'));

/**
 * The conversation that this one has taken over, whose session it continues. Work takes over what was leased at the
 * start, even if another hook is noting that at this very moment.
 */
function takenOver(paths: ProjectPaths, own: SessionState, isWork: boolean): SessionState | null {
  if (own.session !== null || own.received_handoff === null) return null;
  const left = stateOf(paths, own.received_handoff.from);
  const by = left?.resumed_by;
  return by?.session_id === own.session_id && (isWork || by.status === 'taken') ? left : null;
}

/** What happens to a session: it begins, continues (perhaps still ended), is over for good, or stays ended. */
type Found =
  | { step: 'begins' | 'goes on'; events: LogEvent[]; isOpen: boolean }
  | { step: 'over' }
  | { step: 'rests' };

/** Decides whether an event of a conversation begins a session or continues this one. */
function found(session: Session | null, own: SessionState, by: Beginning): Found {
  const conversation = own.session_id;
  if (session === null) {
    const entrypoint = own.entrypoint === null ? null : redactOneLine(own.entrypoint);
    const forked = own.forked_at !== null;
    const event = {
      type: 'SessionStarted',
      conversation,
      entrypoint,
      forked,
      previous: by.previous,
    } as const;
    return { step: 'begins', events: [event], isOpen: true };
  }
  const isKnown = session.conversations.includes(conversation);
  const reopened = session.status !== 'active';
  // The user ended it, perhaps in this very turn: the next prompt begins another one.
  const isBare = by.moment === 'after-tool' && by.isBare;
  if (session.cause === 'person' && session.id === own.session && isBare) return { step: 'rests' };
  if (reopened && (by.moment === 'start' || !isReopenable(session))) return { step: 'over' };
  // Events without work do not reopen a session.
  if (reopened && by.moment === 'other') return { step: 'goes on', events: [], isOpen: false };
  if (isKnown && !reopened) return { step: 'goes on', events: [], isOpen: true };
  const from = isKnown ? null : by.from;
  const event = { type: 'SessionLinked', conversation, from, reopened } as const;
  return { step: from === null ? 'goes on' : 'begins', events: [event], isOpen: true };
}

interface Beginning {
  /** `start`: a person asks for a new one. */
  moment: AuditInput['moment'] | 'start';
  /** True when there is nothing to note but the event itself. */
  isBare: boolean;
  /** The conversation that was taken over, or null. */
  from: string | null;
  /** The session that was abandoned before, or null. */
  previous: string | null;
}

/** The sessions a conversation may belong to, in the order in which they are tried: new ones come after its last. */
function* candidates(own: SessionState, taken: string | null): Generator<{ stream: string; isOwn: boolean }> {
  const first = nameOfSession(own.session_id, 1);
  for (const stream of [taken, own.session])
    if (stream !== null) yield { stream, isOwn: stream === first || stream.startsWith(`${first}~`) };
  const [, number = '1'] = own.session?.startsWith(first) ? own.session.split('~') : ['', '0'];
  for (let next = Number(number) + 1; next <= MOST_SESSIONS; next++)
    yield { stream: nameOfSession(own.session_id, next), isOwn: true };
}

/**
 * Finds the session for an event of a conversation whose session has not begun or has ended. It does so under the lock
 * of the stream, so that processes at the same moment find the same session.
 *
 * @param input.rest events appended with the beginning of a new session or the continuation of an old one
 * @returns the name of the session, and whether it is open now; null when none begins
 */
export function beginSession(
  paths: ProjectPaths,
  own: SessionState,
  input: Pick<Beginning, 'moment' | 'isBare'> & {
    rest: (isNew: boolean) => readonly LogEvent[];
    now: number;
  },
): { stream: string; isOpen: boolean } | null {
  const { moment, isBare, rest, now } = input;
  const left = takenOver(paths, own, moment !== 'other');
  let previous: string | null = null;
  for (const { stream, isOwn } of candidates(own, left?.session ?? null)) {
    let became = { step: 'over' } as Found;
    const begin = (lines: readonly JsonObject[]): readonly LogEvent[] => {
      const session = sessionIn(lines, stream);
      // A missing stream of another conversation is not recreated.
      if (session === null && !isOwn) return [];
      became = found(session, own, { moment, isBare, from: left?.session_id ?? null, previous });
      return 'events' in became ? [...became.events, ...rest(session === null)] : [];
    };
    appendEvents(paths, stream, begin, { now, isWhole: true });
    if (became.step === 'rests') return null;
    if (became.step === 'over') {
      previous = stream;
      continue;
    }
    if (left !== null && left.session === stream)
      patchSessionState(paths, left.session_id, { session_open: false });
    // When a session begins, those of dead conversations are ended.
    if (became.step === 'begins') endDead(paths, own.session_id, now);
    return { stream, isOpen: became.isOpen };
  }
  throw new Error(`More than ${MOST_SESSIONS} threads of session "${own.session_id}"`);
}

/**
 * Ends a session that is active, whatever its conversations are doing.
 * @returns the session as it was; null when there is no such stream
 */
export function endSession(paths: ProjectPaths, stream: string, end: LogEvent, now: number): Session | null {
  let before = null as Session | null;
  const append = (lines: readonly JsonObject[]): readonly LogEvent[] => {
    before = sessionIn(lines, stream);
    return before?.status === 'active' ? [end] : [];
  };
  appendEvents(paths, stream, append, { now, wait: LONG_WAIT, isWhole: true });
  for (const id of before?.conversations ?? [])
    if (stateOf(paths, id)?.session === stream) patchSessionState(paths, id, { session_open: false });
  return before;
}

/** The event that ends the session of a conversation whose end was noted or never came. */
const endOf = ({ session_id: conversation, ended }: SessionState): LogEvent =>
  ended === null
    ? { type: 'SessionAbandoned', conversation, reason: 'died without an end', cause: 'died' }
    : { type: 'SessionCompleted', conversation, reason: redactOneLine(ended.reason), cause: 'conversation' };

/** Ends the open sessions of this project whose conversations are no longer running. */
function endDead(paths: ProjectPaths, but: string, now: number): void {
  const wanted = (state: SessionState): boolean =>
    state.session_open && state.session !== null && state.session_id !== but;
  for (const { state } of readStates(paths, { most: MOST_DEAD, files: MOST_STATES, wanted })) {
    const { session: stream, session_id: id } = state;
    if (stream === null || isAlive(paths, state, now)) continue;
    try {
      appendEvents(
        paths,
        stream,
        (lines) => {
          const session = sessionIn(lines, stream);
          const isOpen = session?.status === 'active' && !isShared(paths, session, id, now);
          return isOpen ? [endOf(state)] : [];
        },
        { now, isWhole: true },
      );
      patchSessionState(paths, id, { session_open: false });
    } catch {
      // the next session that begins tries again
    }
  }
}
