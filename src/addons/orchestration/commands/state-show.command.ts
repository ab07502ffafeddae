// Runs `plimsoll state show`: shows the content of the state file on one page.

import { formatPercent, formatTable, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { timeIn, updatedAt } from '../../../compaction/workflow/staleness.ts';
import { stampOf } from '../../../platform/look.ts';
import { formatAge } from '../../../text/ago.ts';
import { own } from '../../../text/data.ts';
import { checkSection } from '../state/check-section.ts';
import { buildStateView, type StateView } from '../state/view.ts';
import { openState, type StateOptions } from './find-state.io.ts';

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
  if (gates.current === null)
    return gates.remaining.length === 0 ? null : `none in progress, next ${gates.remaining[0]}`;
  return joined([
    gates.current,
    gates.iteration === null ? null : `iteration ${gates.iteration}`,
    gates.lowest_dimension === null ? null : `weakest ${gates.lowest_dimension}`,
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
  const at = updatedAt(updated, stampOf(path).mtimeMs);
  return {
    age_s: Math.max(0, Math.round((place.now - at) / 1000)),
    source: timeIn(updated) === null ? 'mtime' : 'updated_at',
  };
}

function pageOf(place: ProjectContext, path: string, view: StateView, problems: number): string {
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
    ['Compactions', view.compactions === null ? null : String(view.compactions)],
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
  if (options.json) {
    output.print(toJson({ file: path, ...view, ...ageOf(place, path, view.updated_at), problems }));
    return;
  }
  output.print(stripControls(pageOf(place, path, view, problems)));
}
