// Runs `plimsoll state validate`: prints each problem of the state file with its line, what was expected, and the fix.
import { findingsIn } from '../model/state/checks.ts';
import type { OrchestrationFile } from '../store/orchestration-file.ts';
import { count, type Output, printable, toJson, UserError } from './output.ts';
import { type Place, shown } from './place.ts';
import { openState, type StateOptions } from './state-file.ts';

export interface Line {
  level: 'problem' | 'note';
  line: number;
  path: string;
  found: string;
  expected: string;
  fix: string;
}

/** All problems and notes of a file, ordered by line. */
export const linesOf = ({ top, faults, notes, lineOf }: OrchestrationFile): Line[] =>
  [
    ...faults.map((each): Line => ({ level: 'problem', path: '', ...each })),
    ...notes.map((each): Line => ({ level: 'note', path: '', ...each })),
    ...findingsIn(top).map((each): Line => ({ ...each, line: lineOf(each.path), path: each.path.join('.') })),
  ].sort((a, b) => a.line - b.line);

export function stateValidate(place: Place, options: StateOptions, output: Output): void {
  const file = openState(place, options);
  const { path, faults } = file;
  const lines = linesOf(file);
  const problems = lines.filter((each) => each.level === 'problem');
  const notes = lines.length - problems.length;
  const name = shown(path, place);
  if (!options.json) {
    for (const { level, line, path: at, found, expected, fix } of lines) {
      output.print(
        printable(
          `${name}:${line} ${level}${at === '' ? '' : ` at ${at}`}: ${found}\n  expected: ${expected}\n  fix: ${fix}`,
        ),
      );
    }
  }
  const summary = `${name}: ${[count(problems.length, 'problem'), ...(notes === 0 ? [] : [count(notes, 'note')])].join(', ')}`;
  if (problems.length > 0) {
    throw new UserError(summary, {
      // A syntax error comes first: what seems to be missing may stand after it.
      hint: faults[0]?.fix ?? problems[0]?.fix ?? '',
      found: { file: path, valid: false, findings: lines },
    });
  }
  output.print(options.json ? toJson({ file: path, valid: true, findings: lines }) : `${summary}.`);
}
