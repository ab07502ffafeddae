import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Data, DataMap } from '../../../text/json.ts';
import { checkSection } from './check-section.ts';
import { buildStateView } from './view.ts';

const fixture = (name: string): DataMap =>
  parse(readFileSync(new URL(`../../../../test/fixtures/${name}`, import.meta.url), 'utf8')) as DataMap;
const SOUND = fixture('state/v2.yaml');
const changed = (changes: Record<string, Data>): DataMap => ({
  ...SOUND,
  resumption: { ...(SOUND.resumption as DataMap), ...changes },
});
const quality = (changes: Record<string, Data>): DataMap =>
  changed({
    quality_trajectory: { ...((SOUND.resumption as DataMap).quality_trajectory as DataMap), ...changes },
  });

describe('findingsIn()', () => {
  test.each([['state/v2.yaml'], ['feat015/ORCHESTRATION.yaml']])('finds nothing in %s', (name) => {
    expect(checkSection(fixture(name))).toEqual([]);
  });

  // [what, file, level, path, found, word in what is expected]
  const cases: [string, DataMap, 'problem' | 'note', string, RegExp, RegExp][] = [
    ['no section', { workflow: {} }, 'problem', '', /no "resumption"/, /where the work stands/],
    [
      'an empty section',
      { workflow: {}, resumption: null },
      'problem',
      'resumption',
      /no "resumption"/,
      /where the work stands/,
    ],
    [
      'a section that is a text',
      { workflow: {}, resumption: 'x' },
      'problem',
      'resumption',
      /"x"/,
      /map of fields/,
    ],
    ['no head', { resumption: SOUND.resumption ?? null }, 'note', '', /no "workflow"/, /id and status/],
    [
      'a phase in words',
      changed({ current_phase: 'two' }),
      'note',
      'resumption.current_phase',
      /"two"/,
      /number/,
    ],
    [
      'a status that is none',
      changed({ workflow_status: 'SOON' }),
      'problem',
      'resumption.workflow_status',
      /SOON/,
      /ACTIVE \| PAUSED/,
    ],
    [
      'another word for a status',
      changed({ workflow_status: 'COMPLETED' }),
      'note',
      'resumption.workflow_status',
      /COMPLETED/,
      /COMPLETE/,
    ],
    [
      'a head of another status',
      { ...SOUND, workflow: { status: 'PAUSED' } },
      'note',
      'workflow.status',
      /PAUSED/,
      /ACTIVE/,
    ],
    ['no time', changed({ updated_at: null }), 'problem', 'resumption.updated_at', /null/, /time/],
    [
      'a time that is none',
      changed({ updated_at: 'today' }),
      'problem',
      'resumption.updated_at',
      /today/,
      /2026-/,
    ],
    [
      'a usage in percent',
      changed({ context_fill_at_update: 64.2 }),
      'problem',
      'resumption.context_fill_at_update',
      /64.2/,
      /fraction/,
    ],
    [
      'an activity that is a list',
      changed({ current_activity: ['x'] }),
      'problem',
      'resumption.current_activity',
      /x/,
      /text/,
    ],
    [
      'files that are no list',
      changed({ files_to_read: 'a' }),
      'note',
      'resumption.files_to_read',
      /"a"/,
      /list/,
    ],
    [
      'a file without a path',
      changed({ files_to_read: ['a', { purpose: 'x' }] }),
      'problem',
      'resumption.files_to_read.1',
      /purpose/,
      /path/,
    ],
    [
      'a gate that is done and remains',
      quality({ gates_remaining: ['qg-1'] }),
      'problem',
      'resumption.quality_trajectory.gates_remaining',
      /qg-1/,
      /not completed/,
    ],
    [
      'a current gate that is done',
      quality({ current_gate: 'qg-2' }),
      'problem',
      'resumption.quality_trajectory.current_gate',
      /qg-2/,
      /null/,
    ],
    [
      'an iteration beyond its scores',
      quality({ current_gate: 'qg-3', current_gate_iteration: 4 }),
      'problem',
      'resumption.quality_trajectory.current_gate_iteration',
      /4/,
      /0 or 1/,
    ],
    [
      'scores that are no numbers',
      quality({ score_history: { a: [0.9, 'good'] } }),
      'problem',
      'resumption.quality_trajectory.score_history.a',
      /good/,
      /numbers/,
    ],
    [
      'gates in words',
      quality({ gates_completed: 'all' }),
      'problem',
      'resumption.quality_trajectory.gates_completed',
      /all/,
      /list/,
    ],
    [
      'more open defects than there can be',
      changed({
        defect_summary: {
          total_defects_found: 1,
          total_defects_resolved: 1,
          unresolved_defects: ['a'],
          recurring_patterns: [],
          last_gate_primary_defect: null,
        },
      }),
      'note',
      'resumption.defect_summary.unresolved_defects',
      /1 open/,
      /at most 0/,
    ],
    [
      'an id twice',
      changed({
        decisions: [
          { id: 'a', decision: 'x' },
          { id: 'a', decision: 'y' },
        ],
      }),
      'problem',
      'resumption.decisions.1',
      /a again/,
      /own/,
    ],
    [
      'a decision without words',
      changed({ decisions: [{ id: 'a' }] }),
      'problem',
      'resumption.decisions.0',
      /a/,
      /decision/,
    ],
    [
      'a decision that is applied in a word',
      changed({ decisions: [{ id: 'a', decision: 'x', applied: 'no' }] }),
      'note',
      'resumption.decisions.0.applied',
      /"no", read as not applied/,
      /true or false/,
    ],
    ['decisions in a map', changed({ decisions: { a: 'x' } }), 'note', 'resumption.decisions', /map/, /list/],
    [
      'agents in a list',
      changed({ agent_summaries: [] }),
      'note',
      'resumption.agent_summaries',
      /list/,
      /map/,
    ],
    [
      'fewer counted than listed',
      changed({ compaction_events: { count: 0, events: [{}] } }),
      'problem',
      'resumption.compaction_events.count',
      /0/,
      /1/,
    ],
    [
      'a part that is no map',
      changed({ quality_trajectory: [] }),
      'problem',
      'resumption.quality_trajectory',
      /\[\]/,
      /map/,
    ],
    ['a lack', fixture('state/v1.yaml'), 'problem', 'resumption', /without .*decisions/, /version 2/],
  ];
  test.each(cases)('finds %s', (_, top, level, path, found, expected) => {
    const finding = checkSection(top).find((each) => each.path.join('.') === path && each.level === level);
    expect(finding?.found).toMatch(found);
    expect(finding?.expected).toMatch(expected);
    expect(finding?.fix).not.toBe('');
  });
});

