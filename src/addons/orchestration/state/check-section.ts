// Checks a state file and tells for each fault the place, what was expected and how to put it right.
import { findTime } from '../../../compaction/workflow/staleness.ts';
import { quoteShellWord } from '../../../text/escape.ts';
import { type Data, type DataMap, isMap, type Path } from '../../../text/json.ts';
import { listDecisions } from './decisions.ts';
import { findGateName, readScores } from './gates.ts';
import { parseStatus, STATUSES } from './recovery.ts';
import { parseCriticality, readHead, readRecoveryField, SECTION } from './section.ts';
import { findMissing } from './skeleton.ts';

/** A problem is read wrongly or not at all; a note is read well, but is not as the specification has it. */
interface SectionFault {
  level: 'problem' | 'note';
  path: Path;
  found: string;
  expected: string;
  fix: string;
}

/** Tells of a fault; unless something else is said, the value is what was found, and it is to be changed by hand. */
type Say = (
  level: SectionFault['level'],
  path: Path,
  expected: string,
  told?: { found?: string; fix?: string },
) => void;

const formatData = (value: Data | undefined): string => {
  const text = JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};
const BY_HAND = 'change it by hand';
const isNone = (value: Data | undefined): boolean => value === undefined || value === null;

function valueAt(top: DataMap, path: Path): Data | undefined {
  let value: Data | undefined = top;
  for (const step of path)
    value = isMap(value) ? value[step] : Array.isArray(value) ? value[Number(step)] : undefined;
  return value;
}

const isList = (value: Data): boolean => Array.isArray(value);
const isListOrMap = (value: Data): boolean => isList(value) || isMap(value);
const isNumber = (value: Data): boolean => typeof value === 'number';

/** What stands at a place of the section, if anything does. */
const SHAPES: readonly [
  place: string,
  is: (value: Data) => boolean,
  expected: string,
  level: SectionFault['level'],
][] = [
  ['files_to_read', isList, 'a list of files', 'note'],
  ['quality_trajectory.gates_completed', isList, 'a list of gates', 'problem'],
  ['quality_trajectory.gates_remaining', isList, 'a list of gates', 'problem'],
  ['quality_trajectory.score_history', isMap, 'a map: gate to list of scores', 'problem'],
  ['defect_summary.unresolved_defects', isList, 'a list', 'problem'],
  ['defect_summary.recurring_patterns', isList, 'a list', 'problem'],
  ['decisions', isListOrMap, 'a list of decisions', 'problem'],
  ['decision_log', isListOrMap, 'a list of decisions', 'problem'],
  ['recovery_state', isMap, 'a map of fields', 'problem'],
  ['quality_trajectory', isMap, 'a map of fields', 'problem'],
  ['defect_summary', isMap, 'a map of fields', 'problem'],
  ['agent_summaries', isListOrMap, 'a map: agent to one line', 'problem'],
  ['compaction_events', isMap, 'a map with "count" and "events"', 'note'],
  ['compaction_events.events', isList, 'a list of compactions', 'problem'],
  ['compaction_events.count', isNumber, 'the number of compactions', 'problem'],
];

function checkShapes(top: DataMap, say: Say): void {
  for (const [place, is, expected, level] of SHAPES) {
    const path = [SECTION, ...place.split('.')];
    const value = valueAt(top, path);
    if (value !== undefined && value !== null && !is(value)) say(level, path, expected);
  }
}

