import { describe, expect, test } from 'vitest';
import { state } from '../../test/unit/drafts.ts';
import { EMPTY_WORK, findGateAction, findNextAction } from './work.ts';

test.each<[string | null, string | null]>([
  ['qg-2-iteration-1', 'Restart QG-2 iteration 1. Re-read the deliverables and run all required strategies.'],
  ['qg-2 iteration 2', 'Restart QG-2 iteration 2. Re-read the deliverables and run all required strategies.'],
  [
    'qg-final-iteration-1',
    'Restart QG-Final iteration 1. Re-read the deliverables and run all required strategies.',
  ],
  [
    'qg-2-iteration-1-revision',
    'Apply the revision from the findings of QG-2 iteration 1, then run iteration 2.',
  ],
  ['phase-3-agent-execution', null],
  ['compaction-recovery', null],
  ['idle', null],
  ['', null],
  [null, null],
])('findGateAction(%j)', (activity, expected) => {
  expect(findGateAction(activity)).toBe(expected);
});

test.each<[string, string | null, string | null]>([
  ['barrier 2-iteration-3', 'Barrier 2', 'Restart BARRIER 2 iteration 3.'],
  ['review-iteration-1-revision', 'review', 'Apply the revision from the findings of REVIEW iteration 1'],
  ['sprint-iteration-3', 'review', null],
  ['sprint-iteration-3', null, null],
])('findGateAction(%j) while %j is the current gate', (activity, current, expected) => {
  const action = findGateAction(activity, current);
  if (expected === null) expect(action).toBeNull();
  else expect(action).toContain(expected);
});

const PASSED = {
  gates_completed: ['qg-1', 'qg-2'],
  gates_remaining: ['qg-3'],
  score_history: {},
  lowest_dimension: null,
  unresolved_defects: [],
  last_gate_primary_defect: null,
};

describe('findNextAction()', () => {
  const work = {
    ...EMPTY_WORK,
    requests: ['Port it'],
    tasks: [{ id: null, subject: 'Write the parser', status: 'pending' as const, active: null }],
  };
  test.each<[string, Parameters<typeof findNextAction>, string | null]>([
    [
      'a gate under way, with the step that the file notes',
      [work, state({ current_activity: 'qg-2-iteration-1', next_step: 'Fix DA-001' })],
      'Restart QG-2 iteration 1. Re-read the deliverables and run all required strategies. Noted as next step: Fix DA-001',
    ],
    [
      'a gate that is called otherwise',
      [work, state({ current_activity: 'review-iteration-1', current_gate: 'review', next_step: null })],
      'Restart REVIEW iteration 1. Re-read the deliverables and run all required strategies.',
    ],
    [
      'a gate under way, without the step that was noted for one that is passed since',
      [
        work,
        state({
          current_activity: 'qg-3-iteration-1',
          current_gate: 'qg-3',
          next_step: 'Restart QG-2 iteration 2',
          quality: PASSED,
        }),
      ],
      'Restart QG-3 iteration 1. Re-read the deliverables and run all required strategies.',
    ],
    [
      'the open task, when the step was noted for a gate that is passed since',
      [
        work,
        state({
          current_activity: 'idle',
          current_gate: null,
          next_step: 'Score qg-2-iteration-2',
          quality: PASSED,
        }),
      ],
      'First pending task: Write the parser',
    ],
    [
      'the step of the file, which may speak of a gate that is passed',
      [
        work,
        state({
          current_activity: 'idle',
          current_gate: null,
          next_step: 'Write up what qg-2 found',
          quality: PASSED,
        }),
      ],
      'Write up what qg-2 found',
    ],
    [
      'the step of the file',
      [work, state({ current_activity: 'idle', next_step: 'Run EN-932' })],
      'Run EN-932',
    ],
    [
      'the open task',
      [work, state({ current_activity: null, next_step: null })],
      'First pending task: Write the parser',
    ],
    ['the open task without a file', [work, null], 'First pending task: Write the parser'],
    [
      'the task in progress',
      [
        {
          ...work,
          tasks: [...work.tasks, { id: null, subject: 'Test it', status: 'in_progress', active: null }],
        },
        null,
      ],
      'Task in progress: Test it',
    ],
    ['nothing, where a request alone is known', [{ ...work, tasks: [] }, null], null],
    ['nothing', [EMPTY_WORK, null], null],
  ])('is %s', (_, [given, file], expected) => {
    expect(findNextAction(given, file)).toBe(expected);
  });
});
