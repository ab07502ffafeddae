import { describe, expect, test } from 'vitest';
import type { Data, DataMap } from '../../../text/json.ts';
import { addDecision, applyDecision, listDecisions } from './decisions.ts';

const made = (decision: string) => ({
  decision,
  at: '2026-02-17T12:00:00Z',
  phases: [3] as (string | number)[],
});
const section = (top: DataMap): DataMap => top.resumption as DataMap;

describe('decisionsIn()', () => {
  // [what, section, ids, texts, applied]
  const shapes: [string, DataMap, string[], string[], boolean[]][] = [
    [
      'a list of maps',
      { decisions: [{ id: 'RD-001', decision: 'a', applied: false }, { summary: 'b' }] },
      ['RD-001', ''],
      ['a', 'b'],
      [false, true],
    ],
    [
      'a map of maps',
      { decisions: { 'RD-001': { decision: 'a', applied: false } } },
      ['RD-001'],
      ['a'],
      [false],
    ],
    ['a map of texts', { decision_log: { D1: 'a' } }, ['D1'], ['a'], [true]],
    ['a list of texts', { decision_log: ['RD-002: a', 'b'] }, ['RD-002', ''], ['a', 'b'], [true, true]],
    [
      'both names',
      { decisions: [{ id: 'a', decision: 'x' }], decision_log: [{ id: 'b', decision: 'y' }] },
      ['a', 'b'],
      ['x', 'y'],
      [true, true],
    ],
    [
      'what older readers of YAML take for false',
      {
        decisions: ['no', 'False', 'off', 'yes', 'done'].map((applied) => ({ decision: applied, applied })),
      },
      ['', '', '', '', ''],
      ['no', 'False', 'off', 'yes', 'done'],
      [false, false, false, true, true],
    ],
    ['what is none', { decisions: 7, decision_log: [null, 3, { id: 'c' }] }, [], [], []],
  ];
  test.each(shapes)('reads %s', (_, data, ids, texts, applied) => {
    const found = listDecisions(data);
    expect([
      found.map((each) => each.id),
      found.map((each) => each.decision),
      found.map((each) => each.applied),
    ]).toEqual([ids, texts, applied]);
  });
});

describe('addDecision()', () => {
  test('gives the next id, with the gate and iteration in progress', () => {
    const top = {
      resumption: {
        decisions: [{ id: 'RD-009', decision: 'a' }],
        quality_trajectory: { current_gate: 'qg-2', current_gate_iteration: 1 },
      },
    };
    const { top: after, id } = addDecision(top, { ...made('b'), rationale: 'why' });
    expect(id).toBe('RD-010');
    expect((section(after).decisions as Data[])[1]).toEqual({
      id: 'RD-010',
      at: '2026-02-17T12:00:00Z',
      gate: 'qg-2',
      iteration: 1,
      decision: 'b',
      rationale: 'why',
      affects_phases: [3],
      applied: false,
    });
  });

  // [what, section before, key, id]
  test.each<[string, DataMap, string, string]>([
    ['in a list of its own', {}, 'decisions', 'RD-001'],
    [
      'in the log where there is one',
      { decision_log: [{ id: 'AE-4', decision: 'a' }] },
      'decision_log',
      'RD-001',
    ],
    ['in an empty log', { decision_log: null }, 'decision_log', 'RD-001'],
    ['in a map', { decisions: { 'RD-003': 'a' } }, 'decisions', 'RD-004'],
    [
      'behind the ids of both',
      { decisions: [], decision_log: [{ id: 'rd-12', decision: 'a' }] },
      'decisions',
      'RD-013',
    ],
  ])('adds it %s', (_, before, key, id) => {
    const { top, id: given } = addDecision({ resumption: before }, made('new'));
    expect(given).toBe(id);
    const holder = section(top)[key];
    expect(listDecisions({ [key]: holder ?? null }).at(-1)).toMatchObject({
      id,
      decision: 'new',
      applied: false,
    });
  });

  test('makes no second one of the same words', () => {
    const first = addDecision({ resumption: {} }, made('a'));
    const again = addDecision(first.top, made(' a '));
    expect(again).toEqual({ top: first.top, id: 'RD-001', isNew: false });
    expect(again.top).toBe(first.top);
  });

  test('gives to one of the same words what is new, each phase once', () => {
    const first = addDecision({ resumption: {} }, { ...made('a'), phases: [3, 3] });
    const again = { ...made('a'), phases: [3, 4], rationale: 'why', applied: true };
    const { top, isNew } = addDecision(first.top, again);
    expect(isNew).toBe(false);
    expect(section(top).decisions).toMatchObject([
      { id: 'RD-001', affects_phases: [3, 4], rationale: 'why', applied: true },
    ]);
    expect(addDecision(top, again).top).toBe(top);
    expect(addDecision(top, made('a')).top).toBe(top);
  });
});

describe('applyDecision()', () => {
  const top: DataMap = {
    resumption: {
      decisions: [{ id: 'RD-001', decision: 'a', applied: false }],
      decision_log: { 'AE-2': { decision: 'b', applied: false } },
    },
  };

  test.each([['RD-001'], ['rd-001'], ['1'], ['RD-1']])('finds %s', (given) => {
    const { top: after, decision } = applyDecision(top, given);
    expect(decision).toMatchObject({ id: 'RD-001', applied: true });
    expect(section(after)).toEqual({
      ...section(top),
      decisions: [{ id: 'RD-001', decision: 'a', applied: true }],
    });
  });

  test('finds one by its key in a map', () => {
    expect(section(applyDecision(top, 'AE-2').top).decision_log).toEqual({
      'AE-2': { decision: 'b', applied: true },
    });
  });

  test('says which there are when there is none of that name', () => {
    expect(() => applyDecision(top, 'RD-009')).toThrow(/no decision "RD-009"/);
  });
});
