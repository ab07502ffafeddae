// What comes next, as a rule decides it, never a model?
import { askedFor } from './asked.ts';
import type { OrchestrationState } from './resumption.ts';
import { nextStepOf, shorten, type Work } from './work.ts';

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
export function isOutdatedStep(step: string, state: OrchestrationState): boolean {
  const current = state.current_gate?.toLowerCase();
  const words = step.toLowerCase().replace(/[- ]iteration[- ]/g, ' iteration ');
  const passed = state.quality?.gates_completed.map((gate) => gate.toLowerCase()) ?? [];
  return passed.some((gate) => gate !== current && words.includes(`${gate} iteration `));
}

/**
 * The next action: what a gate under way asks for with the file's own next step, else that step, else the open task,
 * else the request that was being worked on.
 */
export function nextAction(work: Work, state: OrchestrationState | null): string | null {
  const noted = state?.next_step ?? null;
  const step = noted === null || state === null || isOutdatedStep(noted, state) ? null : noted;
  const gate = gateAction(state?.current_activity ?? null, state?.current_gate ?? null);
  if (gate !== null) return step === null ? gate : `${gate} Noted as next step: ${step}`;
  if (step !== null && step !== '') return step;
  const task = nextStepOf(work);
  if (task !== null) return task;
  const asked = askedFor(work.requests);
  if (asked === null) return null;
  // What was asked stands whole beside this: here its beginning is enough.
  const [request, before] = [asked.request, asked.before ?? ''].map((each) => shorten(each, 120));
  return `Continue: ${request}${before === '' ? '' : ` (asked before: ${before})`}`;
}
