import { describe, expect, test } from 'vitest';
import type { Data, DataMap } from '../../../text/json.ts';
import { enterGate, failGate, passGate, planGate, readBudget, scoreGate, setBudget } from './gates.ts';

const top = (quality: Data, rest: DataMap = {}): DataMap => ({
  resumption: { quality_trajectory: quality, ...rest },
});
const quality = (state: DataMap): DataMap => (state.resumption as DataMap).quality_trajectory as DataMap;
const activity = (state: DataMap): unknown => (state.resumption as DataMap).current_activity;

const BETWEEN: DataMap = {
  gates_completed: ['qg-1'],
  gates_remaining: ['qg-2', 'qg-final'],
  current_gate: null,
  current_gate_iteration: null,
  score_history: { 'qg-1': [0.825, 0.941] },
  lowest_dimension: 'evidence_quality',
  total_iterations_used: 2,
  total_iterations_budget: 12,
};

describe('a planned gate', () => {
  test('is to come, and its iterations add to the budget, once', () => {
    const { top: planned, isNew } = planGate(top(BETWEEN), 'qg-3', 3);
    expect(isNew).toBe(true);
    expect(quality(planned)).toEqual({
      ...BETWEEN,
      gates_remaining: ['qg-2', 'qg-final', 'qg-3'],
      total_iterations_budget: 15,
    });
    for (const known of ['QG-3', 'qg-1', 'qg-2'])
      expect(planGate(planned, known, 3)).toMatchObject({ top: planned, isNew: false });
  });

  test('begins a trajectory where there is none', () => {
    expect(quality(planGate({ resumption: {} }, 'qg-1', undefined).top)).toMatchObject({
      gates_remaining: ['qg-1'],
      current_gate: null,
    });
    expect(readBudget(setBudget({ resumption: {} }, 12))).toEqual({ used: 0, budget: 12 });
    expect(readBudget(top(BETWEEN))).toEqual({ used: 2, budget: 12 });
  });
});

