// Locates each fact in a state file and gives the order of keys, as specified and as people write them.
import type { Sensitivity } from '../../../context/tier.ts';
import { type Data, type DataMap, isMap, type Path } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';

/** The error for a change that the shape of the file does not allow; nothing is written then. */
export const refuseChange = (message: string, keys: Path, hint: string): PlimsollError =>
  new PlimsollError('change-refused', message, { hint, keys });

export const SECTION = 'resumption';

/** The first of the seven sub-sections: its fields stand in the section itself, or below `recovery_state`. */
export const RECOVERY = [
  'last_checkpoint',
  'current_phase',
  'current_phase_name',
  'workflow_status',
  'current_activity',
  'next_step',
  'context_fill_at_update',
  'updated_at',
] as const;

export const QUALITY = [
  'gates_completed',
  'gates_remaining',
  'current_gate',
  'current_gate_iteration',
  'score_history',
  'lowest_dimension',
  'total_iterations_used',
  'total_iterations_budget',
] as const;

export const DEFECTS = [
  'total_defects_found',
  'total_defects_resolved',
  'unresolved_defects',
  'recurring_patterns',
  'last_gate_primary_defect',
] as const;

const ORDERS: Record<string, readonly string[]> = {
  [SECTION]: [
    'recovery_state',
    ...RECOVERY,
    'files_to_read',
    'quality_trajectory',
    'defect_summary',
    'decisions',
    'decision_log',
    'agent_summaries',
    'compaction_events',
  ],
  recovery_state: RECOVERY,
  quality_trajectory: QUALITY,
  defect_summary: DEFECTS,
  compaction_events: ['count', 'events'],
};

/** The customary order of a map's keys; none for maps whose keys are names. */
export const listKeyOrder = (path: Path): readonly string[] =>
  path.length > 2 || (path.length > 0 && path[0] !== SECTION) ? [] : (ORDERS[String(path.at(-1))] ?? []);

/** A word or number as text; null for anything else, and for nothing. */
export const readScalarText = (value: Data | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/** The first of some values that is a number; null where none is. */
export function readNumber(...values: (Data | undefined)[]): number | null {
  const found = values.find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : null;
}

const kindOf = (value: Data): string =>
  value === null
    ? 'empty'
    : Array.isArray(value)
      ? 'a list'
      : isMap(value)
        ? 'a map'
        : `the value ${JSON.stringify(value)}`;

const shapeRefused = (path: Path, found: Data, expected: string): PlimsollError =>
  refuseChange(
    `"${path.join('.')}" is ${kindOf(found)}, ${expected} is expected`,
    path,
    'plimsoll state validate says what is expected; change it by hand, then run this again',
  );

const mapIn = (top: DataMap, key: string): DataMap => (isMap(top[key]) ? top[key] : {});

/** What a file says of its workflow as such: in `workflow`, else in `header`, where the specification has it. */
export function readHead(top: DataMap): Record<'id' | 'name' | 'project' | 'plan' | 'status', string | null> {
  const head = mapIn(top, 'header');
  const workflow = mapIn(top, 'workflow');
  const first = (...values: (Data | undefined)[]): string | null =>
    values.map(readScalarText).find((each) => each !== null) ?? null;
  return {
    id: first(workflow.id, head.workflow_id, head.id),
    name: first(workflow.name, head.workflow_name, head.name),
    project: first(workflow.project_id, head.project_id),
    plan: first(workflow.plan_file, workflow.plan_path, head.plan_file, head.plan_path),
    status: first(workflow.status, head.workflow_status, head.status),
  };
}

/** A level of criticality, with or without words behind it; null for what is none. */
export function parseCriticality(word: string | null | undefined): Sensitivity | null {
  const level = /^\s*(c[1-4])\b/i.exec(word ?? '')?.[1];
  return level === undefined ? null : (level.toUpperCase() as Sensitivity);
}

/** The section; an empty one has no fields yet. */
export function readSection(top: DataMap): DataMap {
  const section = top[SECTION];
  if (section === undefined) {
    throw refuseChange(
      'There is no "resumption" section',
      [],
      'plimsoll state init adds one to the file and keeps everything else',
    );
  }
  if (section === null) return {};
  if (!isMap(section)) throw shapeRefused([SECTION], section, 'a map of fields');
  return section;
}

export const withSection = (top: DataMap, section: DataMap): DataMap => ({ ...top, [SECTION]: section });

/** A map below the section, empty where there is none yet. */
export function mapBelow(section: DataMap, ...keys: string[]): DataMap {
  let value: Data = section;
  keys.forEach((key, depth) => {
    const below: Data = (isMap(value) ? value[key] : null) ?? {};
    if (!isMap(below)) throw shapeRefused([SECTION, ...keys.slice(0, depth + 1)], below, 'a map');
    value = below;
  });
  return value;
}

/** A list as it is, empty where there is none yet. */
export function listBelow(holder: DataMap, path: readonly string[]): Data[] {
  const value = holder[path.at(-1) ?? ''] ?? [];
  if (!Array.isArray(value)) throw shapeRefused([SECTION, ...path], value, 'a list');
  return value;
}

/** What a field of the recovery state says; where it stands twice, below `recovery_state` counts. */
export function readRecoveryField(section: DataMap, field: string): Data | undefined {
  const nested = section.recovery_state;
  return isMap(nested) && Object.hasOwn(nested, field) ? nested[field] : section[field];
}

/** Sets fields of the recovery state where the file has them, new ones beside their neighbours. */
export function withRecovery(section: DataMap, fields: DataMap): DataMap {
  const flat: DataMap = { ...section };
  const nested = isMap(section.recovery_state) ? { ...section.recovery_state } : null;
  for (const [field, value] of Object.entries(fields)) {
    const isNested = nested !== null && (Object.hasOwn(nested, field) || !Object.hasOwn(flat, field));
    if (isNested && nested !== null) nested[field] = value;
    else flat[field] = value;
  }
  return nested === null ? flat : { ...flat, recovery_state: nested };
}
