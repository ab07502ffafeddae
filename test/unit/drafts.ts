// Builds checkpoint drafts from a little work, with the real composer.

import {
  type CheckpointDraft,
  draftCheckpoint,
  type TriggerType,
} from '../../src/compaction/checkpoint/checkpoint.ts';
import { createLedger, type Ledger } from '../../src/compaction/ledger/ledger.ts';
import { EMPTY_WORK, type Work } from '../../src/compaction/work.ts';
import type { Orchestration, OrchestrationState } from '../../src/compaction/workflow/workflow.ts';
import { judge } from './judgements.ts';

export const state = (more: Partial<OrchestrationState> = {}): OrchestrationState => ({
  path: 'ORCHESTRATION.yaml',
  workflow_id: 'flow-1',
  workflow_status: 'ACTIVE',
  current_phase: 3,
  current_phase_name: 'Implementation',
  current_activity: 'qg-2 iteration 2',
  last_completed_checkpoint: 'CP-001',
  current_gate: 'qg-2',
  current_gate_iteration: 2,
  current_gate_score: 0.894,
  next_step: 'Revise the draft for qg-2',
  updated_at: '2026-11-27T10:00:00Z',
  ...more,
});

export const orchestration = (more: Partial<Orchestration> = {}): Orchestration => ({
  state: state(),
  accumulated: { defect_patterns: [], decisions_since_last_checkpoint: [], agent_summaries: {} },
  files: [],
  ...more,
});

export interface DraftOptions {
  work?: Partial<Work>;
  ledger?: Ledger | null;
  orchestration?: Orchestration | null;
  trigger?: TriggerType;
  instructions?: string | null;
  tokens?: number | null;
  conversation?: Partial<CheckpointDraft['conversation']>;
}

export const draft = (options: DraftOptions = {}): CheckpointDraft =>
  draftCheckpoint({
    trigger: {
      type: options.trigger ?? 'auto',
      source: 'PreCompact hook',
      custom_instructions: options.instructions ?? null,
    },
    assessment: judge(options.tokens === undefined ? 160_000 : options.tokens),
    orchestration: options.orchestration ?? null,
    work: { ...EMPTY_WORK, ...options.work },
    ledger: options.ledger === undefined ? createLedger('thread-1') : options.ledger,
    conversation: {
      session_id: 'session-1',
      epoch: 0,
      transcript: '/t.jsonl',
      cwd: '/project',
      git: null,
      ...options.conversation,
    },
    writtenBy: 'plimsoll test',
  });
