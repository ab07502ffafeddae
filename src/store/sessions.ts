// Which session does a conversation belong to, and how does it begin, go on and end?
import type { Conversation } from '../model/conversation.ts';
import type { Json } from '../model/json.ts';
import { eventIn, type LogEvent, noted } from '../model/log-event.ts';
import type { Happening } from '../model/outcome.ts';
import { isReopenable, type Session, sessionOf } from '../model/session.ts';
import { appendEvents } from './append-events.ts';
import { patchConversation, readConversation, readStates } from './conversations.ts';
import { nameOfSession, type ProjectPaths } from './paths.ts';
import { isGoingOn, lastSign } from './previous.ts';

/** One conversation has so many sessions at the most. */
const MOST_SESSIONS = 1_000;
/** Conversations looked at for sessions that nothing ended, among so many of the states written last. */
const MOST_DEAD = 20;
const MOST_STATES = 50;
/** A command can wait longer for a lock than a hook, in ms. */
const LONG_WAIT = 5_000;

const stateOf = (paths: ProjectPaths, id: string): Conversation | null => {
  try {
    return readConversation(paths, id);
  } catch {
    return null;
  }
};

const isAlive = (paths: ProjectPaths, state: Conversation, now: number): boolean =>
  isGoingOn({ state, at: lastSign(paths, state) ?? Date.parse(state.started ?? '') }, now);

/** Whether a conversation of the session, other than one, is still under way: then the end of that one is not its end. */
export const isShared = (paths: ProjectPaths, session: Session, but: string | null, now: number): boolean =>
  session.conversations.some((id) => {
    const state = id === but ? null : stateOf(paths, id);
    return state?.session === session.id && state.session_open && isAlive(paths, state, now);
  });

/** The session that the lines of a stream come to. */
export const sessionIn = (lines: readonly Json[], stream: string): Session | null =>
  sessionOf(lines.map((line) => eventIn(line, stream)).filter((event) => typeof event !== 'string'));

/**
 * The conversation that this one has taken over: it goes on with that one's session. Work takes over what was leased at the
 * start, though the hook that notes this may be another one, at this very moment.
 */
function takenOver(paths: ProjectPaths, own: Conversation, isWork: boolean): Conversation | null {
  if (own.session !== null || own.resumption === null) return null;
  const left = stateOf(paths, own.resumption.from);
  const by = left?.resumed_by;
  return by?.session_id === own.session_id && (isWork || by.status === 'taken') ? left : null;
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
  const isBare = by.moment === 'after-tool' && by.isBare;
  if (session.cause === 'person' && session.id === own.session && isBare) return { step: 'rests' };
  if (reopened && (by.moment === 'start' || !isReopenable(session))) return { step: 'over' };
  // What is noted without work opens nothing again.
  if (reopened && by.moment === 'other') return { step: 'goes on', events: [], isOpen: false };
  if (isKnown && !reopened) return { step: 'goes on', events: [], isOpen: true };
  const from = isKnown ? null : by.from;
  const event = { type: 'SessionLinked', conversation, from, reopened } as const;
  return { step: from === null ? 'goes on' : 'begins', events: [event], isOpen: true };
}

interface Beginning {
  /** `start`: a person asks for a new one. */
  moment: Happening['moment'] | 'start';
  /** True where nothing but the moment itself is to be noted. */
  isBare: boolean;
  /** The conversation that was taken over, or null. */
  from: string | null;
  /** The session that was given up before, or null. */
  previous: string | null;
}

/** The sessions that may be a conversation's, in the order in which they are tried: after its last one come new ones. */
function* candidates(own: Conversation, taken: string | null): Generator<{ stream: string; isOwn: boolean }> {
  const first = nameOfSession(own.session_id, 1);
  for (const stream of [taken, own.session])
    if (stream !== null) yield { stream, isOwn: stream === first || stream.startsWith(`${first}~`) };
  const [, number = '1'] = own.session?.startsWith(first) ? own.session.split('~') : ['', '0'];
  for (let next = Number(number) + 1; next <= MOST_SESSIONS; next++)
    yield { stream: nameOfSession(own.session_id, next), isOwn: true };
}

/**
 * Something has happened in a conversation whose session has not begun, or has ended: the one that it belongs to is found
 * under the lock of its stream, so that processes which come at once find the same.
 *
 * @param input.rest what is appended with the beginning, of a new session or of one that was there
 * @returns the name of the session, and whether it is open now; null where none is to begin
 */
export function beginSession(
  paths: ProjectPaths,
  own: Conversation,
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
    const begin = (lines: readonly Json[]): readonly LogEvent[] => {
      const session = sessionIn(lines, stream);
      // A stream that is gone, of another conversation, is not made anew under its name.
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
      patchConversation(paths, left.session_id, { session_open: false });
    // What began elsewhere and was not ended is looked for when another one begins.
    if (became.step === 'begins') endDead(paths, own.session_id, now);
    return { stream, isOpen: became.isOpen };
  }
  throw new Error(`More than ${MOST_SESSIONS} sessions of conversation "${own.session_id}"`);
}

/**
 * Ends a session that is active, whatever its conversations are at.
 * @returns the session as it was; null where there is no such stream
 */
export function endSession(paths: ProjectPaths, stream: string, end: LogEvent, now: number): Session | null {
  let before = null as Session | null;
  const append = (lines: readonly Json[]): readonly LogEvent[] => {
    before = sessionIn(lines, stream);
    return before?.status === 'active' ? [end] : [];
  };
  appendEvents(paths, stream, append, { now, wait: LONG_WAIT, isWhole: true });
  for (const id of before?.conversations ?? [])
    if (stateOf(paths, id)?.session === stream) patchConversation(paths, id, { session_open: false });
  return before;
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
        (lines) => {
          const session = sessionIn(lines, stream);
          const isOpen = session?.status === 'active' && !isShared(paths, session, id, now);
          return isOpen ? [endOf(state)] : [];
        },
        { now, isWhole: true },
      );
      patchConversation(paths, id, { session_open: false });
    } catch {
      // the next one that begins tries again
    }
  }
}
