// Tests that gates, defects, agents and files are written where they belong.
import { describe, expect, test } from 'vitest';
import { json, section, state, textOf, withFile } from './state.ts';

describe('state gate, defect, agent, file', () => {
  test('keep gates, scores and activity consistent through an iteration', () => {
    const at = withFile();
    state(at, 'gate', 'enter', 'QG-3');
    expect(section(at)).toMatchObject({
      current_activity: 'qg-3-iteration-1',
      quality_trajectory: { current_gate: 'qg-3', current_gate_iteration: 1 },
    });
    expect(
      json(state(at, 'gate', 'score', 'qg-3', '0.91', '--dimension', 'traceability', '--json')),
    ).toMatchObject({ gate: 'qg-3', iteration: 1, scores: [0.91] });
    expect(state(at, 'gate', 'fail', 'qg-3').stdout).toContain('did not pass: revision');
    state(at, 'gate', 'enter', 'qg-3');
    state(at, 'gate', 'score', 'qg-3', '0.94');
    expect(state(at, 'gate', 'enter', 'qg-final').stderr).toMatch(
      /ORCHESTRATION\.yaml:\d+: Gate qg-3 is in progress\. Nothing was changed/,
    );
    expect(state(at, 'gate', 'pass', 'qg-3').stdout).toContain('Gate qg-3 is passed with 0.94');
    expect(section(at).quality_trajectory).toEqual({
      gates_completed: ['qg-1', 'qg-2', 'qg-3'],
      gates_remaining: ['qg-final'],
      current_gate: null,
      current_gate_iteration: null,
      score_history: { 'qg-1': [0.825, 0.916, 0.941], 'qg-2': [0.96, 0.951], 'qg-3': [0.91, 0.94] },
      lowest_dimension: 'traceability',
      total_iterations_used: 7,
      total_iterations_budget: 12,
    });
    expect(textOf(at)).toContain(
      '      qg-1: [0.825, 0.916, 0.941]              # Array of scores per iteration\n      qg-2: [0.960, 0.951]\n      qg-3: [0.91, 0.94]\n',
    );
    expect(state(at, 'gate', 'score', 'qg-final', '93').stderr).toContain('a number from 0 to 1');
    expect(state(at, 'validate').code).toBe(0);
  });

  test('note defects, patterns, agents and files', () => {
    const at = withFile();
    state(at, 'defect', 'add', 'DA-009', 'counts differ');
    state(at, 'defect', 'add', 'DA-010');
    expect(state(at, 'defect', 'resolve', 'DA-009').stdout).toContain('1 is open: DA-010');
    expect(state(at, 'defect', 'resolve', 'DA-009').code).toBe(1);
    expect(state(at, 'defect', 'add', 'counts differ').stderr).toContain('the id first');
    state(at, 'defect', 'pattern', 'Counts differ', '--gate', 'qg-3', '--resolution', 'recounted');
    state(at, 'agent', 'done', 'header-applicator', 'DONE. 403 files.\nNone left.');
    state(
      at,
      'file',
      'add',
      'docs/NEW.md',
      '--section',
      'a',
      '--section',
      'b',
      '--priority',
      '2',
      '--purpose',
      'why',
    );
    expect(state(at, 'file', 'remove', 'projects/PROJ-001-oss-release/WORKTRACKER.md').code).toBe(0);
    const found = section(at);
    expect(found.defect_summary).toMatchObject({
      total_defects_found: 16,
      total_defects_resolved: 15,
      unresolved_defects: ['DA-010'],
      last_gate_primary_defect: 'DA-009: counts differ',
    });
    expect((found.defect_summary as { recurring_patterns: unknown[] }).recurring_patterns[2]).toEqual({
      pattern: 'Counts differ',
      gates_affected: ['qg-3'],
      resolution: 'recounted',
    });
    expect(found.agent_summaries).toMatchObject({ 'header-applicator': 'DONE. 403 files. None left.' });
    expect(found.files_to_read).toMatchObject([
      { priority: 1 },
      { priority: 2 },
      { path: 'docs/NEW.md', priority: 2, purpose: 'why', sections: ['a', 'b'] },
    ]);
    expect(textOf(at)).toContain('    # Agents not yet executed are omitted, not listed as null\n');
  });
});