function checkRecovery(top: DataMap, section: DataMap, say: Say): void {
  const nested = isMap(section.recovery_state) ? section.recovery_state : {};
  const pathOf = (name: string): Path =>
    Object.hasOwn(nested, name) ? [SECTION, 'recovery_state', name] : [SECTION, name];
  const field = (name: string): Data => readRecoveryField(section, name) ?? null;
  const phase = field('current_phase');
  if (phase !== null && typeof phase !== 'number')
    say('note', pathOf('current_phase'), 'the number of the phase', {
      fix: 'plimsoll state phase N --name NAME',
    });
  const status = field('workflow_status');
  const meant = typeof status === 'string' ? parseStatus(status) : null;
  if (status !== null && !(STATUSES as readonly Data[]).includes(status))
    say(meant === null ? 'problem' : 'note', pathOf('workflow_status'), STATUSES.join(' | '), {
      fix: `plimsoll state status ${meant ?? 'WORD'}`,
    });
  const head = readHead(top).status;
  if (head !== null && meant !== null && parseStatus(head) !== meant)
    say('note', [isNone(top.workflow) ? 'header' : 'workflow', 'status'], `${status}, as in the section`, {
      fix: `plimsoll state status ${meant}`,
    });
  for (const name of ['current_activity', 'next_step', 'current_phase_name', 'last_checkpoint'])
    if (field(name) !== null && typeof field(name) === 'object') say('problem', pathOf(name), 'a text');
  const fill = field('context_fill_at_update');
  if (fill !== null && !(typeof fill === 'number' && fill >= 0 && fill <= 1.5))
    say('problem', pathOf('context_fill_at_update'), 'a fraction of the window such as 0.642, or null');
  for (const holder of [SECTION, 'workflow', 'header']) {
    const level = valueAt(top, [holder, 'criticality']) ?? null;
    if (level !== null && parseCriticality(String(level)) === null)
      say('problem', [holder, 'criticality'], 'C1, C2, C3 or C4');
  }
  const updated = field('updated_at');
  const fix = 'any plimsoll state command that changes something stamps it';
  if (updated === null)
    say('problem', pathOf('updated_at'), 'the time of the last update', {
      found: readRecoveryField(section, 'updated_at') === undefined ? 'nothing' : 'null',
      fix,
    });
  else if (typeof updated !== 'string' || findTime(updated) === null)
    say('problem', pathOf('updated_at'), 'a time such as "2026-02-17T12:34:56Z"', { fix });
}

function checkFiles({ files_to_read: files }: DataMap, say: Say): void {
  if (!Array.isArray(files)) return;
  files.forEach((each, index) => {
    const path = [SECTION, 'files_to_read', index];
    if (typeof (isMap(each) ? each.path : each) !== 'string')
      say('problem', path, 'a path, or a map with "path"', {
        fix: `${BY_HAND}, or plimsoll state file add PATH`,
      });
    else if (isMap(each) && !isNone(each.sections) && !Array.isArray(each.sections))
      say('note', [...path, 'sections'], 'a list of sections');
  });
}

function checkGates({ quality_trajectory: quality }: DataMap, say: Say): void {
  if (!isMap(quality)) return;
  const at = (...keys: string[]): Path => [SECTION, 'quality_trajectory', ...keys];
  const names = (key: string): string[] => {
    const list = quality[key];
    if (!Array.isArray(list)) return [];
    if (list.some((each) => isMap(each))) say('note', at(key), 'a list of names', { found: 'maps' });
    return list.flatMap((each) => findGateName(each) ?? []);
  };
  const passed = (gate: string): string => `plimsoll state gate pass ${quoteShellWord(gate)}`;
  const completed = names('gates_completed');
  const both = names('gates_remaining').filter((each) => completed.includes(each));
  if (both.length > 0)
    say('problem', at('gates_remaining'), 'gates that are not completed', {
      found: both.join(', '),
      fix: passed(both[0] ?? ''),
    });
  const current = findGateName(quality.current_gate ?? null);
  if (current !== null && completed.includes(current))
    say('problem', at('current_gate'), 'a gate that is not completed, or null', {
      found: current,
      fix: passed(current),
    });
  const history = quality.score_history ?? {};
  if (!isMap(history)) return;
  for (const [gate, scores] of Object.entries(history))
    if (readScores(quality, gate).length !== (Array.isArray(scores) ? scores : [scores]).length)
      say('problem', at('score_history', gate), 'a list of numbers, one for each iteration');
  const iteration = quality.current_gate_iteration;
  const known = current === null ? 0 : readScores(quality, current).length;
  if (typeof iteration === 'number' && (iteration < known || iteration > known + 1))
    say(
      'problem',
      at('current_gate_iteration'),
      `${known} or ${known + 1}: gate ${current ?? 'null'} has ${known} scores`,
      current === null ? {} : { fix: `plimsoll state gate enter ${quoteShellWord(current)}` },
    );
}

