// How does what a hook has done get into the stream of its session?
import { endOf, eventsOf } from '../model/audit.ts';
import { type LogEvent, noted } from '../model/log-event.ts';
import type { Happening } from '../model/outcome.ts';
import { type Session, sessionOf } from '../model/session.ts';
import { patchConversation, readConversation } from './conversations.ts';
import { appendEvents } from './events.ts';
import { Locked } from './lock.ts';
import type { ProjectPaths } from './paths.ts';
import { beginSession, isShared } from './sessions.ts';

/** The setting that gives sessions up, at the event that it names. */
function abandoned(
  conversation: string,
  events: readonly LogEvent[],
  on: Happening['abandonOn'],
): LogEvent[] {
  const why = events.find(
    (event) =>
      (on === 'compaction' && event.type === 'CompactionDetected') ||
      (on === 'emergency' && event.type === 'ContextThresholdReached' && event.tier === 'EMERGENCY'),
  );
  if (why === undefined) return [];
  const reason = on === 'compaction' ? 'the context was compacted' : 'the fill reached EMERGENCY';
  return [{ type: 'SessionAbandoned', id: `abandoned:${why.id}`, conversation, reason, cause: on }];
}

/**
 * Appends the events of one hook, all in one write, to the session of its conversation. Work begins one where there is none,
 * or goes on with one that has ended; everything else is noted in it as it stands. A conversation of which nothing is kept
 * yet has none: whether it is a fork cannot be told.
 */
export function record(paths: ProjectPaths, happening: Happening, now: number): void {
  const { conversation, moment, abandonOn } = happening;
  const own = readConversation(paths, conversation);
  if (own === null) return;
  const events = eventsOf(happening);
  const end = endOf(happening);
  const isWork = moment !== 'other';
  const isBegin = isWork && !own.session_open;
  if (events.length === 0 && !isBegin && (end === null || !own.session_open)) return;

  const given = abandoned(conversation, events, abandonOn);
  const close = (session: Session | null): LogEvent[] => {
    if (end === null) return given;
    const isOver =
      session !== null && (session.status !== 'active' || isShared(paths, session, conversation, now));
    const reason = noted(end.reason);
    return isOver ? [] : [{ type: 'SessionCompleted', conversation, reason, cause: 'conversation' }];
  };
  const rest = (session: Session | null): LogEvent[] => [...events, ...close(session)];
  let begun: ReturnType<typeof beginSession> = null;
  try {
    const stream = own.session_open || end !== null ? own.session : null;
    if (stream === null) {
      begun = beginSession(paths, own, { moment, isBare: events.length === 0, rest, now });
    } else {
      appendEvents(paths, stream, end === null ? rest(null) : (log) => rest(sessionOf(log.events)), { now });
      begun = { stream, isOpen: own.session_open };
    }
  } catch (error) {
    // Where nothing can be written, not every later prompt tries it again; somebody else's lock is soon given back.
    if (isBegin && !(error instanceof Locked)) patchConversation(paths, conversation, { session_open: true });
    throw error;
  }
  if (begun === null) return;
  const patch = { session: begun.stream, session_open: begun.isOpen && end === null && given.length === 0 };
  if (patch.session !== own.session || patch.session_open !== own.session_open)
    patchConversation(paths, conversation, { ...patch, ...(isWork ? { active: true } : {}) });
}
