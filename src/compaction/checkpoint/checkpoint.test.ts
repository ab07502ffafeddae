import { describe, expect, test } from 'vitest';
import { draft, orchestration, state } from '../../../test/unit/drafts.ts';
import type { WorkTask } from '../work.ts';
import { CHECKPOINT_VERSION, openTaskSubjects, type TriggerType } from './checkpoint.ts';

const task = (subject: string, status: WorkTask['status'] = 'pending'): WorkTask => ({
  id: null,
  subject,
  status,
  active: null,
});

describe('draftCheckpoint()', () => {
  test.each<[TriggerType, string]>([
    ['auto', 'compaction'],
    ['manual', 'compaction'],
    ['late', 'compaction'],
    ['tier-rise', 'tier-rise'],
    ['session-end', 'session-end'],
    ['cli', 'manual'],
  ])('calls a checkpoint with the trigger %s a %s event', (trigger, event) => {
    expect(draft({ trigger }).event_type).toBe(event);
  });

  test('keeps the usage as fractions of window and effective limit, rounded to four places', () => {
    expect(draft({ tokens: 146_433 }).context_state).toEqual({
      estimated_fill_before_compaction: 0.7322,
      estimated_tokens_used: 146_433,
      context_window_size: 200_000,
      source: 'usage',
      confidence: 'certain',
      window_source: 'table',
      auto_compact_at: 167_000,
      fraction_of_limit: 0.8768,
      tier: 'CRITICAL',
      model: 'claude-sonnet-4-5',
    });
  });

  test('keeps an unknown fill as unknown', () => {
    expect(draft({ tokens: null }).context_state).toMatchObject({
      estimated_fill_before_compaction: null,
      estimated_tokens_used: null,
      fraction_of_limit: null,
      tier: null,
      source: 'none',
      confidence: null,
    });
  });

  test('is not acknowledged, and keeps session, trigger and work', () => {
    const work = { requests: ['Fix it'], files_written: ['/a.ts'] };
    const found = draft({ work, instructions: 'keep the plan', conversation: { epoch: 4 } });
    expect(found.metadata).toEqual({
      written_by: 'plimsoll test',
      acknowledged: false,
      acknowledged_at: null,
    });
    expect(found.trigger.custom_instructions).toBe('keep the plan');
    expect(found.conversation).toMatchObject({ session_id: 'session-1', epoch: 4, git: null });
    expect(found.work).toMatchObject(work);
    expect(CHECKPOINT_VERSION).toBe('1.0.0');
  });

  test("takes the orchestration file's next step first", () => {
    const found = draft({
      orchestration: orchestration({ state: state({ current_activity: 'idle' }) }),
      work: { tasks: [task('Write tests', 'in_progress')], requests: ['Go on'] },
    });
    expect(found.recovery_instructions.next_action).toBe('Revise the draft for qg-2');
  });

  test.each([
    ['the task in progress', [task('One'), task('Two', 'in_progress')], ['Go on'], 'Task in progress: Two'],
    ['the first open task', [task('One'), task('Two')], ['Go on'], 'First pending task: One'],
    ['nothing, where all tasks are done', [task('One', 'completed')], ['Old', 'Go on'], null],
    ['nothing', [], [], null],
  ])('takes %s as the next action where no file names one', (_, tasks, requests, expected) => {
    const silent = orchestration({ state: state({ next_step: null, current_activity: null }) });
    expect(draft({ work: { tasks, requests } }).recovery_instructions.next_action).toBe(expected);
    expect(
      draft({ work: { tasks, requests }, orchestration: silent }).recovery_instructions.next_action,
    ).toBe(expected);
  });

  test('names the orchestration file first among the files to read, once', () => {
    const files = [
      { path: 'docs/plan.md', sections: ['phase 3'], priority: 1 },
      { path: 'ORCHESTRATION.yaml', sections: [], priority: 2 },
      { path: 'docs/risks.md', sections: [], priority: 3 },
    ];
    expect(draft({ orchestration: orchestration({ files }) }).recovery_instructions.files_to_read).toEqual([
      {
        path: 'ORCHESTRATION.yaml',
        sections: ['resumption', 'quality_gates.qg-2'],
        priority: 1,
        purpose: null,
      },
      { path: 'docs/plan.md', sections: ['phase 3'], priority: 2 },
      { path: 'docs/risks.md', sections: [], priority: 3 },
    ]);
    expect(draft().recovery_instructions.files_to_read).toEqual([]);
  });

  test('keeps all pending decisions, patterns and summaries of the file', () => {
    const decisions = Array.from({ length: 40 }, (_, index) => ({
      id: `D${index}`,
      summary: 's',
      affects_phases: [],
      applied: false,
    }));
    const accumulated = {
      defect_patterns: ['p'],
      decisions_since_last_checkpoint: decisions,
      agent_summaries: { 'qa-001': 'ok' },
    };
    expect(draft({ orchestration: orchestration({ accumulated }) }).accumulated_context).toEqual(accumulated);
    expect(draft().accumulated_context).toEqual({
      defect_patterns: [],
      decisions_since_last_checkpoint: [],
      agent_summaries: {},
    });
  });

  test('says what failed last and what was answered last', () => {
    const work = {
      failing_commands: [
        { command: 'npm run lint', output: 'x' },
        { command: 'npm test', output: 'Exit code 1\n\n3 failed\nmore' },
      ],
      last_answer: 'Two tests are red.',
    };
    expect(draft({ work }).recovery_instructions.critical_context).toBe(
      'Last failing command: npm test → 3 failed\nLast answer: Two tests are red.',
    );
    const silent = { failing_commands: [{ command: 'false', output: 'Exit code 1' }] };
    expect(draft({ work: silent }).recovery_instructions.critical_context).toBe(
      'Last failing command: false',
    );
    expect(draft().recovery_instructions.critical_context).toBeNull();
  });

  test('redacts every string, wherever it came from', () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const found = draft({
      instructions: `use ${secret}`,
      work: {
        requests: [`use ${secret}`],
        tasks: [task(`rotate ${secret}`)],
        failing_commands: [{ command: `curl -H "Authorization: Bearer ${secret}"`, output: secret }],
        last_answer: secret,
        files_written: [`/${secret}.txt`],
      },
      orchestration: orchestration({
        state: state({ next_step: secret }),
        accumulated: {
          defect_patterns: [secret],
          decisions_since_last_checkpoint: [{ id: 'D', summary: secret, affects_phases: [], applied: false }],
          agent_summaries: { [secret]: secret },
        },
      }),
    });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(JSON.stringify(found)).toContain('[redacted]');
  });
});

describe('openTaskSubjects()', () => {
  test('names open tasks, and which of them is in progress', () => {
    const tasks = [task('Done', 'completed'), task('One', 'in_progress'), task('Two')];
    expect(openTaskSubjects(draft({ work: { tasks } }))).toEqual(['One (in progress)', 'Two']);
  });
});
