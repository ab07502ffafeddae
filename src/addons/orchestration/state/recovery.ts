// Changes phase, activity, status and next step of a resumption section.
import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import {
  readRecoveryField,
  readScalarText,
  readSection,
  refuseChange,
  withRecovery,
  withSection,
} from './section.ts';

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

const DONE = /^(?:complete|completed|done|pass|passed)$/i;
const UNDER_WAY = /^(?:active|in[ _-]?progress|running)$/i;

/** The id of a phase, as a number where it is one. */
const phaseId = (phase: Data): string | number | null =>
  !isMap(phase)
    ? null
    : typeof phase.id === 'number'
      ? phase.id
      : (readScalarText(phase.id) ?? (typeof phase.number === 'number' ? phase.number : null));

/** The phases of a file, by what they are. */
export interface PhaseLists {
  phases_complete: (string | number)[];
  phases_in_progress: (string | number)[];
  phases_remaining: (string | number)[];
}

/**
 * Phases by their status: one that several pipelines share is done with the last of them, and begun with the first. The
 * current phase is in progress unless it is done, and those before it are not to come: where nobody keeps their status,
 * it tells how far the work is.
 */
export function listPhasesByStatus(top: DataMap, current: string | number | null): PhaseLists {
  const statuses = new Map<string | number, string[]>();
  for (const each of listPhases(top)) {
    const id = phaseId(each);
    const status = isMap(each) ? (readScalarText(each.status) ?? '') : '';
    if (id !== null) statuses.set(id, [...(statuses.get(id) ?? []), status]);
  }
  const isCurrent = (id: string | number): boolean => String(id) === String(current);
  const at = [...statuses.keys()].findIndex(isCurrent);
  const found: PhaseLists = { phases_complete: [], phases_in_progress: [], phases_remaining: [] };
  [...statuses].forEach(([id, all], index) => {
    const isDone = all.every((status) => DONE.test(status));
    const isBegun = all.some((status) => DONE.test(status) || UNDER_WAY.test(status));
    if (isDone || (index < at && !isBegun)) found.phases_complete.push(id);
    else if (isBegun || isCurrent(id)) found.phases_in_progress.push(id);
    else found.phases_remaining.push(id);
  });
  if (current !== null && at < 0) found.phases_in_progress.push(current);
  return found;
}

/** The same file with other phases, wherever it names them. */
function withPhases(top: DataMap, change: (phase: DataMap, id: string) => DataMap): DataMap {
  const changed = (holder: Data): Data => {
    const phases = isMap(holder) ? holder.phases : null;
    if (!isMap(holder)) return holder;
    if (Array.isArray(phases))
      return {
        ...holder,
        phases: phases.map((each) => (isMap(each) ? change(each, String(phaseId(each))) : each)),
      };
    if (!isMap(phases)) return holder;
    const entries = Object.entries(phases).map(([id, each]) => [id, isMap(each) ? change(each, id) : each]);
    return { ...holder, phases: Object.fromEntries(entries) };
  };
  const whole = changed(top) as DataMap;
  const { pipeline, pipelines } = top;
  return {
    ...whole,
    ...(isMap(pipeline) ? { pipeline: changed(pipeline) } : {}),
    ...(isMap(pipelines)
      ? {
          pipelines: Object.fromEntries(
            Object.entries(pipelines).map(([name, each]) => [name, changed(each)]),
          ),
        }
      : {}),
  };
}

/** The words for a status as the file writes them: those that it has already, else in the case of the ones it has. */
function wordsFor(statuses: readonly string[]): { done: string; underWay: string } {
  const isLower = statuses.length > 0 && statuses.every((each) => each === each.toLowerCase());
  const inCase = (word: string): string => (isLower ? word.toLowerCase() : word);
  return {
    done: statuses.find((each) => DONE.test(each)) ?? inCase('COMPLETE'),
    underWay: statuses.find((each) => UNDER_WAY.test(each)) ?? inCase('ACTIVE'),
  };
}

/**
 * Brings the statuses of phases in line with the one that begins: it is under way, the one before is done, and so are
 * those that are named. Only phases that have a status, and stand once in the file.
 */
