import { describe, expect, test } from 'vitest';
import { draft } from '../../../../test/unit/drafts.ts';
import type { Checkpoint } from '../../../compaction/checkpoint/checkpoint.ts';
import type { DataMap } from '../../../text/json.ts';
import { buildOrchestration } from '../resumption.ts';
import { countCompactions, mergeCheckpoint } from './merge.ts';

const AT = '2026-02-17T11:45:00.500Z';
const FILE = 'cx-001-checkpoint.json';
const WORKFLOW =
  'resumption:\n  current_phase: 2\n  quality_trajectory:\n    current_gate: "qg-2"\n    current_gate_iteration: 1\n';

function checkpoint(changes: Partial<Checkpoint> = {}): Checkpoint {
  return {
    ...draft({ orchestration: buildOrchestration(WORKFLOW, 'ORCHESTRATION.yaml'), tokens: 177_200 }),
    schema_version: '1.0.0',
    event_id: 'cx-001',
    event_type: 'compaction',
    timestamp: AT,
    integrity: { algorithm: 'sha256', canonicalization: 'RFC 8785', digest: '' },
    ...changes,
  } as Checkpoint;
}
const merged = (section: DataMap, changes?: Partial<Checkpoint>): { section: DataMap; taken: string[] } => {
  const { top, taken } = mergeCheckpoint({ resumption: section }, checkpoint(changes));
  return { section: top.resumption as DataMap, taken };
};

const EVENT = {
  id: 'CX-001',
  timestamp: AT,
  trigger: 'auto',
  estimated_fill_before: 0.886,
  active_phase: 2,
  active_gate: 'qg-2',
  active_gate_iteration: 1,
  checkpoint_file: FILE,
  acknowledged: true,
};

describe('mergeCheckpoint()', () => {
  test('takes over the compaction, the checkpoint and its fill', () => {
    const { section, taken } = merged({
      updated_at: '2026-02-17T11:00:00Z',
      compaction_events: { count: 0, events: [] },
    });
    expect(taken).toEqual(['compaction_events', 'last_checkpoint', 'context_fill_at_update']);
    expect(section).toEqual({
      updated_at: '2026-02-17T11:00:00Z',
      last_checkpoint: 'cx-001',
      context_fill_at_update: 0.886,
      compaction_events: { count: 1, events: [EVENT] },
    });
  });

  test('takes over only the compaction into a section that is newer', () => {
    const { section, taken } = merged({ updated_at: '2026-02-17T11:46:00Z', last_checkpoint: 'CP-002' });
    expect(taken).toEqual(['compaction_events']);
    expect(section).toMatchObject({ last_checkpoint: 'CP-002', compaction_events: { count: 1 } });
  });

  test.each([['CP-001'], ['CP-1'], ['gate qg-2 passed']])(
    'leaves %s, a checkpoint of a phase, and takes the rest',
    (last_checkpoint) => {
      const { section, taken } = merged({ updated_at: '2026-02-17T11:00:00Z', last_checkpoint });
      expect(taken).toEqual(['compaction_events', 'context_fill_at_update']);
      expect(section).toMatchObject({ last_checkpoint, context_fill_at_update: 0.886 });
    },
  );

  test('takes the place of an older checkpoint of ours', () => {
    expect(merged({ last_checkpoint: 'CX-000' }).section).toMatchObject({ last_checkpoint: 'cx-001' });
  });

  test.each<[number | null, DataMap]>([
    [null, {}],
    [7, { compaction_events: { count: 7, events: [EVENT] } }],
    [2, { compaction_events: { events: [EVENT, EVENT] } }],
    [1, { compaction_events: [EVENT] }],
  ])('counts %s compactions where the section says %j', (count, section) => {
    expect(countCompactions(section)).toBe(count);
  });

  test('changes nothing the second time', () => {
    const first = mergeCheckpoint({ resumption: {} }, checkpoint()).top;
    const stamped = { resumption: { ...(first.resumption as DataMap), updated_at: '2026-02-17T12:00:00Z' } };
    const second = mergeCheckpoint(stamped, checkpoint());
    expect(second.taken).toEqual([]);
    expect(second.top).toBe(stamped);
  });

  test('marks a compaction that is listed as acknowledged, found by its id or its file', () => {
    for (const known of [
      { id: 'cx-001', acknowledged: false },
      { checkpoint_file: FILE, acknowledged: false },
    ]) {
      const { section } = merged({ compaction_events: { count: 1, events: [known] } });
      expect(section.compaction_events).toEqual({ count: 1, events: [{ ...known, acknowledged: true }] });
    }
  });

  test('is no compaction when the checkpoint is of another kind', () => {
    const { section, taken } = merged({}, { event_type: 'tier-rise' });
    expect(taken).toEqual(['last_checkpoint', 'context_fill_at_update']);
    expect(section.compaction_events).toBeUndefined();
  });

  test('adds to a list of times where the file has one', () => {
    const { section } = merged({ compaction_events: { count: 1, timestamps: ['x'], recovery_notes: ['n'] } });
    expect(section.compaction_events).toEqual({ count: 2, timestamps: ['x', AT], recovery_notes: ['n'] });
  });

  test('counts from what is counted or listed, whichever is more', () => {
    expect(
      merged({ compaction_events: { count: 6, events: [{ session: 's' }] } }).section.compaction_events,
    ).toMatchObject({ count: 7 });
    expect(merged({ compaction_events: { events: [{}, {}] } }).section.compaction_events).toMatchObject({
      count: 3,
    });
  });

  test('takes nothing back: of a compaction before one that is listed only the event is new', () => {
    for (const compaction_events of [
      { count: 1, events: [{ id: 'CX-002', timestamp: '2026-02-17T11:50:00Z' }] },
      { count: 1, timestamps: ['2026-02-17T11:50:00Z'] },
      [{ id: 'CX-002', timestamp: '2026-02-17T11:50:00Z' }],
    ]) {
      const last = { last_checkpoint: 'cx-002', context_fill_at_update: 0.4 };
      const { section, taken } = merged({ ...last, compaction_events });
      expect(taken).toEqual(['compaction_events']);
      expect(section).toMatchObject(last);
    }
  });

  test('knows its checkpoint in capitals, too', () => {
    expect(merged({ last_checkpoint: 'CX-001', context_fill_at_update: 0.886 }).taken).toEqual([
      'compaction_events',
    ]);
  });

  test('adds to a bare list of compactions, once', () => {
    const { section } = merged({ compaction_events: [{ id: 'CX-000' }] });
    expect(section.compaction_events).toEqual([{ id: 'CX-000' }, EVENT]);
    expect(merged(section).taken).toEqual([]);
  });

  test('refuses a shape that it cannot add to', () => {
    expect(() => merged({ compaction_events: 1 })).toThrow(/the value 1, a map is expected/);
    expect(() => merged({ compaction_events: { events: 'none' } })).toThrow(/"none", a list is expected/);
  });
});
