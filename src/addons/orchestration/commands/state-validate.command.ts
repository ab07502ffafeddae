// Runs `plimsoll state validate`: prints each problem of the state file with its line, what was expected, and the fix.

import { formatCount, type Output, stripControls, toJson, UserError } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { listProblems } from '../orchestration-file.io.ts';
import { openState, type StateOptions } from './find-state.io.ts';

export function stateValidate(place: ProjectContext, options: StateOptions, output: Output): void {
  const file = openState(place, options);
  const { path, faults } = file;
  const lines = listProblems(file);
  const problems = lines.filter((each) => each.level === 'problem');
  const notes = lines.length - problems.length;
  const name = displayPath(path, place);
  if (!options.json) {
    for (const { level, line, path: at, found, expected, fix } of lines) {
      output.print(
        stripControls(
          `${name}:${line} ${level}${at === '' ? '' : ` at ${at}`}: ${found}\n  expected: ${expected}\n  fix: ${fix}`,
        ),
      );
    }
  }
  const summary = `${name}: ${[formatCount(problems.length, 'problem'), ...(notes === 0 ? [] : [formatCount(notes, 'note')])].join(', ')}`;
  if (problems.length > 0) {
    throw new UserError(summary, {
      // A syntax error comes first: what seems to be missing may stand after it.
      hint: faults[0]?.fix ?? problems[0]?.fix ?? '',
      found: { file: path, valid: false, findings: lines },
    });
  }
  output.print(options.json ? toJson({ file: path, valid: true, findings: lines }) : `${summary}.`);
}