describe('a gate', () => {
  test('keeps its revision where the score of the iteration is noted late', () => {
    const failed = failGate(enterGate(top(BETWEEN), 'qg-2').top, 'qg-2').top;
    expect(activity(failed)).toBe('qg-2-iteration-1-revision');
    const scored = scoreGate(failed, 'qg-2', { score: 0.8 }).top;
    expect(activity(scored)).toBe('qg-2-iteration-1-revision');
    const entered = enterGate(scored, 'qg-2');
    expect([entered.iteration, activity(entered.top)]).toEqual([2, 'qg-2-iteration-2']);
    expect(activity(scoreGate(entered.top, 'qg-2', { score: 0.9 }).top)).toBe('qg-2-iteration-2');
  });

  test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('may be called %s', (gate) => {
    const begun = enterGate(top(BETWEEN), gate).top;
    const { top: scored, scores } = scoreGate(begun, gate, { score: 0.9 });
    expect(scores).toEqual([0.9]);
    expect(passGate(scored, gate)).toMatchObject({ gate, score: 0.9, iteration: 1 });
  });

  test('goes through its iterations as the specification has it', () => {
    let state = enterGate(top(BETWEEN), 'qg-2').top;
    expect(quality(state)).toEqual({ ...BETWEEN, current_gate: 'qg-2', current_gate_iteration: 1 });
    expect(activity(state)).toBe('qg-2-iteration-1');
    state = scoreGate(state, 'qg-2', { score: 0.88, dimension: 'traceability' }).top;
    expect(quality(state)).toMatchObject({
      current_gate_iteration: 1,
      score_history: { 'qg-1': [0.825, 0.941], 'qg-2': [0.88] },
      lowest_dimension: 'traceability',
      total_iterations_used: 3,
    });
    state = failGate(state, 'qg-2').top;
    expect(quality(state)).toMatchObject({ current_gate: 'qg-2', current_gate_iteration: 1 });
    expect(activity(state)).toBe('qg-2-iteration-1-revision');
    state = enterGate(state, 'qg-2').top;
    expect(quality(state)).toMatchObject({ current_gate_iteration: 2 });
    state = scoreGate(state, 'qg-2', { score: 0.95 }).top;
    state = passGate(state, 'qg-2').top;
    expect(quality(state)).toEqual({
      gates_completed: ['qg-1', 'qg-2'],
      gates_remaining: ['qg-final'],
      current_gate: null,
      current_gate_iteration: null,
      score_history: { 'qg-1': [0.825, 0.941], 'qg-2': [0.88, 0.95] },
      lowest_dimension: 'traceability',
      total_iterations_used: 4,
      total_iterations_budget: 12,
    });
    expect(activity(state)).toBe('idle');
  });

  test('can be entered, failed and passed twice with the same result', () => {
    for (const by of [enterGate, failGate, passGate]) {
      const once = by(top(BETWEEN, { current_activity: 'x' }), 'qg-2').top;
      expect(by(once, 'qg-2').top).toEqual(once);
    }
  });

  test('is the same in capitals, and is written as the file writes it', () => {
    const { top: state, gate } = scoreGate(top(BETWEEN), 'QG-1', { score: 0.96 });
    expect(gate).toBe('qg-1');
    expect(quality(state).score_history).toEqual({ 'qg-1': [0.825, 0.941, 0.96] });
    expect(quality(state)).toMatchObject({ current_gate: null, gates_completed: ['qg-1'] });
  });

  test('has its scores where the file has them, whatever the case of its name elsewhere', () => {
    const state = top({ gates_remaining: ['QG-1'], score_history: { 'qg-1': [0.9] } });
    const { top: after, iteration } = scoreGate(state, 'qg-1', { score: 0.95 });
    expect(iteration).toBe(2);
    expect(quality(after)).toMatchObject({
      gates_remaining: ['QG-1'],
      current_gate: 'QG-1',
      score_history: { 'qg-1': [0.9, 0.95] },
    });
  });

  test('fails in the iteration that was entered, scored or not', () => {
    const state = enterGate(top(BETWEEN), 'qg-1').top;
    expect(quality(state).current_gate_iteration).toBe(3);
    const { top: after, iteration } = failGate(state, 'qg-1');
    expect(iteration).toBe(3);
    expect(activity(after)).toBe('qg-1-iteration-3-revision');
  });

  test('gets a section of its own where there is none', () => {
    const { top: state } = enterGate({ resumption: { next_step: 'x' } }, 'g');
    expect(quality(state)).toEqual({
      gates_completed: [],
      gates_remaining: ['g'],
      current_gate: 'g',
      current_gate_iteration: 1,
      score_history: {},
      lowest_dimension: null,
      total_iterations_used: 0,
    });
  });

  test('keeps the shape of entries that are maps', () => {
    const state = top({
      gates_completed: [{ id: 'A', score: 0.9, status: 'PASS' }],
      gates_remaining: [{ id: 'B' }, { id: 'C' }],
      score_history: { B: [{ iteration: 1, score: 0.8 }] },
      total_iterations_used: 7,
    });
    const scored = scoreGate(state, 'b', { score: 0.93 }).top;
    expect(quality(scored)).toMatchObject({
      score_history: {
        B: [
          { iteration: 1, score: 0.8 },
          { iteration: 2, score: 0.93 },
        ],
      },
      total_iterations_used: 8,
    });
    expect(quality(passGate(scored, 'b').top)).toMatchObject({
      gates_completed: [
        { id: 'A', score: 0.9, status: 'PASS' },
        { id: 'B', score: 0.93, status: 'PASS' },
      ],
      gates_remaining: [{ id: 'C' }],
    });
  });

  test('gets a score again when its iteration is named', () => {
    const { top: state, scores } = scoreGate(top(BETWEEN), 'qg-1', { score: 0.9, iteration: 1 });
    expect(scores).toEqual([0.9, 0.941]);
    expect(quality(state).total_iterations_used).toBe(2);
    expect(scoreGate(state, 'qg-1', { score: 0.9, iteration: 1 }).top).toEqual(state);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'another one is in progress',
      () => enterGate(top({ ...BETWEEN, current_gate: 'qg-2' }), 'qg-final'),
      /Gate qg-2 is in progress/,
    ],
    [
      'an iteration would be skipped',
      () => scoreGate(top(BETWEEN), 'qg-1', { score: 1, iteration: 4 }),
      /has 2 scores; iteration 4/,
    ],
    [
      'scores are no numbers',
      () => scoreGate(top({ score_history: { a: ['good'] } }), 'a', { score: 1 }),
      /Not every score/,
    ],
    ['the list is none', () => enterGate(top({ gates_remaining: 'all' }), 'a'), /"all", a list is expected/],
    ['the trajectory is no map', () => enterGate(top([1]), 'a'), /a list, a map is expected/],
    ['there is no section', () => enterGate({}, 'a'), /no "resumption" section/],
  ])('is refused when %s', (_, by, message) => {
    expect(by).toThrow(message);
  });
});
