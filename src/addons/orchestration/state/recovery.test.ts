import { describe, expect, test } from 'vitest';
import type { DataMap } from '../../../text/json.ts';
import {
  changePhase,
  changeStatus,
  findPhaseName,
  listOpenBefore,
  listOtherPhases,
  listPhasesByStatus,
  noteCheckpoint,
  parseStatus,
  stampSection,
} from './recovery.ts';
import { listKeyOrder, readRecoveryField, withRecovery } from './section.ts';

const section = (top: DataMap): DataMap => top.resumption as DataMap;

/** Phases 1, 2 … of one pipeline, with these statuses. */
const phases = (...statuses: string[]): DataMap => ({
  pipelines: { main: { phases: statuses.map((status, index) => ({ id: index + 1, status })) } },
});

test.each([
  [3, []],
  ['2', []],
  [9, [1, 2, 3]],
])('phase %s: the file names others, and not this one: %j', (phase, others) => {
  expect(listOtherPhases(phases('PENDING', 'PENDING', 'PENDING'), phase)).toEqual(others);
  expect(listOtherPhases({}, phase)).toEqual([]);
});

describe('listPhasesByStatus()', () => {
  // [statuses, current phase, complete, in progress, to come]
  test.each<[string[], number | string | null, unknown[], unknown[], unknown[]]>([
    [['COMPLETE', 'ACTIVE', 'PENDING', 'PENDING'], 2, [1], [2], [3, 4]],
    [['COMPLETE', 'PENDING', 'PENDING', 'PENDING'], 4, [1, 2, 3], [4], []],
    [['PENDING', 'PENDING', 'PENDING'], 1, [], [1], [2, 3]],
    [['COMPLETE', 'ACTIVE', 'PENDING', 'ACTIVE'], 4, [1, 3], [2, 4], []],
    [['COMPLETE', 'COMPLETE'], 2, [1, 2], [], []],
    [['COMPLETE', 'ACTIVE'], '2', [1], [2], []],
    [['COMPLETE'], 7, [1], [7], []],
    [['COMPLETE', 'ACTIVE', 'PENDING'], null, [1], [2], [3]],
    [[], 3, [], [3], []],
  ])('of %j with phase %s current never contradicts it', (statuses, current, complete, underWay, left) => {
    expect(listPhasesByStatus(phases(...statuses), current)).toEqual({
      phases_complete: complete,
      phases_in_progress: underWay,
      phases_remaining: left,
    });
  });
});

describe('the statuses of phases', () => {
  const statuses = (top: DataMap): unknown[] =>
    (top.pipelines as { main: { phases: DataMap[] } }).main.phases.map(({ status }) => status);

  // [statuses, current phase, the phase that begins and those that are done, statuses after, what is asked about]
  test.each<[string[], number, { phase: number; done?: number[] }, string[], number[]]>([
    [
      ['COMPLETE', 'ACTIVE', 'PENDING', 'PENDING'],
      2,
      { phase: 4 },
      ['COMPLETE', 'COMPLETE', 'PENDING', 'ACTIVE'],
      [3],
    ],
    [
      ['COMPLETE', 'ACTIVE', 'PENDING', 'PENDING'],
      2,
      { phase: 4, done: [3] },
      ['COMPLETE', 'COMPLETE', 'COMPLETE', 'ACTIVE'],
      [],
    ],
    [['done', 'in_progress', 'pending'], 2, { phase: 3 }, ['done', 'done', 'in_progress'], []],
    [['COMPLETE', 'ACTIVE', 'PENDING'], 2, { phase: 2 }, ['COMPLETE', 'ACTIVE', 'PENDING'], []],
    [['COMPLETE', 'COMPLETE', 'ACTIVE'], 3, { phase: 2 }, ['COMPLETE', 'COMPLETE', 'ACTIVE'], []],
    [['PENDING', 'PENDING'], 1, { phase: 2, done: [2] }, ['COMPLETE', 'COMPLETE'], []],
  ])('%j follow phase %s to %j', (before, current, change, after, open) => {
    const top = { resumption: { current_phase: current }, ...phases(...before) };
    const changed = changePhase(top, change);
    expect(statuses(changed)).toEqual(after);
    expect(listOpenBefore(changed, change.phase)).toEqual(open);
  });

  test('stay where several pipelines have the phase, and where there is none', () => {
    const shared = {
      a: { phases: [{ id: 1, status: 'ACTIVE' }] },
      b: { phases: [{ id: 1, status: 'ACTIVE' }] },
    };
    const top: DataMap = { resumption: { current_phase: 1 }, pipelines: shared, phases: { 2: 'Review' } };
    expect(changePhase(top, { phase: 2 })).toMatchObject({ pipelines: shared, phases: { 2: 'Review' } });
  });
});

describe('noteCheckpoint()', () => {
  const at = '2026-02-17T12:00:00Z';
  test.each<[DataMap, string]>([
    [{ resumption: {} }, 'CP-001'],
    [{ resumption: { last_checkpoint: 'CP-009' } }, 'CP-010'],
    [{ resumption: { last_checkpoint: 'cx-004' }, checkpoints: { latest_id: 'CP-002' } }, 'CP-003'],
    [{ resumption: {}, checkpoints: { entries: [{ id: 'CP-004' }] } }, 'CP-005'],
  ])('of %j takes the next number', (top, id) => {
    expect(noteCheckpoint(top, { about: 'x', at }).id).toBe(id);
  });

  test('lists it where the file lists checkpoints, once', () => {
    const top = { resumption: {}, checkpoints: { latest_id: null, entries: [] } };
    const first = noteCheckpoint(top, { about: 'Phase 1 complete', at });
    expect(first.top).toEqual({
      resumption: { last_checkpoint: 'CP-001' },
      checkpoints: {
        latest_id: 'CP-001',
        entries: [
          { id: 'CP-001', timestamp: at, trigger: 'PHASE_CHECKPOINT', recovery_point: 'Phase 1 complete' },
        ],
      },
    });
    expect(noteCheckpoint(first.top, { id: 'CP-001', about: 'y', at }).top).toEqual(first.top);
  });
});

