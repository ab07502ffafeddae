import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { DataMap } from '../../../text/json.ts';
import { checkSection } from './check-section.ts';
import { createSection, createWorkflow, findMissing, upgradeSection } from './skeleton.ts';
import { buildStateView } from './view.ts';

const fixture = (name: string): DataMap =>
  parse(readFileSync(new URL(`../../../../test/fixtures/state/${name}`, import.meta.url), 'utf8')) as DataMap;
const START = {
  at: '2026-02-17T12:00:00Z',
  fill: 0.5,
  files: [{ path: 'ORCHESTRATION.yaml', purpose: 'p', sections: ['resumption'] }],
};
const section = (top: DataMap): DataMap => top.resumption as DataMap;

describe('createSection()', () => {
  test('lacks nothing and has no fault', () => {
    const workflow = createWorkflow({ id: 'w', name: 'n', project: null, at: START.at });
    const top = { workflow, resumption: createSection({ workflow }, START) };
    expect(findMissing(section(top))).toEqual([]);
    expect(checkSection(top)).toEqual([]);
    expect(buildStateView(top, 'x').version).toBe(2);
  });

  test('begins with what the file tells of phase, status and gates', () => {
    const { resumption: _, ...rest } = fixture('v1.yaml');
    expect(createSection(rest, START)).toMatchObject({
      current_phase: 2,
      current_phase_name: 'Core changes',
      workflow_status: 'ACTIVE',
      context_fill_at_update: 0.5,
      quality_trajectory: {
        gates_completed: ['qg-1'],
        gates_remaining: ['qg-2'],
        score_history: { 'qg-1': [0.825, 0.941] },
        total_iterations_used: 2,
        total_iterations_budget: 6,
      },
    });
    const gates = { quality_gates: [{ id: 'a', status: 'done', final_score: 0.9 }, { name: 'no id' }, 3] };
    expect(createSection(gates, START).quality_trajectory).toMatchObject({
      gates_completed: ['a'],
      gates_remaining: [],
      score_history: { a: [0.9] },
      total_iterations_budget: null,
    });
  });
});

describe('upgradeSection()', () => {
  test('adds what version 2 asks for and loses nothing of version 1', () => {
    const before = fixture('v1.yaml');
    const after = upgradeSection(before, START);
    expect(findMissing(section(after))).toEqual([]);
    expect(checkSection(after)).toEqual([]);
    const { files_to_read: files, ...rest } = section(before);
    expect(section(after)).toMatchObject(rest);
    expect(section(after).files_to_read).toEqual([
      { path: 'ORCHESTRATION_PLAN.md', priority: 1 },
      { path: 'WORKTRACKER.md', priority: 2 },
    ]);
    expect(files).toHaveLength(2);
    expect({ ...after, resumption: null }).toEqual({ ...before, resumption: null });
    expect(upgradeSection(after, START)).toBe(after);
  });

  test('leaves a section of the specification as it is', () => {
    const top = fixture('v2.yaml');
    expect(findMissing(section(top))).toEqual([]);
    expect(upgradeSection(top, START)).toBe(top);
  });

  test('completes parts that are there, below recovery_state too, and keeps lists and other names', () => {
    const before = {
      resumption: {
        recovery_state: { current_phase: 'x' },
        quality_trajectory: { gates_completed: ['a'], own: 1 },
        decision_log: [],
        compaction_events: { count: 3, timestamps: [] },
        defect_summary: null,
      },
    };
    const after = section(upgradeSection(before, START));
    expect(after.recovery_state).toMatchObject({ current_phase: 'x', next_step: null, updated_at: START.at });
    expect(after.quality_trajectory).toMatchObject({
      gates_completed: ['a'],
      own: 1,
      gates_remaining: [],
      score_history: {},
    });
    expect(after.compaction_events).toEqual({ count: 3, timestamps: [] });
    expect(after).not.toHaveProperty('decisions');
    expect(after.defect_summary).toMatchObject({ unresolved_defects: [] });
    expect(after).not.toHaveProperty('next_step');
  });
});
