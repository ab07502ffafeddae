import { describe, expect, test } from 'vitest';
import { readScoredIteration } from '../../compaction/workflow/workflow.ts';
import { buildOrchestration } from './resumption.ts';

const PATH = 'ORCHESTRATION.yaml';

/** What a decision does not say of itself. */
const UNTOLD = { gate: null, iteration: null, at: null };

test.each(['toString', 'hasOwnProperty'])('A gate called %s has no scores that nobody gave it', (gate) => {
  const found = buildOrchestration(
    `resumption:\n  quality_trajectory:\n    current_gate: ${gate}\n    current_gate_iteration: 2\n  files_to_read:\n    - path: a\n      sections: ["{${gate}}"]\n`,
    PATH,
  );
  expect(found?.state).toMatchObject({ current_gate: gate, current_gate_score: null });
  expect(found?.state === undefined ? null : readScoredIteration(found.state)).toBe(2);
  expect(found?.files[0]?.sections).toEqual([]);
});

test.each<[string, string]>([
  [
    'a pipeline',
    'pipeline:\n  phases:\n    - {id: 1, status: DONE}\n    - id: 2\n      status: active\n    - id: three\n',
  ],
  [
    'a map at the top',
    'phases:\n  1:\n    id: 1\n    status: complete\n  2: {id: 2, status: running}\n  three: later\n',
  ],
  [
    'two pipelines, of which one is behind',
    'pipelines:\n  a:\n    phases: [{id: 1, status: done}, {id: 2, status: done}]\n  b:\n    phases:\n      - {id: 1, status: done}\n      - {id: 2}\n      - {id: three}\n',
  ],
])('Phases are done, under way or to come in %s', (_, phases) => {
  expect(buildOrchestration(`workflow: {id: w}\n${phases}`, PATH)?.state).toMatchObject({
    phases_complete: [1],
    phases_in_progress: [2],
    phases_remaining: ['three'],
  });
});

/** Version 2, as seed 002 writes it. */
const FULL = `
workflow:
  id: "flow-1"
  status: "ACTIVE"
  project_id: "PROJ-7"
pipelines:
  main:
    phases:
      - id: 1
        status: "COMPLETE"
      - id: 2
        status: PASSED
      - id: 3
        status: IN_PROGRESS
      - id: 4
checkpoints:
  latest_id: "CP-009"
resumption:
  recovery_state:
    last_checkpoint: "CP-005"
    current_phase: 3
    current_phase_name: "Implementation"
    workflow_status: "ACTIVE"
    current_activity: "qg-2 iteration 2"
    next_step: "Revise the draft"
    updated_at: "2026-11-27T10:00:00Z"
    context_fill_at_update: 0.642
  compaction_events:
    count: 2
    events: []
  files_to_read:
    - path: "docs/risks.md"
      priority: 2
    - path: "docs/plan.md"
      priority: 1
      purpose: "Strategy"
      sections: ["phase 3", "gates.{current_gate}", "phase-{current_phase}", "of-{nobody}"]
    - "notes.md"
    - purpose: "no path"
  quality_trajectory:
    current_gate: "qg-2"
    current_gate_iteration: 2
    score_history:
      qg-1: [0.883, 0.927]
      qg-2: [0.871, 0.894]
    gates_completed: ["qg-1"]
    gates_remaining: ["qg-3"]
    lowest_dimension: "evidence_quality"
  defect_summary:
    unresolved_defects: ["DA-002"]
    last_gate_primary_defect: "DA-001: names differ"
    recurring_patterns:
      - pattern: "Missing tests"
        gates_affected: ["qg-1"]
      - "Plain text"
  decision_log:
    - id: "D-1"
      decision: "Old one"
      applied: true
    - id: "D-2"
      summary: "Rename the field"
      affects_phases: [4, "five"]
      gate: "qg-2"
      iteration: 1
      at: "2026-11-27T09:00:00Z"
      applied: false
    - decision: "Without a mark"
  agent_summaries:
    qa-001: "All well"
    qa-002: null
    qa-003: 7
`;

