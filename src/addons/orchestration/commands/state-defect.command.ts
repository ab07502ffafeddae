// Runs `plimsoll state defect …`: adds and resolves defects and patterns of defects in the state file.

import { formatCount, type Output, UserError } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { addDefect, addPattern, resolveDefect } from '../state/defects.ts';
import { changeState, type StateOptions, tell, words } from './find-state.io.ts';

export interface PatternOptions extends StateOptions {
  gate?: string[];
  resolution?: string;
}

/** Checks that an id is one word: the list of open defects holds ids only. */
function idFrom(given: string): string {
  const id = words(given, 'id');
  if (!/\s/.test(id)) return id;
  throw new UserError(`"${id}" is no id of a defect`, {
    hint: 'the id first, then the words: plimsoll state defect add DA-001 "names differ"',
    code: 2,
  });
}

export function defectAdd(
  place: ProjectContext,
  given: string,
  text: string | undefined,
  options: StateOptions,
  output: Output,
): void {
  const id = idFrom(given);
  let isNew = true;
  const change = changeState(place, options, (top) => {
    const result = addDefect(top, id, text === undefined ? null : words(text, 'text'));
    isNew = result.isNew;
    return result.top;
  });
  tell(place, change, options, output, {
    line: isNew ? `Defect ${id} is open` : `Defect ${id} was open already`,
    data: { id, is_new: isNew },
  });
}

export function defectResolve(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  const id = idFrom(given);
  let left: string[] = [];
  const change = changeState(place, options, (top) => {
    const result = resolveDefect(top, id);
    left = result.left;
    return result.top;
  });
  tell(place, change, options, output, {
    line: `Defect ${id} is resolved; ${left.length === 0 ? 'none is open' : `${formatCount(left.length, 'is open', 'are open')}: ${left.join(', ')}`}`,
    data: { id, open: left },
  });
}

export function defectPattern(
  place: ProjectContext,
  given: string,
  options: PatternOptions,
  output: Output,
): void {
  const pattern = words(given, 'pattern');
  const { gate = [], resolution } = options;
  let isNew = true;
  const change = changeState(place, options, (top) => {
    const result = addPattern(top, {
      pattern,
      gates: gate.map((each) => words(each, 'gate')),
      ...(resolution === undefined ? {} : { resolution: words(resolution, 'resolution') }),
    });
    isNew = result.isNew;
    return result.top;
  });
  tell(place, change, options, output, {
    line: isNew ? 'Pattern noted' : 'Pattern brought up to date',
    data: { pattern, is_new: isNew },
  });
}
