// Reads the quality trajectory from `quality_gates` for a section that does not record one.

import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import { readNumber, readScalarText } from './section.ts';

interface Past {
  id: string;
  isDone: boolean;
  isUnderWay: boolean;
  /** The iteration that is under way, counted from 1. */
  iteration: number | null;
  scores: number[];
  budget: number | null;
}

function pastOf(id: string, gate: Data): Past | null {
  if (!isMap(gate) || id === '') return null;
  const listed = [gate.iteration_history, gate.iterations].find((each) => Array.isArray(each));
  const scored = (Array.isArray(listed) ? listed : []).flatMap(
    (each) => readNumber(isMap(each) ? each.score : each) ?? [],
  );
  const final = readNumber(gate.final_score, gate.score);
  const status = readScalarText(gate.status) ?? '';
  return {
    id,
    isDone: /^(?:pass|passed|complete|completed|done)$/i.test(status),
    isUnderWay: /^(?:in[ _-]?progress|active|running|scoring|revision|revising)$/i.test(status),
    iteration:
      readNumber(gate.current_iteration, gate.iteration) ?? (scored.length > 0 ? scored.length : null),
    scores: scored.length > 0 ? scored : final === null ? [] : [final],
    budget: readNumber(gate.max_iterations),
  };
}

/** The fields of a quality trajectory as `quality_gates` tells them; none where it tells nothing. */
export function buildTrajectory(top: DataMap): DataMap {
  const gates = top.quality_gates ?? null;
  const entries: [string, Data][] = Array.isArray(gates)
    ? gates.map((gate) => [isMap(gate) ? (readScalarText(gate.id) ?? '') : '', gate])
    : isMap(gates)
      ? Object.entries(gates)
      : [];
  const past = entries.flatMap(([id, gate]) => pastOf(id, gate) ?? []);
  if (past.length === 0) return {};
  const scored = past.filter((each) => each.scores.length > 0);
  // The latest one, should the file have several.
  const current = past.findLast((each) => each.isUnderWay);
  const budgets = past.flatMap((each) => each.budget ?? []);
  return {
    gates_completed: past.filter((each) => each.isDone).map((each) => each.id),
    gates_remaining: past.filter((each) => !each.isDone).map((each) => each.id),
    ...(current === undefined ? {} : { current_gate: current.id, current_gate_iteration: current.iteration }),
    score_history: Object.fromEntries(scored.map((each) => [each.id, each.scores])),
    total_iterations_used: scored.reduce((sum, each) => sum + each.scores.length, 0),
    total_iterations_budget:
      budgets.length === past.length ? budgets.reduce((sum, each) => sum + each, 0) : null,
  };
}
