// Tells a workflow's file truly: as the present, as possibly outdated with its age, or as history in one line.

import { formatAge } from '../../text/ago.ts';
import { fitInline } from '../../text/lines.ts';
import type { OrchestrationState } from './resumption.ts';
import { isOlderThanDay, workflowVoice, writtenAt } from './workflow-status.ts';

const phaseText = ({ current_phase: phase, current_phase_name: name }: OrchestrationState): string[] =>
  phase === null
    ? []
    : [`Phase ${fitInline(String(phase), 12)}${name === null ? '' : ` (${fitInline(name, 24)})`}`];

/** Where the workflow stands, in a few words. */
export const workflowPlace = (state: OrchestrationState): string =>
  [
    ...phaseText(state),
    ...(state.current_activity === null ? [] : [fitInline(state.current_activity, 36)]),
  ].join(', ');

/** Whether a section that is outdated, but not over, was written within the last day. */
export function isOfTheDay(state: OrchestrationState, now: number): boolean {
  return workflowVoice(state, now) === 'outdated' && !isOlderThanDay(state, now);
}

/** How long ago the section was written, in words; '' where that is not known. */
function agoWritten(state: OrchestrationState, now: number): string {
  const at = writtenAt(state);
  return at === null ? '' : formatAge(Math.max(0, now - at) / 1_000);
}

/** The one line on a workflow that is not told as the present; null for one that is. */
export function workflowAside(state: OrchestrationState, now: number): string | null {
  const voice = workflowVoice(state, now);
  if (voice === 'current') return null;
  const age = agoWritten(state, now);
  const name = fitInline(state.workflow_id ?? state.path, 24);
  if (voice === 'history')
    return `WORKFLOW (history): ${name} is ${fitInline(state.workflow_status ?? '', 8)}${age === '' ? '' : `, ${age}`}`;
  const place = workflowPlace(state);
  return `WORKFLOW FILE (possibly outdated, updated ${age}): ${name}${place === '' ? '' : `, ${place}`}`;
}

/** A workflow that may be outdated, by name and age; null for any other. */
export function outdatedWorkflow(state: OrchestrationState | null, now: number): string | null {
  if (state === null || workflowVoice(state, now) !== 'outdated') return null;
  return `workflow ${state.workflow_id ?? state.path} (possibly outdated, updated ${agoWritten(state, now)})`;
}
