// Writes the events of a hook into the stream of its session, and begins or ends the session with them.

import type { AuditInput } from '../hook/action.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import type { JsonObject } from '../text/json.ts';
import { isError } from '../text/plimsoll-error.ts';
import { appendEvents } from './append-events.io.ts';
import { buildEvents, findSessionEnd } from './audit.ts';
import { type LogEvent, redactOneLine } from './log-event.ts';
import { patchSessionState, readSessionState } from './session-states.io.ts';

/** The event that abandons the session, if one of these events is the one that `session.abandon_on` names. */
function abandoned(
  conversation: string,
  events: readonly LogEvent[],
  on: AuditInput['abandonOn'],
): LogEvent[] {
  const why = events.find(
    (event) =>
      (on === 'compaction' && event.type === 'CompactionDetected') ||
      (on === 'emergency' && event.type === 'ContextThresholdReached' && event.tier === 'EMERGENCY'),
  );
  if (why === undefined) return [];
  const reason = on === 'compaction' ? 'the context was compacted' : 'the context usage reached EMERGENCY';
  return [{ type: 'SessionAbandoned', id: `abandoned:${why.id}`, conversation, reason, cause: on }];
}

const completed = (conversation: string, end: { reason: string }): LogEvent => ({
  type: 'SessionCompleted',
  conversation,
  reason: redactOneLine(end.reason),
  cause: 'conversation',
});

/** Notes the end of a conversation and completes its session, unless that is over or continues in another conversation. */
async function close(
  paths: ProjectPaths,
  stream: string,
  input: { conversation: string; events: readonly LogEvent[]; end: { reason: string }; now: number },
): Promise<void> {
  const { conversation, events, end, now } = input;
  const last = [...events, completed(conversation, end)];
  let isAlone = true;
  const alone = (lines: readonly JsonObject[]): readonly LogEvent[] => {
    isAlone = lines.every((line) => line.conversation === conversation);
    if (!isAlone) return [];
    const standing = lines.findLast(({ type }) => /^Session/.test(String(type)))?.type;
    return standing === 'SessionStarted' || standing === 'SessionLinked' ? last : events;
  };
  appendEvents(paths, stream, alone, { now, isWhole: true });
  if (isAlone) return;
  const { isShared, sessionIn } = await import('./work-sessions.io.ts');
  const among = (lines: readonly JsonObject[]): readonly LogEvent[] => {
    const session = sessionIn(lines, stream);
    const isOver = session?.status !== 'active' || isShared(paths, session, conversation, now);
    return isOver ? events : last;
  };
  appendEvents(paths, stream, among, { now, isWhole: true });
}

/**
 * Appends the events of one hook, all in one write, to the session of its conversation. Work begins a session if there
 * is none, or reopens one that has ended; everything else is noted in the session as it is. A conversation without
 * saved state has no session, because it cannot be told whether it is a fork.
 */
export async function recordEvents(paths: ProjectPaths, happening: AuditInput, now: number): Promise<void> {
  const { conversation, moment, abandonOn } = happening;
  const own = readSessionState(paths, conversation);
  if (own === null) return;
  const events = buildEvents(happening);
  const end = findSessionEnd(happening);
  const isBegin = moment !== 'other' && !own.session_open;
  if (events.length === 0 && !isBegin && (end === null || !own.session_open)) return;

  const given = abandoned(conversation, events, abandonOn);
  const stream = own.session_open || end !== null ? own.session : null;
  let begun: { stream: string; isOpen: boolean } | null = null;
  try {
    if (stream === null) {
      const { beginSession } = await import('./work-sessions.io.ts');
      const last = end === null ? given : [completed(conversation, end)];
      const rest = (isNew: boolean): LogEvent[] => [...events, ...(end === null || isNew ? last : [])];
      begun = beginSession(paths, own, { moment, isBare: events.length === 0, rest, now });
    } else {
      if (end === null) appendEvents(paths, stream, [...events, ...given], { now });
      else await close(paths, stream, { conversation, events, end, now });
      begun = { stream, isOpen: own.session_open };
    }
  } catch (error) {
    // If nothing can be written, later prompts do not try again; but another process's lock is soon released.
    if (isBegin && !isError(error, 'locked', 'lost-lock'))
      patchSessionState(paths, conversation, { session_open: true });
    throw error;
  }
  if (begun === null) return;
  const patch = { session: begun.stream, session_open: begun.isOpen && end === null && given.length === 0 };
  const isNew = patch.session !== own.session || patch.session_open !== own.session_open;
  if (isNew) patchSessionState(paths, conversation, { ...patch, ...(isBegin ? { active: true } : {}) });
}

/** Notes in the session's stream that a tool call was asked about or denied; an unknown conversation has no stream. */
export function recordViolation(
  paths: ProjectPaths,
  conversation: string,
  violation: { rule: string; tool: string; verdict: string },
  now: number,
): void {
  const stream = readSessionState(paths, conversation)?.session ?? null;
  if (stream === null) return;
  const event: LogEvent = {
    type: 'GuardrailViolated',
    conversation,
    ...violation,
    tool: redactOneLine(violation.tool),
  };
  appendEvents(paths, stream, [event], { now });
}
