// Folds the events of one stream into the `Session` that they describe: status, conversations, and counts.
import type { EventType, LoggedEvent } from './log-event.ts';

export type SessionStatus = 'active' | 'completed' | 'abandoned';

/** How often each thing happened. */
export interface SessionCounts {
  compactions: number;
  checkpoints: number;
  tier_rises: number;
  alerts: number;
  alerts_repeated: number;
  alerts_undelivered: number;
  resumptions: number;
  agents: number;
  gates_scored: number;
  violations: number;
}

export interface Session {
  /** The name of its stream. */
  id: string;
  status: SessionStatus;
  /** ISO times; null where it has not ended. */
  started: string;
  ended: string | null;
  last: string;
  /** Why it ended, or null. */
  reason: string | null;
  /** What ended it: `conversation`, `person`, `emergency`, `compaction`, `died`; or null. */
  cause: string | null;
  /** Ids of the conversations that belong to it, the first one first. */
  conversations: string[];
  /** The session that was given up before this one by the same conversation, or null. */
  previous: string | null;
  counts: SessionCounts;
}

const COUNTED: Partial<Record<EventType, keyof SessionCounts>> = {
  CompactionDetected: 'compactions',
  CheckpointCreated: 'checkpoints',
  ContextThresholdReached: 'tier_rises',
  AlertLeased: 'alerts',
  AlertRepeated: 'alerts_repeated',
  ResumptionDelivered: 'resumptions',
  AgentCompleted: 'agents',
  GateScored: 'gates_scored',
  GuardrailViolated: 'violations',
};

const noCounts = (): SessionCounts => ({
  compactions: 0,
  checkpoints: 0,
  tier_rises: 0,
  alerts: 0,
  alerts_repeated: 0,
  alerts_undelivered: 0,
  resumptions: 0,
  agents: 0,
  gates_scored: 0,
  violations: 0,
});

/** What one more event changes about a session. */
function withEvent(session: Session, event: LoggedEvent): Session {
  const counts = { ...session.counts };
  const counted = COUNTED[event.type];
  if (counted !== undefined) counts[counted]++;
  const now: Session = { ...session, last: event.at, counts };
  const { conversation } = event;
  if (conversation !== null && !session.conversations.includes(conversation))
    now.conversations = [...session.conversations, conversation];
  switch (event.type) {
    case 'SessionStarted':
      return { ...now, previous: session.previous ?? event.previous };
    case 'SessionLinked':
      // Work that goes on is no end, whatever was noted before.
      return event.reopened ? { ...now, status: 'active', ended: null, reason: null, cause: null } : now;
    case 'AlertDelivered':
      if (event.status === 'undelivered') counts.alerts_undelivered++;
      return now;
    case 'SessionCompleted':
    case 'SessionAbandoned': {
      const status = event.type === 'SessionAbandoned' ? 'abandoned' : 'completed';
      return { ...now, status, ended: event.at, reason: event.reason, cause: event.cause };
    }
    default:
      return now;
  }
}

/** The session that a stream holds; null for a stream without events. */
export function buildSession(events: readonly LoggedEvent[]): Session | null {
  const [first] = events;
  if (first === undefined) return null;
  const begun: Session = {
    id: first.stream,
    status: 'active',
    started: first.at,
    ended: null,
    last: first.at,
    reason: null,
    cause: null,
    conversations: [],
    previous: null,
    counts: noCounts(),
  };
  return events.reduce(withEvent, begun);
}

/**
 * Whether a session that has ended goes on when work in one of its conversations does: it ended with a conversation, or was
 * only taken for dead. What was ended on purpose is over, and what follows is another session.
 */
export const isReopenable = ({ cause }: Session): boolean => cause === 'conversation' || cause === 'died';
