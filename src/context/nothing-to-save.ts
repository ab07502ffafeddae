// Decides whether a prompt or tool call leaves the state of its session as it is, so that nothing but a line can be due.

import type { SessionState } from '../sessions/session-state.ts';
import { isCompactionDue } from './assessment.ts';
import type { SessionSnapshot } from './context-status.ts';
import { findUnansweredBoundary } from './usage.ts';

/** Bytes at the beginning of a transcript that are searched for the first answer. */
export const HEAD_BYTES = 2 * 1024 * 1024;
/** Bytes of a transcript that every hook reads again before the state is written once more. */
export const UNSEEN_BYTES = 256 * 1024;
/** Bytes of a transcript that a process reads within some 10 ms more: they can wait for the next one. */
export const UNKEPT_BYTES = 512 * 1024;
/** Below this usage no tier of a 200,000 window is above LOW with any preset (C4 WARNING: half of 167,000 or less). */
const CAUTION = 30_000;

/** Whether the first answer is known, or known not to be near the beginning. */
export const isHeadKnown = (state: SessionState): boolean =>
  state.first_answer_tokens !== null || state.transcript_position.offset > HEAD_BYTES;

/**
 * Whether an alert, a handoff or a notice may be due, or what was said may count no more: the full path finds out.
 * @param isWorkflowSame whether the workflow's file is as the state knows it
 */
export function mayOweWords(
  event: { isPrompt: boolean; transcript: string | null },
  { state, hasFallen }: SessionSnapshot & { state: SessionState },
  isWorkflowSame: boolean,
): boolean {
  return (
    hasFallen ||
    state.off ||
    !state.active ||
    state.ended !== null ||
    state.transcript !== event.transcript ||
    state.pending_compaction !== null ||
    state.received_handoff?.status === 'leased' ||
    state.handoff_due !== null ||
    (state.dropped !== null && event.isPrompt) ||
    state.resumed_by !== null ||
    !isWorkflowSame ||
    state.finished_subagents !== null
  );
}

/** Whether what is seen now is in the state already, or another hook keeps the usage, and nothing that was said waits to be confirmed. */
export function isStateCurrent(snapshot: SessionSnapshot & { state: SessionState }, isKept = false): boolean {
  const { state, scan, epoch, assessment } = snapshot;
  if (scan === null) return false;
  const tokens = assessment.reading.tokens ?? 0;
  return (
    (isKept || (!snapshot.hasRisen && tokens <= (assessment.autoCompactAt.tokens ?? tokens))) &&
    state.alert?.status !== 'leased' &&
    state.compaction_not_in_transcript === null &&
    state.unanswered_boundary === (findUnansweredBoundary(scan.facts)?.offset ?? null) &&
    state.epoch === epoch.number &&
    state.transcript_position.boundaries === epoch.boundaries &&
    scan.end - state.transcript_position.offset <= UNSEEN_BYTES &&
    (state.client_stores_hook_output || scan.facts.injections.length === 0) &&
    Object.entries(snapshot.largeWindowByModel).every(
      ([model, marked]) => state.large_window_by_model[model] === marked,
    ) &&
    (tokens === 0 || snapshot.firstAnswerTokens !== null || isHeadKnown(state)) &&
    (assessment.tierIfStandardWindow === null || tokens < CAUTION || state.warned_for_200k === epoch.number)
  );
}

/** Whether nothing has to be saved and nothing is due; in all other cases the full path decides. */
export function hasNothingToSave(
  event: { isPrompt: boolean; transcript: string | null },
  snapshot: SessionSnapshot,
  isWorkflowSame: (state: SessionState) => boolean,
): boolean {
  const { state } = snapshot;
  if (state === null || snapshot.scan === null) return false;
  const seen = { ...snapshot, state };
  // Where the client compacts now, its own hook before that keeps the usage.
  const isKept = !event.isPrompt && isCompactionDue(snapshot.assessment);
  return !mayOweWords(event, seen, isWorkflowSame(state)) && isStateCurrent(seen, isKept);
}
