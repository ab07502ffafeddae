// Builds a new resumption section, and completes an old one with what version 2 asks for.
import { type Data, type DataMap, isMap, isSameData } from '../../../text/json.ts';
import { EMPTY_DEFECTS } from './defects.ts';
import { EMPTY_GATES } from './gates.ts';
import { findPhaseName, parseStatus } from './recovery.ts';
import {
  DEFECTS,
  QUALITY,
  RECOVERY,
  readHead,
  readRecoveryField,
  readSection,
  withRecovery,
  withSection,
} from './section.ts';
import { buildTrajectory } from './trajectory.ts';

/** What a new section begins with. */
export interface Beginning {
  at: string;
  fill: number | null;
  /** Files to read, first things first. */
  files: { path: string; purpose: string; sections: string[] }[];
}

const QUALITY_START: DataMap = { ...EMPTY_GATES, total_iterations_budget: null };

/** The phase that the file itself says it is in; null where it says none, or several. */
function presentPhase(top: DataMap): string | number | null {
  const pipelines = isMap(top.pipelines) ? Object.values(top.pipelines) : [];
  const phases = [top, top.workflow ?? null, top.pipeline ?? null, ...pipelines].flatMap((each) => {
    const phase = isMap(each) ? each.current_phase : undefined;
    return typeof phase === 'number' || typeof phase === 'string' ? [phase] : [];
  });
  return new Set(phases).size === 1 ? (phases[0] ?? null) : null;
}

/** The recovery state as far as the rest of the file tells it. */
function recoveryStart(top: DataMap, { at, fill }: Pick<Beginning, 'at' | 'fill'>): DataMap {
  const phase = presentPhase(top);
  const { status } = readHead(top);
  return {
    last_checkpoint: null,
    current_phase: phase,
    current_phase_name: phase === null ? null : findPhaseName(top, phase),
    workflow_status: status === null ? 'ACTIVE' : (parseStatus(status) ?? status),
    current_activity: null,
    next_step: null,
    context_fill_at_update: fill,
    updated_at: at,
  };
}

const filesStart = (files: Beginning['files']): Data[] =>
  files.map(({ path, purpose, sections }, index) => ({ path, priority: index + 1, purpose, sections }));

/** A whole new section. */
export const createSection = (top: DataMap, start: Beginning): DataMap => ({
  ...recoveryStart(top, start),
  files_to_read: filesStart(start.files),
  quality_trajectory: { ...QUALITY_START, ...buildTrajectory(top) },
  defect_summary: EMPTY_DEFECTS,
  decisions: [],
  agent_summaries: {},
  compaction_events: { count: 0, events: [] },
});

/** Which of the fields and sub-sections of version 2 a section lacks. */
export function findMissing(section: DataMap): string[] {
  const has = (holder: Data | undefined, key: string): boolean => isMap(holder) && Object.hasOwn(holder, key);
  const isMapOrNone = (key: string): boolean => !has(section, key) || isMap(section[key]);
  const below = (key: string, fields: readonly string[]): string[] =>
    !has(section, key)
      ? [key]
      : isMap(section[key])
        ? fields.filter((field) => !has(section[key], field)).map((field) => `${key}.${field}`)
        : [];
  return [
    ...RECOVERY.filter((field) => readRecoveryField(section, field) === undefined),
    ...(has(section, 'files_to_read') ? [] : ['files_to_read']),
    ...below(
      'quality_trajectory',
      QUALITY.filter((field) => field !== 'total_iterations_budget'),
    ),
    ...below('defect_summary', DEFECTS),
    ...(has(section, 'decisions') || has(section, 'decision_log') ? [] : ['decisions']),
    ...(has(section, 'agent_summaries') ? [] : ['agent_summaries']),
    ...(isMapOrNone('compaction_events') ? below('compaction_events', ['count']) : []),
  ];
}

/** A list of bare paths becomes one that says in which order they are read. */
function withPriorities(files: Data[]): Data[] {
  return files.map((each, index) => (typeof each === 'string' ? { path: each, priority: index + 1 } : each));
}

/** The section with everything that version 2 asks for; what it holds already stays. The same data when it lacks nothing. */
export function upgradeSection(top: DataMap, start: Beginning): DataMap {
  const section = readSection(top);
  const missing = new Set(findMissing(section));
  const begun = createSection(top, start);
  const recovery = Object.fromEntries(
    Object.entries(recoveryStart(top, start)).filter(([field]) => missing.has(field)),
  );
  let result = withRecovery(section, recovery);
  for (const key of [
    'files_to_read',
    'quality_trajectory',
    'defect_summary',
    'decisions',
    'agent_summaries',
    'compaction_events',
  ]) {
    const there = result[key];
    const wanted = begun[key] ?? null;
    if (there === undefined ? missing.has(key) : there === null) result = { ...result, [key]: wanted };
    else if (isMap(there) && isMap(wanted)) {
      const lacking = Object.entries(wanted).filter(([field]) => missing.has(`${key}.${field}`));
      if (lacking.length > 0) result = { ...result, [key]: { ...there, ...Object.fromEntries(lacking) } };
    }
  }
  if (Array.isArray(result.files_to_read))
    result = { ...result, files_to_read: withPriorities(result.files_to_read) };
  return isSameData(result, section) ? top : withSection(top, result);
}

/** The head of a new file. */
export const createWorkflow = (head: {
  id: string;
  name: string;
  project: string | null;
  at: string;
}): DataMap => ({
  id: head.id,
  name: head.name,
  ...(head.project === null ? {} : { project_id: head.project }),
  status: 'ACTIVE',
  created_at: head.at,
});