test('viewOf() tells all of the section of the specification', () => {
  const view = buildStateView(SOUND, 'ORCHESTRATION.yaml');
  expect(view).toMatchObject({
    version: 2,
    workflow: { id: 'feat015-licmig-20260217-001', status: 'ACTIVE' },
    phase: 3,
    phase_name: 'Source File SPDX Header Notices',
    activity: 'phase-3-agent-execution',
    context_fill: 0.642,
    updated_at: '2026-02-17T12:34:56Z',
    last_checkpoint: 'CP-002',
    gates: {
      current: null,
      completed: ['qg-1', 'qg-2'],
      remaining: ['qg-3', 'qg-final'],
      scores: { 'qg-1': [0.825, 0.916, 0.941], 'qg-2': [0.96, 0.951] },
      lowest_dimension: 'evidence_quality',
      iterations_used: 5,
      iterations_budget: 12,
    },
    defects: { found: 14, resolved: 14, open: [], primary: null },
    compactions: 0,
  });
  expect(view.decisions.map((each) => [each.id, each.applied])).toEqual([
    ['RD-001', true],
    ['RD-002', false],
  ]);
  expect(Object.keys(view.agents)).toHaveLength(4);
  expect(view.files.map((each) => each.priority)).toEqual([1, 2, 3]);
  expect(buildStateView(fixture('state/v1.yaml'), 'x')).toMatchObject({
    version: 1,
    phase: null,
    activity: 'Phase 2 is under way.',
  });
  expect(buildStateView({}, 'x')).toMatchObject({ version: null, decisions: [], agents: {}, files: [] });
});
