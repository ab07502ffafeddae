// Puts a workflow into words for messages: its gates with their scores, its decisions, its patterns of defects.
import type { CheckpointDraft } from '../model/checkpoint.ts';
import { own } from '../model/edits.ts';
import { type OrchestrationState, scoredIteration } from '../model/resumption.ts';
import type { Line } from './budget.ts';
import { labelled, say } from './lines.ts';

export function quality(draft: CheckpointDraft): Line[] {
  const state = draft.orchestration_state;
  if (state === null) return [];
  const {
    gates_completed: done = [],
    gates_remaining: left = [],
    lowest_dimension: weak = null,
  } = state.quality ?? {};
  const iteration = state.current_gate_iteration;
  const gate =
    state.current_gate === null
      ? null
      : `${state.current_gate}${iteration === null ? '' : ` (iteration ${iteration})`}`;
  const scored = scoredIteration(state);
  const score =
    state.current_gate_score === null
      ? null
      : `${state.current_gate_score.toFixed(3)}${gate === null ? '' : ` (${state.current_gate}${scored === null ? '' : ` iter ${scored}`})`}`;
  const lines = [
    ...labelled('- Gates completed', done.join(', '), 30, 4),
    ...labelled('- Gates remaining', left.join(', '), 30, 4),
    ...labelled('- Current gate', gate, 24, 3),
    ...labelled('- Last gate score', score, 20, 3),
    ...labelled('- Recurring weak dimension', weak, 16, 4),
    ...labelled('- Scores of the gates completed', gatesWithScores(done, state), 48, 5),
  ];
  return lines.length === 0 ? [] : [{ text: 'QUALITY TRAJECTORY:', rank: 3, isTitle: true }, ...lines];
}

/** `qg-1 (0.825, 0.916, 0.941), qg-2 (0.951)`: each gate with the scores that led through it. */
export const gatesWithScores = (gates: readonly string[], state: OrchestrationState, most = 4): string =>
  gates
    .map((gate) => {
      const scores = (own(state.quality?.score_history ?? {}, gate) ?? []).slice(-most);
      return scores.length === 0 ? gate : `${gate} (${scores.map((each) => each.toFixed(3)).join(', ')})`;
    })
    .join(', ');

type Decision = CheckpointDraft['accumulated_context']['decisions_since_last_checkpoint'][number];

/** `RD-001 (qg-2, iter 1): what was decided. Affects phase 3. (not applied yet)` */
export function decisionLine(each: Decision): string {
  const made = [each.gate ?? null, each.iteration == null ? null : `iter ${each.iteration}`].filter(Boolean);
  const where = made.length === 0 ? '' : ` (${made.join(', ')})`;
  const name = each.id === '' && where === '' ? '' : `${each.id}${where}: `.trimStart();
  const affects = each.affects_phases.length === 0 ? '' : `. Affects phase ${each.affects_phases.join(', ')}`;
  return say(`${name}${each.summary}${affects}${each.applied ? '' : ' (not applied yet)'}`, 72);
}

export function patternLine(pattern: string, gates: readonly string[]): string {
  return say(`${pattern}${gates.length === 0 ? '' : ` (${gates.join(', ')})`}`, 44);
}
