// Runs `plimsoll state decision …`: adds decisions to the state file, marks them as applied, and lists them.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { addDecision, applyDecision, listDecisions, type ResumptionDecision } from '../state/decisions.ts';
import { sectionOf } from '../state/section.ts';
import {
  asUserError,
  changeState,
  formatTime,
  iterationFrom,
  openState,
  phaseFrom,
  type StateOptions,
  tell,
  words,
} from './find-state.io.ts';

export interface DecisionOptions extends StateOptions {
  phase?: string[];
  gate?: string;
  iteration?: string;
  rationale?: string;
  applied?: boolean;
}

export function decisionAdd(
  place: ProjectContext,
  given: string,
  options: DecisionOptions,
  output: Output,
): void {
  const { gate, iteration, rationale } = options;
  const made = {
    decision: words(given, 'decision'),
    at: formatTime(place.now),
    phases: (options.phase ?? []).map(phaseFrom),
    ...(gate === undefined ? {} : { gate: words(gate, 'gate') }),
    ...(iteration === undefined ? {} : { iteration: iterationFrom(iteration) }),
    ...(rationale === undefined ? {} : { rationale: words(rationale, 'rationale') }),
    applied: options.applied ?? false,
  };
  let result = { id: '', isNew: true };
  const change = changeState(place, options, (top) => {
    const { top: after, id, isNew } = addDecision(top, made);
    result = { id, isNew };
    return after;
  });
  const { id, isNew } = result;
  tell(place, change, options, output, {
    line: isNew
      ? `Decision ${id} noted${made.applied ? '' : `; plimsoll state decision apply ${shellWord(id)} when it is carried out`}`
      : `Decision ${id} says this already${change.changed ? '; what is new is added' : ''}`,
    data: { id, is_new: isNew },
  });
}

export function decisionApply(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  let decision: ResumptionDecision | null = null;
  const change = changeState(place, options, (top) => {
    const result = applyDecision(top, given);
    decision = result.decision;
    return result.top;
  });
  const { id, decision: text } = decision as unknown as ResumptionDecision;
  tell(place, change, options, output, {
    line: `Decision ${id} is applied: ${stripControls(text)}`,
    data: { id, decision: text, applied: true },
  });
}

export function decisionList(place: ProjectContext, options: StateOptions, output: Output): void {
  const { path, top } = openState(place, options);
  let decisions: ResumptionDecision[];
  try {
    decisions = listDecisions(sectionOf(top));
  } catch (error) {
    throw asUserError(error, path, place);
  }
  if (options.json) {
    output.print(toJson({ file: path, decisions }));
    return;
  }
  const open = decisions.filter((each) => !each.applied).length;
  const lines = decisions.map(({ id, applied, decision, affects_phases: phases, gate, at }) => {
    const about = [
      ...(gate === null ? [] : [gate]),
      ...(phases.length === 0 ? [] : [`affects phase ${phases.join(', ')}`]),
      ...(at === null ? [] : [at]),
    ];
    const mark = applied ? 'applied' : 'pending';
    return stripControls(
      `${(id || '-').padEnd(7)} ${mark}  ${decision}${about.length === 0 ? '' : `  (${about.join('; ')})`}`,
    );
  });
  output.print(
    decisions.length === 0
      ? `No decisions in ${displayPath(path, place)}.`
      : `${lines.join('\n')}\n${formatCount(decisions.length, 'decision')}, ${open} pending.`,
  );
}
