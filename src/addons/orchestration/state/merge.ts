// Merges what a checkpoint knows into a resumption section that lacks it.
import type { Checkpoint } from '../../../compaction/checkpoint/checkpoint.ts';
import { findTime } from '../../../compaction/workflow/staleness.ts';
import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import {
  listBelow,
  mapBelow,
  readHead,
  readRecoveryField,
  readScalarText,
  readSection,
  withRecovery,
  withSection,
} from './section.ts';

const FIELD = 'compaction_events';

/** Whether an entry tells of this compaction, by its id or its file; a bare time by the time. */
const isOf =
  (event: DataMap) =>
  (entry: Data): boolean => {
    if (!isMap(entry)) return entry === event.timestamp;
    return (
      String(entry.id ?? '').toLowerCase() === String(event.id).toLowerCase() ||
      (entry.checkpoint_file !== undefined && entry.checkpoint_file === event.checkpoint_file)
    );
  };

function eventOf(checkpoint: Checkpoint): DataMap {
  const { context_state: context, orchestration_state: state, trigger } = checkpoint;
  return {
    id: checkpoint.event_id.toUpperCase(),
    timestamp: checkpoint.timestamp,
    trigger: trigger.type === 'manual' ? 'manual' : 'auto',
    estimated_fill_before: context.estimated_fill_before_compaction,
    active_phase: state?.current_phase ?? null,
    active_gate: state?.current_gate ?? null,
    active_gate_iteration: state?.current_gate_iteration ?? null,
    // The name alone: the file is committed, and nobody may learn of the folder that our state lies in.
    checkpoint_file: `${checkpoint.event_id}-checkpoint.json`,
    acknowledged: true,
  };
}

/** The list with the compaction in it, known to the agent; null when it is so already. */
function withEntry(events: Data[], event: DataMap, added: Data): Data[] | null {
  const known = events.findIndex(isOf(event));
  if (known < 0) return [...events, added];
  const entry = events[known];
  if (!isMap(entry) || entry.acknowledged !== false) return null;
  return events.map((each, index) => (index === known ? { ...entry, acknowledged: true } : each));
}

/** Counts and lists the compaction unless the section knows of it. */
function withEvent(section: DataMap, event: DataMap): DataMap {
  const bare = section[FIELD];
  // Some files list compactions without counting them.
  if (Array.isArray(bare)) {
    const list = withEntry(bare, event, event);
    return list === null ? section : { ...section, [FIELD]: list };
  }
  const summary = mapBelow(section, FIELD);
  // Others keep a plain list of times beside the count.
  const key = Array.isArray(summary.timestamps) && summary.events === undefined ? 'timestamps' : 'events';
  const events = listBelow(summary, [FIELD, key]);
  const list = withEntry(events, event, key === 'timestamps' ? (event.timestamp ?? null) : event);
  if (list === null) return section;
  const count = typeof summary.count === 'number' ? summary.count : events.length;
  const counted = list.length > events.length ? { count: Math.max(count, events.length) + 1 } : {};
  return { ...section, [FIELD]: { ...summary, ...counted, [key]: list } };
}

/** When the compactions were that a section lists, in ms, as far as it says so. */
export function listCompactionTimes(section: DataMap): number[] {
  const field = section[FIELD];
  const lists = isMap(field) ? [field.events, field.timestamps] : [field];
  const listed = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  return listed.flatMap((each) => findTime(readScalarText(isMap(each) ? each.timestamp : each)) ?? []);
}

/** When the section was brought up to date last: by whoever stamped it, or by the newest compaction in it. */
const knownUntil = (section: DataMap): number =>
  Math.max(
    findTime(readScalarText(readRecoveryField(section, 'updated_at'))) ?? Number.NEGATIVE_INFINITY,
    ...listCompactionTimes(section),
  );

/** The workflow of a file where it is another one than the checkpoint's; null where it is the same, or one is unknown. */
export function findOtherWorkflow(top: DataMap, { orchestration_state: state }: Checkpoint): string | null {
  const own = readHead(top).id;
  const known = state?.workflow_id ?? null;
  return known === null || own === known ? null : own;
}

/** Whether a last checkpoint is one of ours, or none: only then another of ours takes its place. */
const isOurs = (last: Data | undefined): boolean =>
  (last ?? null) === null || /^cx-\d+$/i.test(String(last).trim());

export interface Merged {
  top: DataMap;
  /** What was taken over, in the words of the fields. */
  taken: string[];
}

/** How many compactions a section counts, or lists; null where it does neither. */
export function countCompactions(section: DataMap): number | null {
  const field = section[FIELD];
  const { events, count } = isMap(field) ? field : { events: field ?? null, count: null };
  return typeof count === 'number' ? count : Array.isArray(events) ? events.length : null;
}

/**
 * Takes over what a checkpoint knows and the section does not: a compaction that is not listed, and the checkpoint
 * and its fill when it is newer than all that the section tells. A checkpoint of a phase (`CP-001`) stays the last one of
 * the workflow: ours stands with its compaction.
 */
export function mergeCheckpoint(top: DataMap, checkpoint: Checkpoint): Merged {
  const before = readSection(top);
  const isNewer = Date.parse(checkpoint.timestamp) > knownUntil(before);
  const last = readRecoveryField(before, 'last_checkpoint');
  const taken: string[] = [];
  let section = before;
  if (checkpoint.event_type === 'compaction') {
    section = withEvent(section, eventOf(checkpoint));
    if (section !== before) taken.push(FIELD);
  }
  const fill = checkpoint.context_state.estimated_fill_before_compaction;
  if (isNewer) {
    const fields: DataMap = {
      ...(isOurs(last) ? { last_checkpoint: checkpoint.event_id } : {}),
      ...(fill === null ? {} : { context_fill_at_update: Number(fill.toFixed(3)) }),
    };
    const isNew = (name: string): boolean =>
      String(readRecoveryField(before, name)).toLowerCase() !== String(fields[name]).toLowerCase();
    const changed = Object.keys(fields).filter(isNew);
    taken.push(...changed);
    if (changed.length > 0)
      section = withRecovery(
        section,
        Object.fromEntries(changed.map((name) => [name, fields[name] ?? null])),
      );
  }
  return { top: section === before ? top : withSection(top, section), taken };
}
