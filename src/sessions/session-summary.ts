// Folds what is kept of a session, its events and its state, into how it stands: status, times, counts, and where it went on.
import type { EventType, LoggedEvent } from './log-event.ts';
import type { SessionState } from './session-state.ts';

/** What is counted, as it is said of one. */
export const COUNTS = {
  compactions: 'compaction',
  checkpoints: 'checkpoint',
  tier_rises: 'tier rise',
  alerts: 'alert',
  alerts_repeated: 'repeated alert',
  alerts_undelivered: 'undelivered alert',
  handoffs: 'handoff',
  agents: 'agent',
  gates_scored: 'gate result',
  violations: 'violation',
} as const;

/** How often each thing happened. */
export type SessionCounts = Record<keyof typeof COUNTS, number>;

export interface SessionSummary {
  id: string;
  /** `ended`: its end came, or it died; what is left to do there is another question (`open_tasks`). */
  status: 'running' | 'ended' | 'dropped';
  /** ISO times; null where they are not known. */
  started: string | null;
  ended: string | null;
  last: string | null;
  /** Why it ended or was dropped. */
  reason: string | null;
  /** Who dropped it: a `person`, or the setting session.abandon_on (`emergency`, `compaction`). */
  cause: string | null;
  /** The session whose work it was handed, and the one that was handed its work. */
  continues: string | null;
  continued_in: string | null;
  counts: SessionCounts;
}

const COUNTED: Partial<Record<EventType, keyof SessionCounts>> = {
  CompactionDetected: 'compactions',
  CheckpointCreated: 'checkpoints',
  ContextThresholdReached: 'tier_rises',
  AlertLeased: 'alerts',
  AlertRepeated: 'alerts_repeated',
  ResumptionDelivered: 'handoffs',
  AgentCompleted: 'agents',
  GateScored: 'gates_scored',
  GuardrailViolated: 'violations',
};

function countsOf(events: readonly LoggedEvent[]): SessionCounts {
  const counts = Object.fromEntries(Object.keys(COUNTS).map((name) => [name, 0])) as SessionCounts;
  for (const event of events) {
    const counted = COUNTED[event.type];
    if (counted !== undefined) counts[counted]++;
    if (event.type === 'AlertDelivered' && event.status === 'undelivered') counts.alerts_undelivered++;
  }
  return counts;
}

interface Standing {
  ended: { at: string; reason: string } | null;
  dropped: { at: string; reason: string; cause: string } | null;
}

/** How a session stands by its log alone: for one whose state is gone or unreadable. */
function standingOf(events: readonly LoggedEvent[]): Standing {
  let standing: Standing = { dropped: null, ended: null };
  for (const event of events) {
    if (event.type === 'SessionResumed') standing = { dropped: null, ended: null };
    if (event.type === 'SessionEnded') standing = { ...standing, ended: event };
    if (event.type === 'SessionAbandoned') standing = { ...standing, dropped: event };
  }
  return standing;
}

/** @param isRunning whether it is running, as far as is known */
export function summarizeSession(
  id: string,
  events: readonly LoggedEvent[],
  state: SessionState | null,
  isRunning: boolean,
): SessionSummary {
  const { dropped, ended }: Standing = state ?? standingOf(events);
  const last = events.at(-1)?.at ?? null;
  const handoff = state?.received_handoff ?? null;
  return {
    id,
    status: dropped !== null ? 'dropped' : isRunning && ended === null ? 'running' : 'ended',
    started: events[0]?.at ?? state?.started ?? null,
    ended: dropped?.at ?? ended?.at ?? null,
    last: last ?? ended?.at ?? null,
    reason: dropped?.reason ?? ended?.reason ?? (isRunning ? null : 'it never said that it ended'),
    cause: dropped?.cause ?? null,
    continues: handoff === null || handoff.status === 'undelivered' ? null : handoff.from,
    continued_in: state?.resumed_by?.status === 'taken' ? state.resumed_by.session_id : null,
    counts: countsOf(events),
  };
}
