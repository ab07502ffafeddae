import { describe, expect, test } from 'vitest';
import type { DataMap } from '../../../text/json.ts';
import { changePhase, changeStatus, findPhaseName, parseStatus, stampSection } from './recovery.ts';
import { listKeyOrder, readRecoveryField, withRecovery } from './section.ts';

const section = (top: DataMap): DataMap => top.resumption as DataMap;

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