function markPhases(top: DataMap, phase: string | number, done: readonly (string | number)[]): DataMap {
  const all = listPhases(top).filter(isMap);
  const idOf = (each: DataMap): string => String(phaseId(each));
  const statuses = all.flatMap((each) => (typeof each.status === 'string' ? [each.status] : []));
  const words = wordsFor(statuses);
  return withPhases(top, (each, id) => {
    const { status } = each;
    if (typeof status !== 'string' || all.filter((other) => idOf(other) === id).length > 1) return each;
    if (done.some((other) => String(other) === id))
      return DONE.test(status) ? each : { ...each, status: words.done };
    const isBegun = DONE.test(status) || UNDER_WAY.test(status);
    return id === String(phase) && !isBegun ? { ...each, status: words.underWay } : each;
  });
}

/** Phases before one that the file does not call done. */
export function listOpenBefore(top: DataMap, phase: string | number): (string | number)[] {
  const ids = listPhases(top).map(phaseId);
  const at = ids.findIndex((id) => String(id) === String(phase));
  const isOpen = (each: Data): boolean =>
    isMap(each) && typeof each.status === 'string' && !DONE.test(each.status);
  const open = listPhases(top).slice(0, Math.max(0, at)).filter(isOpen).map(phaseId);
  return [...new Set(open)].filter((id) => id !== null);
}

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

/** The phases that the file names, where it names some and this one is none of them; else none. */
export function listOtherPhases(top: DataMap, phase: string | number): (string | number)[] {
  const ids = [...new Set(listPhases(top).map(phaseId))].filter((id) => id !== null);
  return ids.some((id) => String(id) === String(phase)) ? [] : ids;
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
    done = [],
  }: {
    phase: number | string;
    /** Phases that are done, besides the one that was current. */
    done?: readonly (string | number)[] | undefined;
    name?: string | undefined;
    activity?: string | undefined;
    next?: string | undefined;
  },
): DataMap {
  const section = readSection(top);
  const current = readRecoveryField(section, 'current_phase') ?? null;
  const isSame = String(current ?? '') === String(phase);
  const ids = listPhases(top).map((each) => String(phaseId(each)));
  const ended =
    (typeof current === 'number' || typeof current === 'string') &&
    ids.indexOf(String(current)) < ids.indexOf(String(phase))
      ? [current]
      : [];
  const before = readRecoveryField(section, 'current_activity');
  const other = typeof before === 'string' ? /^phase-(\d+)-/.exec(before)?.[1] : undefined;
  return recover(markPhases(top, phase, [...ended, ...done]), {
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

const NUMBERED = /^CP-(\d+)$/i;

/** The next number of a phase's checkpoint, behind all that the file names. */
function nextCheckpoint(top: DataMap): string {
  const { checkpoints } = top;
  const entries = isMap(checkpoints) && Array.isArray(checkpoints.entries) ? checkpoints.entries : [];
  const named: (Data | undefined)[] = [
    readRecoveryField(readSection(top), 'last_checkpoint'),
    ...(isMap(checkpoints) ? [checkpoints.latest_id] : []),
    ...entries.map((each) => (isMap(each) ? each.id : each)),
  ];
  const last = Math.max(0, ...named.map((each) => Number(NUMBERED.exec(String(each))?.[1] ?? 0)));
  return `CP-${String(last + 1).padStart(3, '0')}`;
}

/** Notes a checkpoint of the workflow: the last one of the section, and where the file lists them, one of these. */
export function noteCheckpoint(
  top: DataMap,
  { id = nextCheckpoint(top), about, at }: { id?: string | undefined; about: string; at: string },
): { top: DataMap; id: string } {
  const changed = recover(top, { last_checkpoint: id });
  const { checkpoints } = top;
  if (!isMap(checkpoints)) return { top: changed, id };
  const { entries } = checkpoints;
  const isListed = Array.isArray(entries) && entries.some((each) => isMap(each) && each.id === id);
  const entry = { id, timestamp: at, trigger: 'PHASE_CHECKPOINT', recovery_point: about };
  return {
    top: {
      ...changed,
      checkpoints: {
        ...checkpoints,
        latest_id: id,
        ...(Array.isArray(entries) && !isListed ? { entries: [...entries, entry] } : {}),
      },
    },
    id,
  };
}

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
