// How a workflow may be told: whether it is under way, over, or possibly outdated.
import type { OrchestrationState } from './resumption.ts';
import { updatedAt } from './staleness.ts';

/** Whether a workflow of that status is. */
export const isActive = (status: string | null | undefined): boolean =>
  /^(?:active|in[ _-]?progress)$/i.test(status ?? '');

/** - `current`: it may be told as what is; - `outdated`: with its age, as possibly outdated; - `history`: it is over. */
export type WorkflowVoice = 'current' | 'outdated' | 'history';

const OVER = /^(?:complete|completed|done|finished|abandoned|cancell?ed|failed|archived)$/i;
const DAY_MS = 24 * 3_600_000;

/** When the section was written, in ms; null where neither it nor its file says so. */
export function writtenAt({ updated_at, section }: OrchestrationState): number | null {
  const file = section?.file_changed_at ?? null;
  const at = updatedAt(updated_at, file === null ? Number.POSITIVE_INFINITY : Date.parse(file));
  return Number.isFinite(at) ? at : null;
}

/**
 * How a workflow's section may be told: it is outdated when it is older than the phase that it names, than the session, or
 * than a day. What is not known to be older is taken as it is.
 *
 * @param now in ms since the epoch
 */
export function workflowVoice(state: OrchestrationState, now: number): WorkflowVoice {
  if (OVER.test(state.workflow_status ?? '')) return 'history';
  const at = writtenAt(state);
  if (at === null) return 'current';
  const { session_since = null, phase_since = null } = state.section ?? {};
  const isOlder = [session_since, phase_since].some((since) => since !== null && at < Date.parse(since));
  return isOlder || isOlderThanDay(state, now) ? 'outdated' : 'current';
}

/** Whether a section was last written more than a day ago; what is not known to be older is taken as it is. */
export function isOlderThanDay(state: OrchestrationState, now: number): boolean {
  const at = writtenAt(state);
  return at !== null && now - at > DAY_MS;
}
