// Checks a state file and tells for each fault the place, what was expected and how to put it right.

import { timeIn } from '../../../compaction/workflow/staleness.ts';
import { type Data, type DataMap, isMap, type Path } from '../../../text/data.ts';
import { listDecisions } from './decisions.ts';
import { checkDefects, checkGates } from './gate-checks.ts';
import { parseStatus, STATUSES } from './recovery.ts';
import { recoveryField, SECTION } from './section.ts';
import { missingIn } from './skeleton.ts';
import { BY_HAND, formatData, isNone, type Say, type SectionFault } from './state-fault.ts';

function checkFiles(section: DataMap, say: Say): void {
  const files = section.files_to_read;
  if (isNone(files)) return;
  const path = [SECTION, 'files_to_read'];
  if (!Array.isArray(files)) {
    say('note', path, formatData(files), 'a list of files', BY_HAND);
    return;
  }
  files.forEach((each, index) => {
    const file = isMap(each) ? each.path : each;
    if (typeof file !== 'string')
      say(
        'problem',
        [...path, index],
        formatData(each),
        'a path, or a map with "path"',
        `${BY_HAND}, or plimsoll state file add PATH`,
      );
    else if (isMap(each) && !isNone(each.sections) && !Array.isArray(each.sections))
      say('note', [...path, index, 'sections'], formatData(each.sections), 'a list of sections', BY_HAND);
  });
}

function checkDecisions(section: DataMap, say: Say): void {
  for (const key of ['decisions', 'decision_log']) {
    const value = section[key];
    if (isNone(value)) continue;
    if (!Array.isArray(value) && !isMap(value)) {
      say('problem', [SECTION, key], formatData(value), 'a list of decisions', BY_HAND);
      continue;
    }
    if (isMap(value)) say('note', [SECTION, key], 'a map', 'a list of decisions', BY_HAND);
    const seen = new Set<string>();
    (Array.isArray(value) ? [...value.entries()] : Object.entries(value)).forEach(([where, each]) => {
      const [decision] = listDecisions({ [key]: Array.isArray(value) ? [each] : { [where]: each } });
      const path = [SECTION, key, where];
      if (decision === undefined) say('problem', path, formatData(each), 'a map with "decision"', BY_HAND);
      else if (decision.id === '') say('note', path, 'no id', 'an id such as RD-001', BY_HAND);
      else if (seen.has(decision.id))
        say('problem', path, `${decision.id} again`, 'an id of its own', BY_HAND);
      if (decision !== undefined) seen.add(decision.id);
      const applied = isMap(each) ? each.applied : undefined;
      if (decision !== undefined && applied !== undefined && typeof applied !== 'boolean')
        say(
          'note',
          [...path, 'applied'],
          `${formatData(applied)}, read as ${decision.applied ? 'applied' : 'not applied'}`,
          'true or false',
          BY_HAND,
        );
    });
  }
}

const isTime = (value: Data | undefined): boolean => typeof value === 'string' && timeIn(value) !== null;

/** Path of a field of the recovery state, where the file has it. */
function recoveryPath(section: DataMap, field: string): Path {
  const nested = section.recovery_state;
  return isMap(nested) && Object.hasOwn(nested, field)
    ? [SECTION, 'recovery_state', field]
    : [SECTION, field];
}