describe('orchestrationOf()', () => {
  test('reads the resumption section of seed 002', () => {
    expect(buildOrchestration(FULL, PATH)).toEqual({
      state: {
        path: PATH,
        workflow_id: 'flow-1',
        workflow_status: 'ACTIVE',
        current_phase: 3,
        current_phase_name: 'Implementation',
        current_activity: 'qg-2 iteration 2',
        last_completed_checkpoint: 'CP-005',
        current_gate: 'qg-2',
        current_gate_iteration: 2,
        current_gate_score: 0.894,
        next_step: 'Revise the draft',
        updated_at: '2026-11-27T10:00:00Z',
        project_id: 'PROJ-7',
        plan_path: null,
        phases_complete: [1, 2],
        phases_in_progress: [3],
        phases_remaining: [4],
        context_fill_at_update: 0.642,
        compaction_count: 2,
        quality: {
          gates_completed: ['qg-1'],
          gates_remaining: ['qg-3'],
          score_history: { 'qg-1': [0.883, 0.927], 'qg-2': [0.871, 0.894] },
          lowest_dimension: 'evidence_quality',
          unresolved_defects: ['DA-002'],
          last_gate_primary_defect: 'DA-001: names differ',
        },
      },
      accumulated: {
        defect_patterns: ['Missing tests', 'Plain text'],
        defect_gates: { 'Missing tests': ['qg-1'] },
        decisions_since_last_checkpoint: [
          {
            id: 'D-2',
            summary: 'Rename the field',
            affects_phases: [4, 'five'],
            applied: false,
            gate: 'qg-2',
            iteration: 1,
            at: '2026-11-27T09:00:00Z',
          },
          { id: 'D-1', summary: 'Old one', affects_phases: [], applied: true, ...UNTOLD },
          { id: '', summary: 'Without a mark', affects_phases: [], applied: true, ...UNTOLD },
        ],
        agent_summaries: { 'qa-001': 'All well', 'qa-003': '7' },
      },
      files: [
        {
          path: 'docs/plan.md',
          sections: ['phase 3', 'gates.qg-2', 'phase-3'],
          priority: 1,
          purpose: 'Strategy',
        },
        { path: 'docs/risks.md', sections: [], priority: 2, purpose: null },
        { path: 'notes.md', sections: [], priority: 3, purpose: null },
      ],
    });
  });

  test('reads a section of version 1, with its fields directly below it', () => {
    const source = `
resumption:
  last_checkpoint: cp-qg2-pass
  current_state: "Phase 2 in work"
  next_step: "Go on"
  current_phase: two
  files_to_read:
    - ORCHESTRATION_PLAN.md
`;
    expect(buildOrchestration(source, PATH)).toMatchObject({
      state: {
        workflow_id: null,
        workflow_status: null,
        current_phase: 'two',
        current_activity: 'Phase 2 in work',
        last_completed_checkpoint: 'cp-qg2-pass',
        current_gate: null,
        current_gate_score: null,
        next_step: 'Go on',
      },
      files: [{ path: 'ORCHESTRATION_PLAN.md', sections: [], priority: 1, purpose: null }],
    });
  });

  test('takes the last checkpoint of the file where the section names none', () => {
    const source = FULL.replace('"CP-005"', 'null');
    expect(buildOrchestration(source, PATH)?.state.last_completed_checkpoint).toBe('CP-009');
  });

  const GATES = `
quality_gates:
  qg-1:
    status: PASS
    iteration_history:
      - { iteration: 1, score: 0.9 }
      - iteration: 1
        score: 0.93
  qg-2:
    status: IN_PROGRESS # PENDING | IN_PROGRESS | PASS
    current_iteration: 3
    iteration_history:
      - iteration: 1
        score: 0.85
      - iteration: 2
        score: 0.88
  qg-3:
    status: PENDING
`;
  const STATED = { current_gate: 'qg-2', current_gate_iteration: 3, current_gate_score: 0.88 };
  test.each<[string, string, object]>([
    ['a section of version 1', 'resumption:\n  next_step: go on\n', STATED],
    ['no section', 'workflow:\n  id: w\n', STATED],
    [
      'a section that says there is none',
      'resumption:\n  quality_trajectory:\n    current_gate: null\n',
      { current_gate: null, current_gate_score: null },
    ],
    [
      'a section that names another',
      'resumption:\n  quality_trajectory:\n    current_gate: qg-3\n',
      { current_gate: 'qg-3', current_gate_score: null },
    ],
    [
      'a section with scores of its own and no word of a current gate',
      'resumption:\n  quality_trajectory:\n    score_history:\n      qg-2: [0.85, 0.88, 0.91]\n',
      { ...STATED, current_gate_score: 0.91 },
    ],
  ])('takes the gate that is in progress from quality_gates beside %s', (_, section, expected) => {
    expect(buildOrchestration(section + GATES, PATH)?.state).toMatchObject(expected);
  });

  test.each<[string, string]>([
    ['an empty file', ''],
    ['another YAML file', 'services:\n  web:\n    image: x\n'],
    ['no YAML', '# Title\n\nSome prose: with colons\n'],
  ])('is null for %s', (_, source) => {
    expect(buildOrchestration(source, PATH)).toBeNull();
  });

  test.each<[string, string]>([
    ['a workflow alone', 'workflow:\n  id: flow-1\n'],
    ['lists for maps', 'workflow:\n  - a\nresumption:\n  - b\n'],
    [
      'text for maps',
      'workflow: a\nresumption:\n  recovery_state: text\n  quality_trajectory: text\n  agent_summaries: x\n',
    ],
    ['maps for lists', 'resumption:\n  files_to_read:\n    a: 1\n  decision_log:\n    b: 2\n'],
    [
      'text for numbers',
      'resumption:\n  quality_trajectory:\n    current_gate: 5\n    current_gate_iteration: two\n',
    ],
    ['nothing below it', 'resumption:\n'],
  ])('reads odd shapes without complaint: %s', (_, source) => {
    expect(buildOrchestration(source, PATH)?.state.path).toBe(PATH);
  });
});
