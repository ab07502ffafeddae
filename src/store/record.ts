// How does what a hook has done get into the stream of its session?
import { eventsOf, type Happening } from '../model/audit.ts';
import { type LogEvent, noted } from '../model/log-event.ts';
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
 * Appends the events of one hook, all in one write, to the session of its conversation; work begins one where there is
 * none. A conversation of which nothing is kept yet has none either: whether it is a fork cannot be told.
 */
export function record(paths: ProjectPaths, happening: Happening, now: number): void {
  const { conversation, moment, done, sight, abandonOn } = happening;
  const own = readConversation(paths, conversation);
  if (own === null) return;
  const events = eventsOf(conversation, done, sight);
  const ended = done.map((each) =>
    'patch' in each && each.conversation === conversation ? each.patch.ended : null,
  );
  const end = ended.find((each) => each != null) ?? null;
  // The end of a conversation opens nothing again, whatever it brings along.
  const open = own.session_open || end !== null ? own.session : null;
  const isBegin = moment !== 'other' && !own.session_open;
  if (events.length === 0 && !isBegin && (end === null || !own.session_open)) return;

  const given = abandoned(conversation, events, abandonOn);
  const close = (session: Session | null): LogEvent[] => {
    if (end === null || (session !== null && isShared(paths, session, conversation, now))) return given;
    const reason = noted(end.reason);
    return [{ type: 'SessionCompleted', conversation, reason, cause: 'conversation' }];
  };
  let stream = open;
  try {
    if (open === null) {
      const rest = (session: Session | null): LogEvent[] => [...events, ...close(session)];
      stream = beginSession(paths, own, { rest, isAsked: moment === 'prompt' || events.length > 0, now });
    } else if (end === null) appendEvents(paths, open, [...events, ...given], { now });
    else {
      const rest = (session: Session | null): LogEvent[] =>
        session?.status === 'active' ? [...events, ...close(session)] : events;
      appendEvents(paths, open, (log) => rest(sessionOf(log.events)), { now });
    }
  } catch (error) {
    // Where nothing can be written, not every later prompt tries it again; somebody else's lock is soon given back.
    if (isBegin && !(error instanceof Locked)) patchConversation(paths, conversation, { session_open: true });
    throw error;
  }
  if (stream === null) return;
  const session_open = end === null && given.length === 0;
  if (stream !== own.session || session_open !== own.session_open)
    patchConversation(paths, conversation, { session: stream, session_open });
}
