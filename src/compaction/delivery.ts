// Decides where the alert about a compaction stands (say, wait, settled) and what the agent must be told now.

import { findUnansweredBoundary, type TranscriptFacts } from '../context/usage.ts';
import type { Alert, PendingCompaction, SessionPatch, SessionState } from '../sessions/session-state.ts';

export const MAX_TRIES = 3;
/** A boundary follows the start after a compaction by some 100 ms; one that is not there by now was never written (a killed client). */
const FLUSH_MS = 10_000;

/** The words in an alert that identify it in a transcript: its checkpoint and its epoch. */
export const listAlertMarks = (checkpoint: string | null, epoch: number): string[] => [
  '<compaction-alert>',
  `COMPACTION EVENT: ${epoch} of `,
  ...(checkpoint === null ? [] : [`${checkpoint}-checkpoint.json`]),
];

export interface Epoch {
  /** Compactions of the main session so far. */
  number: number;
  /** Main boundaries in the file. */
  boundaries: number;
  /** A compaction that the file does not show yet. */
  unflushed: SessionState['compaction_not_in_transcript'];
  /** Where the last known boundaries stand in the file, in bytes, oldest first. */
  starts: number[];
}

/** Where the present epoch begins in the file, in bytes; 0 before the first compaction. */
export const findSegmentStart = (epoch: Epoch): number => epoch.starts.at(-1) ?? 0;

/** The stretch of the file, in bytes, that the newest compaction has ended. */
export const findEndedSegment = (epoch: Epoch): { from: number; to: number } => ({
  from: epoch.starts.at(-2) ?? 0,
  to: findSegmentStart(epoch),
});

/** Boundaries of this session; a fork brings those of its parent along, with their old times. */
export const ownBoundaries = (state: SessionState | null, facts: TranscriptFacts | null) =>
  (facts?.boundaries ?? []).filter(
    ({ at }) => !(state?.forked_at && at !== null && Date.parse(at) < state.forked_at),
  );

/**
 * The epoch that state and file together show.
 * Epoch = main boundaries in the file, plus one while a start after a compaction is not yet flushed. A main answer
 * after it without a boundary, or no boundary after 10 s, shows that the compaction was not ours (a subagent's) or never
 * happened.
 *
 * @param now milliseconds since the epoch
 */
export function findEpoch(state: SessionState | null, facts: TranscriptFacts | null, now = 0): Epoch {
  const seen = state?.transcript_position ?? { offset: 0, boundaries: 0, last: null };
  const boundary = facts?.boundary ?? null;
  const fresh = ownBoundaries(state, facts).filter((each) => each.offset >= seen.offset);
  const boundaries = seen.boundaries + fresh.length;
  let unflushed = state?.compaction_not_in_transcript ?? null;
  if (unflushed !== null) {
    const isFlushed = boundary !== null && boundary.offset >= unflushed.offset;
    const isRefuted = facts?.usage != null && facts.usage.offset >= unflushed.offset;
    const isOverdue = facts !== null && now - unflushed.at > FLUSH_MS;
    if (isFlushed || isRefuted || isOverdue) unflushed = null;
  }
  return {
    number: unflushed === null ? boundaries : Math.max(unflushed.epoch, boundaries),
    boundaries,
    unflushed,
    starts: [...(seen.last === null ? [] : [seen.last]), ...fresh.map((each) => each.offset)],
  };
}

/**
 * The epoch that a start after a compaction opens. The boundary is usually not in the file yet; where it is, it stands
 * after the offset of the hook before it, or after everything counted before, and is not counted twice.
 */
export function findEpochAtCompaction(
  state: SessionState | null,
  facts: TranscriptFacts | null,
  size: number,
  now = 0,
): { number: number; unflushed: SessionState['compaction_not_in_transcript'] } {
  const { boundaries, unflushed } = findEpoch(state, facts, now);
  const pending = state?.pending_compaction ?? null;
  const boundary = findUnansweredBoundary(facts);
  // No answer since the last boundary, and no hook before a compaction since: this is that boundary's compaction.
  if (boundary !== null && (pending === null || pending.offset <= boundary.offset))
    return { number: boundaries, unflushed: null };
  // The same start may come twice before the boundary does.
  if (facts !== null && unflushed !== null && pending === null) return { number: unflushed.epoch, unflushed };
  const number = Math.max(boundaries, unflushed?.epoch ?? 0) + 1;
  return { number, unflushed: { epoch: number, offset: size, at: now } };
}

/** Whether the state knows every compaction of the file and waits for none: the next one has the number after `epoch`. */
export const isEpochSettled = (state: SessionState): boolean =>
  state.compaction_not_in_transcript === null &&
  state.unanswered_boundary === null &&
  state.epoch === state.transcript_position.boundaries;

