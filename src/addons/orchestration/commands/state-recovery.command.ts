// Runs `plimsoll state phase`, `activity`, `status` and `next`: changes the recovery state in the state file.

import { type Output, UserError } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import type { DataMap } from '../../../text/data.ts';
import {
  changeActivity,
  changeNext,
  changePhase,
  changeStatus,
  parseStatus,
  STATUSES,
} from '../state/recovery.ts';
import { recoveryField, sectionOf } from '../state/section.ts';
import { changeState, phaseFrom, type StateOptions, tell, words } from './find-state.io.ts';

export interface PhaseOptions extends StateOptions {
  name?: string;
  activity?: string;
  next?: string;
}

/** The fields of the recovery state that a command may have changed. */
const told = (top: DataMap): Record<string, unknown> => {
  const section = sectionOf(top);
  const field = (name: string): unknown => recoveryField(section, name) ?? null;
  return {
    current_phase: field('current_phase'),
    current_phase_name: field('current_phase_name'),
    workflow_status: field('workflow_status'),
    current_activity: field('current_activity'),
    next_step: field('next_step'),
  };
};

function recover(
  place: ProjectContext,
  options: StateOptions,
  output: Output,
  by: (top: DataMap) => DataMap,
  line: (data: Record<string, unknown>) => string,
): void {
  let data: Record<string, unknown> = {};
  const change = changeState(place, options, (top) => {
    const after = by(top);
    data = told(after);
    return after;
  });
  tell(place, change, options, output, { line: line(data), data });
}

export function statePhase(
  place: ProjectContext,
  given: string,
  options: PhaseOptions,
  output: Output,
): void {
  const { name, activity, next } = options;
  const phase = {
    phase: phaseFrom(given),
    ...(name === undefined ? {} : { name: words(name, 'name') }),
    ...(activity === undefined ? {} : { activity: words(activity, 'activity') }),
    ...(next === undefined ? {} : { next: words(next, 'next step') }),
  };
  recover(
    place,
    options,
    output,
    (top) => changePhase(top, phase),
    (data) =>
      `Phase ${data.current_phase}${data.current_phase_name === null ? '; --name NAME gives it a name' : ` (${data.current_phase_name})`}`,
  );
}

export function stateActivity(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  const activity = words(given, 'activity');
  recover(
    place,
    options,
    output,
    (top) => changeActivity(top, activity),
    () => `Activity: ${activity}`,
  );
}

export function stateNext(place: ProjectContext, given: string, options: StateOptions, output: Output): void {
  const next = words(given, 'next step');
  recover(
    place,
    options,
    output,
    (top) => changeNext(top, next),
    () => `Next step: ${next}`,
  );
}

export function stateStatus(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  const status = parseStatus(given);
  if (status === null) {
    throw new UserError(`"${given}" is no status of a workflow`, {
      hint: `one of ${STATUSES.join(', ')}`,
      code: 2,
    });
  }
  recover(
    place,
    options,
    output,
    (top) => changeStatus(top, status),
    () => `Workflow status: ${status}`,
  );
}
