import { describe, expect, test } from 'vitest';
import { draft, orchestration, state } from '../../../test/unit/drafts.ts';
import { ledger, voyage } from '../../../test/unit/ledger-facts.ts';
import { BUDGETS, estimateTokens } from '../../text/budget.ts';
import { draftWorkflow } from '../checkpoint/checkpoint.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { composeAlert, composeWorkflowHandoff, composeWorkflowPointer } from '../messages.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const alert = (known: Ledger | null, more: Partial<Parameters<typeof composeAlert>[0]> = {}): string =>
  composeAlert({
    event: 1,
    checkpoint: 'cx-001',
    draft: draft({ ledger: known }),
    root: '/project',
    now: NOW,
    ...more,
  });

describe('a workflow', () => {
  const small = ledger({ requests: voyage().requests });
  const told = (more: Parameters<typeof state>[0], known = small): string =>
    alert(known, { draft: draft({ ledger: known, orchestration: orchestration({ state: state(more) }) }) });

  test('that is current is told behind the words of the user, with its age', () => {
    const text = told({ updated_at: '2026-11-28T11:55:00Z' });
    expect(text).toContain(
      'WORKFLOW (ORCHESTRATION.yaml, updated 5 min ago): Phase 3 (Implementation), qg-2 iteration 2',
    );
    expect(text.indexOf("THE USER'S GOAL")).toBeLessThan(text.indexOf('WORKFLOW'));
    expect(text).toContain('Next step (from the workflow file): Restart QG-2 iteration 2.');
  });

  const STEP =
    'Next step (from the workflow file, possibly outdated): Restart QG-2 iteration 2. Re-read the deliverables and run all required strategies. Noted as next step: Revise the draft for qg-2';
  test.each<[string, Parameters<typeof state>[0], string, string[]]>([
    ['eight days old', { updated_at: '2026-11-20T12:00:00Z' }, '8 days ago', []],
    [
      'older than the session',
      {
        updated_at: '2026-11-28T09:00:00Z',
        section: { file_changed_at: null, session_since: '2026-11-28T10:00:00Z', phase_since: null },
      },
      '3 h ago',
      [STEP],
    ],
    [
      'older than the phase that it names',
      {
        updated_at: '2026-11-28T09:00:00Z',
        section: { file_changed_at: null, session_since: null, phase_since: '2026-11-28T10:00:00Z' },
      },
      '3 h ago',
      [STEP],
    ],
  ])('that is %s is told with its age, as possibly outdated', (_, more, age, asks) => {
    const lines = told(more)
      .split('\n')
      .filter((line) => /^(?!Whole:).*(?:WORKFLOW|workflow|qg-2|Phase 3|Revise)/.test(line));
    expect(lines).toEqual([
      `WORKFLOW FILE (possibly outdated, updated ${age}): flow-1, Phase 3 (Implementation), qg-2 iteration 2`,
      ...asks,
    ]);
  });

  test.each(['COMPLETE', 'ABANDONED'])('that is %s is history, one line', (workflow_status) => {
    const lines = told({ workflow_status, updated_at: '2026-01-06T12:00:00Z' })
      .split('\n')
      .filter((line) => /WORKFLOW|qg-2|Phase 3|Revise/.test(line));
    expect(lines).toEqual([`WORKFLOW (history): flow-1 is ${workflow_status}, 326 days ago`]);
  });

  test('with too many decisions keeps the pending and the newest, and every word of the user', () => {
    const decisions = Array.from({ length: 40 }, (_, index) => ({
      id: `RD-${index}`,
      summary: `Decision number ${index} about the layout of a table`,
      affects_phases: [],
      applied: index !== 3,
    }));
    const known = small;
    const text = alert(known, {
      draft: draft({
        ledger: known,
        orchestration: orchestration({
          state: state({ updated_at: '2026-11-28T11:55:00Z' }),
          accumulated: {
            defect_patterns: [],
            decisions_since_last_checkpoint: decisions,
            agent_summaries: {},
          },
        }),
      }),
    });
    expect(text).toContain('RD-3: ');
    expect(text).not.toContain('RD-0: ');
    expect(text).toContain("THE USER'S GOAL: Build the parser.");
    expect(text).toContain("THE USER'S LATEST TASK: Now let it report the line of an error");
  });
});

describe('a workflow without a session before', () => {
  const told = (more: Parameters<typeof state>[0]) => draftWorkflow(orchestration({ state: state(more) }));

  test.each([
    ['2026-11-28T11:00:00Z', 'WORKFLOW: flow-1 (ORCHESTRATION.yaml, updated 60 min ago)'],
    ['2026-11-20T12:00:00Z', 'WORKFLOW (possibly outdated): flow-1 (ORCHESTRATION.yaml, updated 8 days ago)'],
  ])('that was written at %s is told in full, with its age', (updated_at, line) => {
    const text = composeWorkflowHandoff(told({ updated_at }), NOW, BUDGETS.resumption);
    expect(text).toContain(`\n${line}\n`);
    for (const part of ['RECOVERY STATE:', 'NEXT ACTION', 'Reading order:', 'plimsoll state show'])
      expect(text).toContain(part);
    expect(estimateTokens(text)).toBeLessThanOrEqual(BUDGETS.resumption);
  });

  test('is named in one line with the command that tells it whole', () => {
    const line = composeWorkflowPointer(told({ updated_at: '2026-11-20T12:00:00Z' }), NOW);
    expect(line).toMatch(
      /^<resumption-context>Workflow flow-1, ACTIVE, Phase 3 .*plimsoll handoff\)<\/resumption-context>$/,
    );
    expect(estimateTokens(line)).toBeLessThanOrEqual(BUDGETS.resumptionPointer);
  });
});
