// Tells a workflow's file truly: as the present, as possibly outdated with its age, or as history in one line.
import type { OrchestrationState } from '../model/resumption.ts';
import { updatedAt } from '../model/staleness.ts';
import { ago } from '../tags/ago.ts';
import { say } from '../tags/lines.ts';

/** - `current`: it may be told as what is; - `outdated`: with its age, as possibly outdated; - `history`: it is over. */
export type WorkflowVoice = 'current' | 'outdated' | 'history';

const OVER = /^(?:complete|completed|done|finished|abandoned|cancell?ed|failed|archived)$/i;
const DAY_MS = 24 * 3_600_000;

/** When the section was written, in ms; null where neither it nor its file says so. */
export function writtenAt({ updated_at, section }: OrchestrationState): number | null {
  const file = section?.file_changed_at ?? null;
  const at = updatedAt(updated_at, file === null ? Number.NaN : Date.parse(file));
  return Number.isNaN(at) ? null : at;
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
  return isOlder || now - at > DAY_MS ? 'outdated' : 'current';
}

const phaseText = ({ current_phase: phase, current_phase_name: name }: OrchestrationState): string[] =>
  phase === null ? [] : [`Phase ${say(String(phase), 12)}${name === null ? '' : ` (${say(name, 24)})`}`];

/** Where the workflow stands, in a few words. */
export const workflowPlace = (state: OrchestrationState): string =>
  [...phaseText(state), ...(state.current_activity === null ? [] : [say(state.current_activity, 36)])].join(
    ', ',
  );

/** The one line on a workflow that is not told as the present; null for one that is. */
export function workflowAside(state: OrchestrationState, now: number): string | null {
  const voice = workflowVoice(state, now);
  if (voice === 'current') return null;
  const at = writtenAt(state);
  const age = at === null ? '' : `, ${ago(Math.max(0, now - at) / 1_000)}`;
  const name = say(state.workflow_id ?? state.path, 24);
  if (voice === 'history')
    return `WORKFLOW (history): ${name} is ${say(state.workflow_status ?? '', 8)}${age}`;
  const place = workflowPlace(state);
  return `WORKFLOW FILE (possibly outdated, updated${age.slice(1)}): ${name}${place === '' ? '' : `, ${place}`}`;
}
