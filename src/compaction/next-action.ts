// Finds the next action where the workflow or the task list names one.

import { openTasks, type Work } from './work.ts';
import type { OrchestrationState } from './workflow/workflow.ts';

/** `qg-2-iteration-1`, `qg-2 iteration 1`, `qg-final-iteration-2-revision`. */
const ITERATION = /^(.+?)[- ]iteration[- ](\d+)([- ]revision)?$/i;

/**
 * What an iteration of a quality gate asks for after its context was lost (OQ-R3): half a scoring counts for nothing and
 * is begun anew; where all scores are in and the revision is pending, that comes first.
 *
 * @param current the gate in progress as the file has it, whatever it is called
 */
export function gateAction(activity: string | null, current: string | null = null): string | null {
  const [, gate, iteration, revision] = ITERATION.exec(activity?.trim() ?? '') ?? [];
  if (gate === undefined) return null;
  // Other things have iterations, too: a gate is what is named like one, or stands as the current one.
  if (!/^qg[-\w]*$/i.test(gate) && gate.toLowerCase() !== current?.toLowerCase()) return null;
  const name = gate.toUpperCase();
  return revision === undefined
    ? `Restart ${name} iteration ${iteration}. Re-read the deliverables and run all required strategies.`
    : `Apply the revision from the findings of ${name} iteration ${iteration}, then run iteration ${Number(iteration) + 1}.`;
}

/** Whether a step is about an iteration of a gate that is passed since: nobody has noted a new one. */
function isOutdated(step: string, state: OrchestrationState): boolean {
  const current = state.current_gate?.toLowerCase();
  const words = step.toLowerCase().replace(/[- ]iteration[- ]/g, ' iteration ');
  const passed = state.quality?.gates_completed.map((gate) => gate.toLowerCase()) ?? [];
  return passed.some((gate) => gate !== current && words.includes(`${gate} iteration `));
}

/** The workflow's own next step, and what a gate under way asks for; null where it knows none. */
export function workflowStep(state: OrchestrationState): string | null {
  const noted = state.next_step ?? '';
  const step = noted === '' || isOutdated(noted, state) ? null : noted;
  const gate = gateAction(state.current_activity, state.current_gate);
  return gate === null ? step : step === null ? gate : `${gate} Noted as next step: ${step}`;
}

/** The next action as far as something names one, and what that is: the workflow, or the task list; never guessed. */
export function nextAction(work: Work, state: OrchestrationState | null): string | null {
  const step = state === null ? null : workflowStep(state);
  if (step !== null) return step;
  const open = openTasks(work);
  const running = open.find(({ status }) => status === 'in_progress');
  if (running !== undefined) return `Task in progress: ${running.subject}`;
  return open[0] === undefined ? null : `First pending task: ${open[0].subject}`;
}
