// Which session does a conversation belong to, and how does it begin, go on and end?
import type { Conversation } from '../model/conversation.ts';
import { type LogEvent, noted } from '../model/log-event.ts';
import type { Happening } from '../model/outcome.ts';
import { isReopenable, type Session, sessionOf } from '../model/session.ts';
import { patchConversation, readConversation, readStates } from './conversations.ts';
import { appendEvents, type Stream } from './events.ts';
import { nameOfSession, type ProjectPaths } from './paths.ts';
import { isGoingOn, lastSign } from './previous.ts';

/** One conversation has so many sessions at the most. */
const MOST_SESSIONS = 1_000;
/** Conversations looked at for sessions that nothing ended, among so many of the states written last. */
const MOST_DEAD = 20;
const MOST_STATES = 50;

const stateOf = (paths: ProjectPaths, id: string): Conversation | null => {
  try {
    return readConversation(paths, id);
  } catch {
    return null;
  }
};

const isAlive = (paths: ProjectPaths, state: Conversation, now: number): boolean =>
  isGoingOn({ state, at: lastSign(paths, state) ?? Date.parse(state.started ?? '') }, now);

/** Whether another conversation of the session is still under way: then the end of this one is not the session's. */
export const isShared = (paths: ProjectPaths, session: Session, but: string, now: number): boolean =>
  session.conversations.some((id) => {
    const state = id === but ? null : stateOf(paths, id);
    return state?.session === session.id && state.session_open && isAlive(paths, state, now);
  });

/** The conversation that this one has taken over: it goes on with that one's session. */
function takenOver(paths: ProjectPaths, own: Conversation): Conversation | null {
  if (own.session !== null || own.resumption === null) return null;
  const left = stateOf(paths, own.resumption.from);
  const by = left?.resumed_by;
  return by?.session_id === own.session_id && by.status === 'taken' ? left : null;
}

/** What is to become of a session: it begins, goes on (perhaps as it was: ended), or is over for good. */
type Found =
  | { step: 'begins' | 'goes on'; events: LogEvent[]; isOpen: boolean }
  | { step: 'over' }
  | { step: 'rests' };

/** What happens in a conversation begins a session, or goes on with this one. */
function found(session: Session | null, own: Conversation, by: Beginning): Found {
  const conversation = own.session_id;
  if (session === null) {
    const entrypoint = own.entrypoint === null ? null : noted(own.entrypoint);
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
  // A person ended it, perhaps in this very turn: the next prompt begins another one.
  if (session.cause === 'person' && by.moment === 'after-tool' && by.isBare) return { step: 'rests' };
  if (reopened && !isReopenable(session)) return { step: 'over' };
  // What is noted without work opens nothing again.
  if (reopened && by.moment === 'other') return { step: 'goes on', events: [], isOpen: false };
  if (isKnown && !reopened) return { step: 'goes on', events: [], isOpen: true };
  const from = isKnown ? null : by.from;
  const event = { type: 'SessionLinked', conversation, from, reopened } as const;
  return { step: from === null ? 'goes on' : 'begins', events: [event], isOpen: true };
}

interface Beginning {
  moment: Happening['moment'];
  /** True where nothing but the moment itself is to be noted. */
  isBare: boolean;
  /** The conversation that was taken over, or null. */
  from: string | null;
  /** The session that was given up before, or null. */
  previous: string | null;
}

/**
 * Something has happened in a conversation whose session has not begun, or has ended: the one that it belongs to is found
 * under the lock of its stream, so that processes which come at once find the same.
 *
 * @param input.rest what is appended with the beginning, given the session as it stood
 * @returns the name of the session, and whether it is open now; null where none is to begin
 */
export function beginSession(
  paths: ProjectPaths,
  own: Conversation,
  input: Pick<Beginning, 'moment' | 'isBare'> & {
    rest: (session: Session | null) => readonly LogEvent[];
    now: number;
  },
): { stream: string; isOpen: boolean } | null {
  const { moment, isBare, rest, now } = input;
  const left = takenOver(paths, own);
  const given = [left?.session ?? null, own.session].filter((each) => each !== null);
  let previous: string | null = null;
  for (let index = 0; index < given.length + MOST_SESSIONS; index++) {
    const number = index - given.length + 1;
    const stream = given[index] ?? nameOfSession(own.session_id, number);
    let became = { step: 'over' } as Found;
    const begin = (log: Stream): readonly LogEvent[] => {
      const session = sessionOf(log.events);
      // A stream that is gone, of another conversation, is not made anew under its name.
      if (session === null && number < 1) return [];
      became = found(session, own, { moment, isBare, from: left?.session_id ?? null, previous });
      return 'events' in became ? [...became.events, ...rest(session)] : [];
    };
    appendEvents(paths, stream, begin, { now });
    if (became.step === 'rests') return null;
    if (became.step === 'over') {
      previous = stream;
      continue;
    }
    if (left !== null && left.session === stream)
      patchConversation(paths, left.session_id, { session_open: false });
    // What began elsewhere and was not ended is looked for when another one begins.
    if (became.step === 'begins') endDead(paths, own.session_id, now);
    return { stream, isOpen: became.isOpen };
  }
  throw new Error(`More than ${MOST_SESSIONS} sessions of conversation "${own.session_id}"`);
}

/** How a session ends for one whose end was noted, or never came. */
const endOf = ({ session_id: conversation, ended }: Conversation): LogEvent =>
  ended === null
    ? { type: 'SessionAbandoned', conversation, reason: 'died without an end', cause: 'died' }
    : { type: 'SessionCompleted', conversation, reason: noted(ended.reason), cause: 'conversation' };

/** Ends the sessions of this project that are open and whose conversations are not under way any more. */
function endDead(paths: ProjectPaths, but: string, now: number): void {
  const wanted = (state: Conversation): boolean =>
    state.session_open && state.session !== null && state.session_id !== but;
  for (const { state } of readStates(paths, { most: MOST_DEAD, files: MOST_STATES, wanted })) {
    const { session: stream, session_id: id } = state;
    if (stream === null || isAlive(paths, state, now)) continue;
    try {
      appendEvents(
        paths,
        stream,
        (log) => {
          const session = sessionOf(log.events);
          const isOpen = session?.status === 'active' && !isShared(paths, session, id, now);
          return isOpen ? [endOf(state)] : [];
        },
        { now },
      );
      patchConversation(paths, id, { session_open: false });
    } catch {
      // the next one that begins tries again
    }
  }
}