/** An alert that was said in the client's own process; a process notes it. */
export interface GivenAlert {
  session: string;
  alert: Omit<Alert, 'status'>;
  /** What it leaves open in the state until the transcript shows the compaction. */
  unflushed: NonNullable<SessionState['compaction_not_in_transcript']>;
}

/** What the state of a session says once the alert about a compaction was said: its arrival is to be proved. */
export const buildLeasePatch = (
  alert: Omit<Alert, 'status'>,
  unflushed: SessionState['compaction_not_in_transcript'],
): SessionPatch => ({
  ...{ epoch: alert.epoch, compaction_not_in_transcript: unflushed },
  ...{ pending_compaction: null, last_announced: null, alert: { ...alert, status: 'leased' } },
});

/** An announced compaction that was followed by a main answer and no boundary led to nothing. */
export function isExpired(pending: PendingCompaction, facts: TranscriptFacts | null): boolean {
  const boundary = facts?.boundary ?? null;
  if (boundary !== null && boundary.offset >= pending.offset) return false;
  return facts?.usage != null && facts.usage.offset >= pending.offset;
}

/** The checkpoint that was written before the newest boundary; one for an earlier boundary is not it. */
function checkpointFor(pending: PendingCompaction | null, facts: TranscriptFacts): string | null {
  if (pending === null || isExpired(pending, facts)) return null;
  return facts.boundaries.filter((each) => each.offset >= pending.offset).length > 1
    ? null
    : pending.checkpoint;
}

export type Lease =
  /** No sign of it was found: say it (again). */
  | { step: 'say'; tries: number }
  /** It was said, and the file cannot show yet whether it arrived. */
  | { step: 'wait' }
  /** Its fate is known. */
  | { step: 'settle'; status: Exclude<Alert['status'], 'leased'>; evidence: string };

export type Delivery =
  | { step: 'nothing' }
  | { step: 'say'; tries: number; checkpoint: string | null }
  | Exclude<Lease, { step: 'say' }>;

/**
 * Whether something that was said has arrived: the client stores what hooks inject, so its own words are looked for
 * behind the place where it was said.
 *
 * @param marks words that identify it, all of which stand in one attachment
 * @param isGone whether the process to which it was said is gone: what it has not written by now, it never will
 */
export function decideLease(
  lease: Pick<Alert, 'tries' | 'offset'>,
  marks: readonly string[],
  state: SessionState,
  facts: TranscriptFacts,
  isGone = false,
): Lease {
  const proof = facts.injections.find(
    (each) => each.offset >= lease.offset && marks.every((mark) => each.text.includes(mark)),
  );
  if (proof) {
    return { step: 'settle', status: 'delivered', evidence: `hook attachment at byte ${proof.offset}` };
  }
  // A provider that reports no usage gives no answers to go by: there the flushed boundary has to do.
  const hasAnswered =
    facts.usage !== null
      ? facts.usage.offset >= lease.offset
      : state.last_seen === null && facts.boundary !== null && facts.boundary.offset >= lease.offset;
  if (!hasAnswered && !isGone) return { step: 'wait' };
  if (!state.client_stores_hook_output && facts.injections.length === 0) {
    return { step: 'settle', status: 'unverified', evidence: 'the client stores no attachments of hooks' };
  }
  if (lease.tries >= MAX_TRIES) {
    return { step: 'settle', status: 'undelivered', evidence: `no trace after ${lease.tries} tries` };
  }
  return { step: 'say', tries: lease.tries + 1 };
}

/** What a later event of the main session has to do about the newest compaction. */
export function findDelivery(
  state: SessionState | null,
  facts: TranscriptFacts | null,
  epoch: Epoch,
  isGone = false,
): Delivery {
  if (facts === null) {
    return state?.alert?.status === 'leased' && state.alert.epoch === epoch.number
      ? { step: 'settle', status: 'unverified', evidence: 'the client keeps no transcript' }
      : { step: 'nothing' };
  }
  if (state === null) {
    const isOwed = findUnansweredBoundary(facts) !== null;
    return isOwed ? { step: 'say', tries: 1, checkpoint: null } : { step: 'nothing' };
  }
  if (epoch.number > state.epoch) {
    return { step: 'say', tries: 1, checkpoint: checkpointFor(state.pending_compaction, facts) };
  }
  const alert = state.alert;
  if (alert === null || alert.status !== 'leased' || alert.epoch !== epoch.number) return { step: 'nothing' };
  const step = decideLease(alert, listAlertMarks(alert.checkpoint, alert.epoch), state, facts, isGone);
  return step.step === 'say' ? { ...step, checkpoint: alert.checkpoint } : step;
}