function checkDefects({ defect_summary: summary }: DataMap, say: Say): void {
  if (!isMap(summary)) return;
  const { total_defects_found: found, total_defects_resolved: resolved, unresolved_defects: open } = summary;
  if (typeof found !== 'number' || typeof resolved !== 'number') return;
  const path = [SECTION, 'defect_summary'];
  if (resolved > found)
    say('note', [...path, 'total_defects_resolved'], `at most ${found}, the number found`);
  else if (Array.isArray(open) && open.length > found - resolved)
    say(
      'note',
      [...path, 'unresolved_defects'],
      `at most ${found - resolved}: ${found} found, ${resolved} resolved`,
      { found: `${open.length} open` },
    );
}

function checkDecisions(section: DataMap, say: Say): void {
  for (const key of ['decisions', 'decision_log']) {
    const value = section[key];
    if (isMap(value)) say('note', [SECTION, key], 'a list of decisions', { found: 'a map' });
    else if (!Array.isArray(value)) continue;
    const seen = new Set<string>();
    for (const [where, each] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const path = [SECTION, key, where];
      const [decision] = listDecisions({ [key]: Array.isArray(value) ? [each] : { [where]: each } });
      if (decision === undefined) {
        say('problem', path, 'a map with "decision"');
        continue;
      }
      const { id } = decision;
      if (id === '') say('note', path, 'an id such as RD-001', { found: 'no id' });
      else if (seen.has(id)) say('problem', path, 'an id of its own', { found: `${id} again` });
      seen.add(id);
      const applied = isMap(each) ? each.applied : undefined;
      if (applied !== undefined && typeof applied !== 'boolean')
        say('note', [...path, 'applied'], 'true or false', {
          found: `${formatData(applied)}, read as ${decision.applied ? 'applied' : 'not applied'}`,
        });
    }
  }
}

function checkRest({ agent_summaries: agents, compaction_events: compactions }: DataMap, say: Say): void {
  if (Array.isArray(agents))
    say('note', [SECTION, 'agent_summaries'], 'a map: agent to one line', { found: 'a list' });
  if (!isMap(compactions)) return;
  const { events, count } = compactions;
  if (Array.isArray(events) && typeof count === 'number' && count < events.length)
    say('problem', [SECTION, 'compaction_events', 'count'], `${events.length}, as many as are listed`);
}

/** Everything that is not as it should be. */
export function checkSection(top: DataMap): SectionFault[] {
  const faults: SectionFault[] = [];
  const say: Say = (level, path, expected, { found = formatData(valueAt(top, path)), fix = BY_HAND } = {}) =>
    void faults.push({ level, path, found, expected, fix });
  if (isNone(top.workflow) && readHead(top).id === null)
    say('note', [], 'a head with id and status', { found: 'no "workflow" section', fix: 'add it by hand' });
  else if (!isNone(top.workflow) && !isMap(top.workflow))
    say('problem', ['workflow'], 'a map with id and status');
  const section = top[SECTION] ?? null;
  if (!isMap(section)) {
    const isEmpty = Object.hasOwn(top, SECTION);
    if (section !== null) say('problem', [SECTION], 'a map of fields');
    else
      say('problem', isEmpty ? [SECTION] : [], 'a section that says where the work stands', {
        found: 'no "resumption" section',
        fix: `plimsoll state ${isEmpty ? 'upgrade' : 'init'}`,
      });
    return faults;
  }
  const missing = findMissing(section).filter((each) => each !== 'updated_at');
  if (missing.length > 0)
    say('problem', [SECTION], 'all fields of version 2', {
      found: `without ${missing.join(', ')}`,
      fix: 'plimsoll state upgrade',
    });
  checkShapes(top, say);
  checkRecovery(top, section, say);
  for (const check of [checkFiles, checkGates, checkDefects, checkDecisions, checkRest]) check(section, say);
  return faults;
}
