// How does what a hook has done get into the stream of its session?
import { endOf, eventsOf } from '../model/audit.ts';
import type { Json } from '../model/json.ts';
import { type LogEvent, noted } from '../model/log-event.ts';
import type { Happening } from '../model/outcome.ts';
import { Locked } from '../platform/lock.ts';
import { appendEvents } from './append-events.ts';
import { patchConversation, readConversation } from './conversations.ts';
import type { ProjectPaths } from './paths.ts';

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

const completed = (conversation: string, end: { reason: string }): LogEvent => ({
  type: 'SessionCompleted',
  conversation,
  reason: noted(end.reason),
  cause: 'conversation',
});

/** Notes the end of a conversation: its session is completed with it, unless it is over, or goes on in another one. */
async function close(
  paths: ProjectPaths,
  stream: string,
  input: { conversation: string; events: readonly LogEvent[]; end: { reason: string }; now: number },
): Promise<void> {
  const { conversation, events, end, now } = input;
  const last = [...events, completed(conversation, end)];
  let isAlone = true;
  const alone = (lines: readonly Json[]): readonly LogEvent[] => {
    isAlone = lines.every((line) => line.conversation === conversation);
    if (!isAlone) return [];
    const standing = lines.findLast(({ type }) => /^Session/.test(String(type)))?.type;
    return standing === 'SessionStarted' || standing === 'SessionLinked' ? last : events;
  };
  appendEvents(paths, stream, alone, { now, isWhole: true });
  if (isAlone) return;
  const { isShared, sessionIn } = await import('./sessions.ts');
  const among = (lines: readonly Json[]): readonly LogEvent[] => {
    const session = sessionIn(lines, stream);
    const isOver = session?.status !== 'active' || isShared(paths, session, conversation, now);
    return isOver ? events : last;
  };
  appendEvents(paths, stream, among, { now, isWhole: true });
}

/**
 * Appends the events of one hook, all in one write, to the session of its conversation. Work begins one where there is none,
 * or goes on with one that has ended; everything else is noted in it as it stands. A conversation of which nothing is kept
 * yet has none: whether it is a fork cannot be told.
 */
export async function record(paths: ProjectPaths, happening: Happening, now: number): Promise<void> {
  const { conversation, moment, abandonOn } = happening;
  const own = readConversation(paths, conversation);
  if (own === null) return;
  const events = eventsOf(happening);
  const end = endOf(happening);
  const isBegin = moment !== 'other' && !own.session_open;
  if (events.length === 0 && !isBegin && (end === null || !own.session_open)) return;

  const given = abandoned(conversation, events, abandonOn);
  const stream = own.session_open || end !== null ? own.session : null;
  let begun: { stream: string; isOpen: boolean } | null = null;
  try {
    if (stream === null) {
      const { beginSession } = await import('./sessions.ts');
      const last = end === null ? given : [completed(conversation, end)];
      const rest = (isNew: boolean): LogEvent[] => [...events, ...(end === null || isNew ? last : [])];
      begun = beginSession(paths, own, { moment, isBare: events.length === 0, rest, now });
    } else {
      if (end === null) appendEvents(paths, stream, [...events, ...given], { now });
      else await close(paths, stream, { conversation, events, end, now });
      begun = { stream, isOpen: own.session_open };
    }
  } catch (error) {
    // Where nothing can be written, not every later prompt tries it again; somebody else's lock is soon given back.
    if (isBegin && !(error instanceof Locked)) patchConversation(paths, conversation, { session_open: true });
    throw error;
  }
  if (begun === null) return;
  const patch = { session: begun.stream, session_open: begun.isOpen && end === null && given.length === 0 };
  const isNew = patch.session !== own.session || patch.session_open !== own.session_open;
  if (isNew) patchConversation(paths, conversation, { ...patch, ...(isBegin ? { active: true } : {}) });
}

/** Notes in the session's stream that a tool call was not let through as it was; a conversation that is unknown has none. */
export function recordViolation(
  paths: ProjectPaths,
  conversation: string,
  violation: { rule: string; tool: string; verdict: string },
  now: number,
): void {
  const stream = readConversation(paths, conversation)?.session ?? null;
  if (stream === null) return;
  const event: LogEvent = {
    type: 'GuardrailViolated',
    conversation,
    ...violation,
    tool: noted(violation.tool),
  };
  appendEvents(paths, stream, [event], { now });
}
