// What does a checkpoint know that the section does not?
import type { Checkpoint } from '../checkpoint.ts';
import { type Data, type DataMap, isMap } from '../edits.ts';
import { listBelow, mapBelow, recoveryField, sectionOf, withRecovery, withSection } from './section.ts';

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

function eventOf(checkpoint: Checkpoint, file: string): DataMap {
  const { context_state: context, orchestration_state: state, trigger } = checkpoint;
  return {
    id: checkpoint.event_id.toUpperCase(),
    timestamp: checkpoint.timestamp,
    trigger: trigger.type === 'manual' ? 'manual' : 'auto',
    estimated_fill_before: context.estimated_fill_before_compaction,
    active_phase: state?.current_phase ?? null,
    active_gate: state?.current_gate ?? null,
    active_gate_iteration: state?.current_gate_iteration ?? null,
    checkpoint_file: file,
    acknowledged: true,
  };
}

/** Counts and lists the compaction unless the section knows of it. */
function withEvent(section: DataMap, event: DataMap): { section: DataMap; isNew: boolean } {
  const summary = mapBelow(section, FIELD);
  // Some files keep a plain list of times beside the count.
  const listed = Array.isArray(summary.timestamps) && summary.events === undefined ? 'timestamps' : 'events';
  const events = listBelow(summary, [FIELD, listed]);
  const known = events.findIndex(isOf(event));
  if (known >= 0) {
    const entry = events[known];
    if (!isMap(entry) || entry.acknowledged !== false) return { section, isNew: false };
    const told = events.map((each, index) => (index === known ? { ...entry, acknowledged: true } : each));
    return { section: { ...section, [FIELD]: { ...summary, [listed]: told } }, isNew: false };
  }
  const count = typeof summary.count === 'number' ? summary.count : events.length;
  const added: Data = listed === 'timestamps' ? (event.timestamp ?? null) : event;
  const changed = { ...summary, count: Math.max(count, events.length) + 1, [listed]: [...events, added] };
  return { section: { ...section, [FIELD]: changed }, isNew: true };
}

export interface Merged {
  top: DataMap;
  /** What was taken over, in the words of the fields. */
  taken: string[];
}

/**
 * Takes over what a checkpoint knows and the section does not: a compaction that is not listed, and the checkpoint
 * and its fill when it is newer than the section.
 */
export function mergeCheckpoint(top: DataMap, checkpoint: Checkpoint, file: string): Merged {
  const before = sectionOf(top);
  const updated = recoveryField(before, 'updated_at');
  const since = typeof updated === 'string' ? Date.parse(updated) : Number.NaN;
  const isNewer = Number.isNaN(since) || Date.parse(checkpoint.timestamp) > since;
  const taken: string[] = [];
  let section = before;
  if (checkpoint.event_type === 'compaction') {
    const result = withEvent(section, eventOf(checkpoint, file));
    if (result.section !== section) taken.push(FIELD);
    section = result.section;
  }
  const fill = checkpoint.context_state.estimated_fill_before_compaction;
  if (isNewer && recoveryField(section, 'last_checkpoint') !== checkpoint.event_id) {
    taken.push('last_checkpoint', ...(fill === null ? [] : ['context_fill_at_update']));
    section = withRecovery(section, {
      last_checkpoint: checkpoint.event_id,
      ...(fill === null ? {} : { context_fill_at_update: Number(fill.toFixed(3)) }),
    });
  }
  return { top: section === before ? top : withSection(top, section), taken };
}