function checkRecovery(top: DataMap, section: DataMap, say: Say): void {
  const field = (name: string): { value: Data | undefined; path: Path } => ({
    value: recoveryField(section, name),
    path: recoveryPath(section, name),
  });
  const phase = field('current_phase');
  if (!isNone(phase.value) && typeof phase.value !== 'number')
    say(
      'note',
      phase.path,
      formatData(phase.value),
      'the number of the phase',
      'plimsoll state phase N --name NAME',
    );
  const status = field('workflow_status');
  if (!isNone(status.value) && !(STATUSES as readonly Data[]).includes(status.value as Data)) {
    const meant = typeof status.value === 'string' ? parseStatus(status.value) : null;
    say(
      meant === null ? 'problem' : 'note',
      status.path,
      formatData(status.value),
      STATUSES.join(' | '),
      `plimsoll state status ${meant ?? 'WORD'}`,
    );
  }
  const head = isMap(top.workflow) ? top.workflow.status : undefined;
  if (
    typeof head === 'string' &&
    typeof status.value === 'string' &&
    parseStatus(status.value) !== null &&
    parseStatus(head) !== parseStatus(status.value)
  )
    say(
      'note',
      ['workflow', 'status'],
      formatData(head),
      `${status.value}, as in the section`,
      `plimsoll state status ${parseStatus(status.value)}`,
    );
  for (const name of ['current_activity', 'next_step', 'current_phase_name', 'last_checkpoint']) {
    const { value, path } = field(name);
    if (!isNone(value) && typeof value === 'object')
      say('problem', path, formatData(value), 'a text', BY_HAND);
  }
  const fill = field('context_fill_at_update');
  if (!isNone(fill.value) && !(typeof fill.value === 'number' && fill.value >= 0 && fill.value <= 1.5))
    say(
      'problem',
      fill.path,
      formatData(fill.value),
      'a fraction of the window such as 0.642, or null',
      BY_HAND,
    );
  const updated = field('updated_at');
  if (isNone(updated.value))
    say(
      'problem',
      updated.path,
      updated.value === undefined ? 'nothing' : 'null',
      'the time of the last update',
      'any plimsoll state command that changes something stamps it',
    );
  else if (!isTime(updated.value))
    say(
      'problem',
      updated.path,
      formatData(updated.value),
      'a time such as "2026-02-17T12:34:56Z"',
      'any plimsoll state command that changes something stamps it',
    );
}

function checkRest(section: DataMap, say: Say): void {
  for (const key of ['recovery_state', 'quality_trajectory', 'defect_summary']) {
    const value = section[key];
    if (!isNone(value) && !isMap(value))
      say('problem', [SECTION, key], formatData(value), 'a map of fields', BY_HAND);
  }
  const agents = section.agent_summaries;
  if (Array.isArray(agents))
    say('note', [SECTION, 'agent_summaries'], 'a list', 'a map: agent to one line', BY_HAND);
  else if (!isNone(agents) && !isMap(agents))
    say('problem', [SECTION, 'agent_summaries'], formatData(agents), 'a map: agent to one line', BY_HAND);
  const compactions = section.compaction_events;
  if (isNone(compactions)) return;
  const path = [SECTION, 'compaction_events'];
  if (!isMap(compactions))
    say('note', path, formatData(compactions), 'a map with "count" and "events"', BY_HAND);
  else if (!isNone(compactions.events) && !Array.isArray(compactions.events))
    say('problem', [...path, 'events'], formatData(compactions.events), 'a list of compactions', BY_HAND);
  else if (!isNone(compactions.count) && typeof compactions.count !== 'number')
    say('problem', [...path, 'count'], formatData(compactions.count), 'the number of compactions', BY_HAND);
  else if (
    Array.isArray(compactions.events) &&
    typeof compactions.count === 'number' &&
    compactions.count < compactions.events.length
  )
    say(
      'problem',
      [...path, 'count'],
      String(compactions.count),
      `${compactions.events.length}, as many as are listed`,
      BY_HAND,
    );
}

/** Everything that is not as it should be, in the order of the section. */
export function checkSection(top: DataMap): SectionFault[] {
  const findings: SectionFault[] = [];
  const say: Say = (level, path, found, expected, fix) =>
    void findings.push({ level, path, found, expected, fix });
  if (isNone(top.workflow))
    say('note', [], 'no "workflow" section', 'a head with id and status', 'add it by hand');
  else if (!isMap(top.workflow))
    say('problem', ['workflow'], formatData(top.workflow), 'a map with id and status', BY_HAND);
  const section = top[SECTION];
  if (section === undefined || section === null) {
    say(
      'problem',
      section === null ? [SECTION] : [],
      'no "resumption" section',
      'a section that says where the work stands',
      `plimsoll state ${section === null ? 'upgrade' : 'init'}`,
    );
    return findings;
  }
  if (!isMap(section)) {
    say('problem', [SECTION], formatData(section), 'a map of fields', BY_HAND);
    return findings;
  }
  const missing = missingIn(section).filter((each) => each !== 'updated_at');
  if (missing.length > 0)
    say(
      'problem',
      [SECTION],
      `without ${missing.join(', ')}`,
      'all fields of version 2',
      'plimsoll state upgrade',
    );
  checkRecovery(top, section, say);
  checkFiles(section, say);
  checkGates(section, say);
  checkDefects(section, say);
  checkDecisions(section, say);
  checkRest(section, say);
  return findings;
}
