// Writes what a hook has done into the log of its session: the events of what it kept, and the start, end or drop that it comes to.

import type { AuditInput } from '../hook/action.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import type { JsonObject } from '../text/json.ts';
import { buildEvents, buildStartEvent, findSessionEnd } from './derive-events.ts';
import { appendEvents } from './event-log.io.ts';
import { type LogEvent, redactOneLine } from './log-event.ts';
import { patchSessionState, readSessionState } from './session-states.io.ts';

/** Why the setting `session.abandon_on` drops the session at one of these events, or null. */
function dropBy(events: readonly LogEvent[], on: AuditInput['abandonOn']) {
  const why = events.find(
    (event) =>
      (on === 'compaction' && event.type === 'CompactionDetected') ||
      (on === 'emergency' && event.type === 'ContextThresholdReached' && event.tier === 'EMERGENCY'),
  );
  if (why === undefined || on === 'none') return null;
  const reason = on === 'compaction' ? 'the context was compacted' : 'the context usage reached EMERGENCY';
  return { id: `dropped:${why.id}`, reason, cause: on };
}

/** Where a log stands: the last start, end or drop in it; null before its first event. */
function standingIn(last: readonly JsonObject[], isWhole: boolean): string | null {
  const found = last.findLast(({ type }) => /^Session/.test(String(type)))?.type;
  return found === undefined ? (isWhole ? null : 'SessionStarted') : String(found);
}

/**
 * Appends the events of one hook, all in one write. Work begins a session, or resumes one that has ended; a prompt also one
 * that was dropped. A session without saved state has no log, because it cannot be told whether it is a fork.
 */
export function recordEvents(paths: ProjectPaths, input: AuditInput, now: number): void {
  const { session: id, moment, abandonOn } = input;
  const own = readSessionState(paths, id);
  if (own === null) return;
  const events = buildEvents(input);
  // A start that nothing followed is no session.
  if (!own.active && events.length === 0) return;
  const end = findSessionEnd(input);
  const drop = dropBy(events, abandonOn);
  const written = appendEvents(
    paths,
    id,
    (last, isWhole) => {
      const standing = standingIn(last, isWhole);
      const isResumed =
        moment !== 'other' &&
        (standing === 'SessionEnded' || (standing === 'SessionAbandoned' && moment === 'prompt'));
      return [
        ...(standing === null ? [buildStartEvent(own)] : []),
        ...(isResumed ? [{ type: 'SessionResumed' } as const] : []),
        ...events,
        ...(drop === null ? [] : [{ type: 'SessionAbandoned', ...drop } as const]),
        ...(end === null || standing === 'SessionEnded'
          ? []
          : [{ type: 'SessionEnded', reason: redactOneLine(end.reason) } as const]),
      ];
    },
    { now },
  );
  if (drop === null || !written.some(({ type }) => type === 'SessionAbandoned')) return;
  const { reason, cause } = drop;
  patchSessionState(paths, id, { dropped: { at: new Date(now).toISOString(), reason, cause } });
}

/** Notes that a tool call was asked about or denied; a session without saved state has no log. */
export function recordViolation(
  paths: ProjectPaths,
  session: string,
  violation: { rule: string; tool: string; verdict: string },
  now: number,
): void {
  if (readSessionState(paths, session) === null) return;
  const event: LogEvent = { type: 'GuardrailViolated', ...violation, tool: redactOneLine(violation.tool) };
  appendEvents(paths, session, [event], { now });
}
