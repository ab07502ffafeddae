// Runs `plimsoll state show`, `validate` and `decision list`: what the state file says, and what is wrong with it.

import type { Output } from '../../../cli/output.io.ts';
import { formatCount, formatPercent, formatTable, stripControls, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { findTime, readUpdatedAt } from '../../../compaction/workflow/staleness.ts';
import { readStamp } from '../../../platform/look.ts';
import { type DataMap, isMap, own } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { formatAge } from '../../../text/time.ts';
import { listProblems } from '../orchestration-file.io.ts';
import { checkSection } from '../state/check-section.ts';
import { listDecisions, type ResumptionDecision } from '../state/decisions.ts';
import { listCompactionTimes } from '../state/merge.ts';
import { readSection, SECTION } from '../state/section.ts';
import { buildStateView, type StateView } from '../state/view.ts';
import { explainError, openState, readPresent, type StateOptions } from './find-state.io.ts';

/** The most lines of a list that are shown; the file has the rest. */
const MOST = 12;

const joined = (parts: readonly (string | null)[]): string | null => {
  const said = parts.filter((part): part is string => part !== null && part !== '');
  return said.length === 0 ? null : said.join(', ');
};

/** Formats a list under its title, cut where it gets long. */
function list(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`  … and ${lines.length - MOST} more`] : [];
  return ['', title, ...lines.slice(0, MOST).map((line) => `  ${line}`), ...more];
}

function gateLine({ gates }: StateView): string | null {
  const { iterations_used: used, iterations_budget: budget } = gates;
  const left = budget === null ? null : `${used ?? 0} of ${formatCount(budget, 'iteration')} used`;
  if (gates.current === null)
    return gates.remaining.length === 0
      ? left
      : joined([`none in progress, next ${gates.remaining[0]}`, left]);
  return joined([
    gates.current,
    gates.iteration === null ? null : `iteration ${gates.iteration}`,
    gates.lowest_dimension === null ? null : `weakest ${gates.lowest_dimension}`,
    left,
  ]);
}

function gateLines({ gates }: StateView): string[] {
  const names = [...new Set([...gates.completed, ...Object.keys(gates.scores), ...gates.remaining])];
  return names.map((name) => {
    const state = gates.completed.includes(name)
      ? 'passed'
      : name === gates.current
        ? 'in progress'
        : 'to come';
    const scores = own(gates.scores, name) ?? [];
    return `${name}  ${state}${scores.length === 0 ? '' : `  ${scores.join(' → ')}`}`;
  });
}

/** Seconds since the section was updated, or, where it does not say, since the file was written. */
function ageOf(
  place: ProjectContext,
  path: string,
  updated: string | null,
): { age_s: number; source: 'updated_at' | 'mtime' } {
  const at = readUpdatedAt(updated, readStamp(path).mtimeMs);
  return {
    age_s: Math.max(0, Math.round((place.now - at) / 1000)),
    source: findTime(updated) === null ? 'mtime' : 'updated_at',
  };
}

/** Compactions of the present session that the file does not list: what was not merged counts as well. */
function countUnlisted(place: ProjectContext, top: DataMap): number {
  const present = readPresent(place);
  const since = Date.parse(present?.state?.started ?? '');
  const section = top[SECTION];
  const listed = isMap(section) ? listCompactionTimes(section).filter((time) => !(time < since)) : [];
  return Math.max(0, (present?.epoch.number ?? 0) - listed.length);
}

const compactionLine = (noted: number | null, unlisted: number): string | null =>
  unlisted > 0
    ? `${(noted ?? 0) + unlisted}, ${unlisted} of them not in the file (plimsoll state merge cx-NNN enters one)`
    : noted === null
      ? null
      : String(noted);

