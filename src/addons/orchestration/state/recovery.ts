// Changes phase, activity, status and next step of a resumption section.
import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import { readRecoveryField, readSection, refuseChange, withRecovery, withSection } from './section.ts';

export const STATUSES = ['ACTIVE', 'PAUSED', 'COMPLETE', 'FAILED'] as const;

/** What people write for the words of the specification. */
const SYNONYMS: Record<string, string> = { COMPLETED: 'COMPLETE', DONE: 'COMPLETE', RUNNING: 'ACTIVE' };

/** The status that a word means, or null. */
export function parseStatus(word: string): string | null {
  const upper = word.trim().toUpperCase();
  const status = SYNONYMS[upper] ?? upper;
  return (STATUSES as readonly string[]).includes(status) ? status : null;
}

/** Sets fields of the recovery state. */
export const recover = (top: DataMap, fields: DataMap): DataMap =>
  withSection(top, withRecovery(readSection(top), fields));

/** All phases that the file names anywhere it usually does. */
export function listPhases(top: DataMap): Data[] {
  const pipelines = [top.pipeline, top, ...Object.values(isMap(top.pipelines) ? top.pipelines : {})];
  return pipelines.flatMap((each) => {
    const phases = isMap(each) ? each.phases : null;
    if (Array.isArray(phases)) return phases;
    return isMap(phases)
      ? Object.entries(phases).map(
          ([id, phase]): Data => (isMap(phase) ? { id, ...phase } : { id, name: phase }),
        )
      : [];
  });
}

/** The name that the file gives to a phase; null when it gives none, or several. */
export function findPhaseName(top: DataMap, phase: string | number): string | null {
  const names = listPhases(top).flatMap((each) => {
    if (!isMap(each) || typeof each.name !== 'string') return [];
    return [each.id, each.number].map(String).includes(String(phase)) ? [each.name] : [];
  });
  return new Set(names).size === 1 ? (names[0] ?? null) : null;
}

/**
 * A phase begins, or goes on. Its name is the one given, else the file's, else that of before while the phase is
 * the same. An activity that names another phase ends with it.
 */
export function changePhase(
  top: DataMap,
  {
    phase,
    name,
    activity,
    next,
  }: {
    phase: number | string;
    name?: string | undefined;
    activity?: string | undefined;
    next?: string | undefined;
  },
): DataMap {
  const section = readSection(top);
  const isSame = String(readRecoveryField(section, 'current_phase') ?? '') === String(phase);
  const before = readRecoveryField(section, 'current_activity');
  const other = typeof before === 'string' ? /^phase-(\d+)-/.exec(before)?.[1] : undefined;
  return recover(top, {
    current_phase: phase,
    current_phase_name:
      name ??
      findPhaseName(top, phase) ??
      (isSame ? (readRecoveryField(section, 'current_phase_name') ?? null) : null),
    ...(activity !== undefined
      ? { current_activity: activity }
      : other !== undefined && other !== String(phase)
        ? { current_activity: `phase-${phase}-agent-execution` }
        : {}),
    ...(next === undefined ? {} : { next_step: next }),
  });
}

/** Where the head of a file may name the status. */
const HEADS = [
  ['workflow', 'status'],
  ['header', 'workflow_status'],
  ['header', 'status'],
] as const;

/** Sets the status, also in the head of the file where it stands, too: the two must not disagree. */
export function changeStatus(top: DataMap, word: string): DataMap {
  const status = parseStatus(word);
  if (status === null) {
    throw refuseChange(`"${word}" is no status of a workflow`, [], `one of ${STATUSES.join(', ')}`);
  }
  let changed = recover(top, { workflow_status: status });
  for (const [section, field] of HEADS) {
    const head = changed[section];
    if (isMap(head) && typeof head[field] === 'string')
      changed = { ...changed, [section]: { ...head, [field]: status } };
  }
  return changed;
}

/** Notes when the section was brought up to date, and how full the context was; an unknown fill is left alone. */
export const stampSection = (top: DataMap, at: string, fill: number | null): DataMap =>
  recover(top, { ...(fill === null ? {} : { context_fill_at_update: fill }), updated_at: at });