describe('changePhase()', () => {
  const PIPELINES = { pipelines: { a: { phases: [{ id: 3, name: 'Review' }] } } };

  // [what, top before, phase and name given, fields after]
  test.each<[string, DataMap, { phase: number | string; name?: string }, DataMap]>([
    [
      'the name given',
      { resumption: {}, ...PIPELINES },
      { phase: 3, name: 'Mine' },
      { current_phase: 3, current_phase_name: 'Mine' },
    ],
    [
      "the file's name",
      { resumption: {}, ...PIPELINES },
      { phase: 3 },
      { current_phase: 3, current_phase_name: 'Review' },
    ],
    [
      'its own name while it is the same',
      { resumption: { current_phase: 3, current_phase_name: 'Old' } },
      { phase: 3 },
      { current_phase: 3, current_phase_name: 'Old' },
    ],
    [
      'no name of another phase',
      { resumption: { current_phase: 2, current_phase_name: 'Old' } },
      { phase: 3 },
      { current_phase: 3, current_phase_name: null },
    ],
    [
      'an activity of its own',
      { resumption: { current_activity: 'phase-2-agent-execution' } },
      { phase: 3 },
      { current_phase: 3, current_phase_name: null, current_activity: 'phase-3-agent-execution' },
    ],
    [
      'an activity that names no phase',
      { resumption: { current_activity: 'qg-1-iteration-2' } },
      { phase: 3 },
      { current_phase: 3, current_phase_name: null, current_activity: 'qg-1-iteration-2' },
    ],
    [
      'a word for a phase',
      { resumption: {} },
      { phase: 'final' },
      { current_phase: 'final', current_phase_name: null },
    ],
  ])('has %s', (_, top, phase, fields) => {
    expect(section(changePhase(top, phase))).toEqual(fields);
  });

  test('takes activity and next step along', () => {
    const top = changePhase({ resumption: {} }, { phase: 1, activity: 'a', next: 'n' });
    expect(section(top)).toMatchObject({ current_activity: 'a', next_step: 'n' });
  });

  test('finds the name wherever phases stand, and none where two differ', () => {
    expect(findPhaseName({ phases: { p1: { number: 1, name: 'One' } } }, 1)).toBe('One');
    expect(findPhaseName({ pipeline: { phases: { 2: 'Two' } } }, 2)).toBe('Two');
    expect(
      findPhaseName(
        { pipelines: { a: { phases: [{ id: 1, name: 'A' }] }, b: { phases: [{ id: '1', name: 'B' }] } } },
        1,
      ),
    ).toBeNull();
    expect(findPhaseName({ pipelines: [] }, 1)).toBeNull();
  });
});

test('a status is one of four words, in any case, and stands in the head as well', () => {
  expect(['active', ' Paused', 'COMPLETED', 'failed', 'soon'].map(parseStatus)).toEqual([
    'ACTIVE',
    'PAUSED',
    'COMPLETE',
    'FAILED',
    null,
  ]);
  expect(changeStatus({ workflow: { id: 'w', status: 'ACTIVE' }, resumption: {} }, 'paused')).toEqual({
    workflow: { id: 'w', status: 'PAUSED' },
    resumption: { workflow_status: 'PAUSED' },
  });
  expect(changeStatus({ workflow: { id: 'w' }, resumption: {} }, 'paused').workflow).toEqual({ id: 'w' });
});

test('fields are changed where they stand: below recovery_state, beside it, and new ones below it', () => {
  const before = {
    next_step: 'flat',
    recovery_state: { updated_at: 'x', current_phase: 1 },
    current_phase: 9,
  };
  expect(readRecoveryField(before, 'current_phase')).toBe(1);
  expect(withRecovery(before, { next_step: 'n', current_phase: 2, current_activity: 'a' })).toEqual({
    next_step: 'n',
    recovery_state: { updated_at: 'x', current_phase: 2, current_activity: 'a' },
    current_phase: 9,
  });
  expect(withRecovery({ recovery_state: null }, { next_step: 'n' })).toEqual({
    recovery_state: null,
    next_step: 'n',
  });
});

test('a stamp leaves an unknown fill alone', () => {
  const top = { resumption: { context_fill_at_update: 0.5, updated_at: 'x' } };
  expect(section(stampSection(top, 'y', null))).toEqual({ context_fill_at_update: 0.5, updated_at: 'y' });
  expect(section(stampSection(top, 'y', 0.642))).toEqual({ context_fill_at_update: 0.642, updated_at: 'y' });
});

test('keys have a customary order in the section and its parts, and nowhere else', () => {
  expect(listKeyOrder(['resumption'])).toContain('next_step');
  expect(listKeyOrder(['resumption', 'quality_trajectory'])).toContain('score_history');
  expect(listKeyOrder(['resumption', 'recovery_state'])).toContain('updated_at');
  for (const path of [
    [],
    ['workflow'],
    ['quality_trajectory'],
    ['resumption', 'agent_summaries'],
    ['resumption', 'decisions', 0],
  ])
    expect(listKeyOrder(path)).toEqual([]);
});