function pageOf(
  place: ProjectContext,
  { path, view, problems, unlisted }: { path: string; view: StateView; problems: number; unlisted: number },
): string {
  const { workflow, defects, decisions } = view;
  const { age_s: age, source } = ageOf(place, path, view.updated_at);
  const pending = decisions.filter((each) => !each.applied);
  const open = defects.open.length === 0 ? null : `open: ${defects.open.join(', ')}`;
  const head = formatTable([
    [
      'Workflow',
      joined([workflow.id, workflow.name === workflow.id ? null : workflow.name, workflow.status]) ??
        'unknown',
    ],
    [
      'Phase',
      view.phase === null
        ? 'unknown'
        : `${view.phase}${view.phase_name === null ? '' : ` (${view.phase_name})`}`,
    ],
    ['Activity', view.activity ?? 'unknown'],
    ['Next step', view.next_step ?? 'unknown'],
    ['Gate', gateLine(view)],
    [
      'Defects',
      joined([
        defects.found === null ? null : `${defects.found} found`,
        defects.resolved === null ? null : `${defects.resolved} resolved`,
        open,
      ]),
    ],
    ['Decisions', decisions.length === 0 ? null : `${decisions.length}, ${pending.length} pending`],
    ['Compactions', compactionLine(view.compactions, unlisted)],
    ['Checkpoint', view.last_checkpoint],
    [
      'Updated',
      `${source === 'updated_at' ? formatAge(age) : `unknown; the file was written ${formatAge(age)}`}${view.context_fill === null ? '' : `, at ${formatPercent(view.context_fill)} of the window`}`,
    ],
    [
      'File',
      `${displayPath(path, place)}${view.version === 1 ? ' (version 1; plimsoll state upgrade)' : view.version === null ? ' (no resumption section; plimsoll state init)' : ''}`,
    ],
    ['Problems', problems === 0 ? null : `${problems}; plimsoll state validate lists them`],
  ]);
  return [
    head,
    ...list(
      'Pending decisions',
      pending.map(
        (each) =>
          `${each.id || '-'}  ${each.decision}${each.affects_phases.length === 0 ? '' : ` (affects phase ${each.affects_phases.join(', ')})`}`,
      ),
    ),
    ...list('Gates', gateLines(view)),
    ...list('Defect patterns', defects.patterns),
    ...list(
      'Agents done',
      Object.entries(view.agents).map(([agent, summary]) => `${agent}: ${summary}`),
    ),
    ...list(
      'Files to read',
      view.files.map(
        ({ path: file, purpose, sections }, index) =>
          `${index + 1}. ${file}${sections.length === 0 ? '' : ` [${sections.join(', ')}]`}${purpose === null ? '' : ` ${purpose}`}`,
      ),
    ),
  ].join('\n');
}

export function stateShow(place: ProjectContext, options: StateOptions, output: Output): void {
  const { path, top, faults } = openState(place, options);
  const view = buildStateView(top, path);
  const problems = faults.length + checkSection(top).filter((each) => each.level === 'problem').length;
  const unlisted = countUnlisted(place, top);
  if (options.json) {
    const compactions = (view.compactions ?? 0) + unlisted;
    output.print(
      toJson({ file: path, ...view, ...ageOf(place, path, view.updated_at), compactions, problems }),
    );
    return;
  }
  output.print(stripControls(pageOf(place, { path, view, problems, unlisted })));
}

/** Prints each problem of the file with its line, what was expected, and the fix. */
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
    throw new PlimsollError('invalid', summary, {
      // A syntax error comes first: what seems to be missing may stand after it.
      hint: faults[0]?.fix ?? problems[0]?.fix ?? '',
      found: { file: path, valid: false, findings: lines },
    });
  }
  output.print(options.json ? toJson({ file: path, valid: true, findings: lines }) : `${summary}.`);
}

/** Prints all decisions. */
export function listStateDecisions(place: ProjectContext, options: StateOptions, output: Output): void {
  const { path, top } = openState(place, options);
  let decisions: ResumptionDecision[];
  try {
    decisions = listDecisions(readSection(top));
  } catch (error) {
    throw explainError(error, path, place);
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
