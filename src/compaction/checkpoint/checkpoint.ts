// The checkpoint: the immutable record of what was true at one moment, written before context is lost.

import type { Assessment } from '../../context/assessment.ts';
import type { Tier } from '../../context/tier.ts';
import { redactDeep } from '../../text/redact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { EMPTY_WORK, findNextAction, findUsefulLine, openTasks, shorten, type Work } from '../work.ts';
import type {
  AccumulatedContext,
  FileToRead,
  Orchestration,
  OrchestrationState,
} from '../workflow/workflow.ts';

export const CHECKPOINT_VERSION = '1.0.0';

export type TriggerType = 'auto' | 'manual' | 'tier-rise' | 'session-end' | 'cli' | 'late';

export interface GitState {
  branch: string | null;
  head: string | null;
  /** Changed and untracked paths, or null when git could not say in time. */
  dirty_files: string[] | null;
}

export interface Trigger {
  type: TriggerType;
  /** The hook or command that caused it. */
  source: string;
  /** The user's text after `/compact`, or null. */
  custom_instructions: string | null;
}

/** A checkpoint before it has an id, a time and its integrity hash. */
export interface CheckpointDraft {
  event_type: 'compaction' | 'tier-rise' | 'session-end' | 'manual';
  trigger: Trigger;
  context_state: {
    /** Fraction of the window (not of the effective limit), or null when unknown. */
    estimated_fill_before_compaction: number | null;
    estimated_tokens_used: number | null;
    context_window_size: number;
    source: string;
    confidence: string | null;
    window_source: string;
    auto_compact_at: number | null;
    /** Fraction of the effective limit, or null. */
    fraction_of_limit: number | null;
    tier: Tier | null;
    model: string | null;
  };
  orchestration_state: OrchestrationState | null;
  accumulated_context: AccumulatedContext;
  recovery_instructions: {
    files_to_read: FileToRead[];
    next_action: string | null;
    critical_context: string | null;
  };
  metadata: { written_by: string; acknowledged: false; acknowledged_at: null };
  conversation: {
    session_id: string;
    /** Compactions before this moment. */
    epoch: number;
    transcript: string | null;
    cwd: string;
    git: GitState | null;
  };
  work: Work;
  /** What is known of the whole thread of work; null where it could not be read. */
  ledger: Ledger | null;
}

export interface Checkpoint extends CheckpointDraft {
  schema_version: string;
  /** `cx-NNN`. */
  event_id: string;
  timestamp: string;
  integrity: { algorithm: 'sha256'; canonicalization: 'RFC 8785'; digest: string };
}

const EMPTY_CONTEXT: AccumulatedContext = {
  defect_patterns: [],
  decisions_since_last_checkpoint: [],
  agent_summaries: {},
};

/** What was found and what went wrong, from the orchestration file and from the work itself. */
function criticalContext(work: Work, state: OrchestrationState | null): string | null {
  const parts: string[] = [];
  const { last_gate_primary_defect: defect, unresolved_defects: open = [] } = state?.quality ?? {};
  if (defect) parts.push(`Primary defect of the last gate iteration: ${defect}`);
  if (open.length > 0) parts.push(`Unresolved defects: ${open.join(', ')}`);
  const failing = work.failing_commands.at(-1);
  if (failing) {
    const line = findUsefulLine(failing.output);
    parts.push(`Last failing command: ${failing.command}${line === null ? '' : ` → ${line}`}`);
  }
  if (work.last_answer !== null) parts.push(`Last answer: ${shorten(work.last_answer, 400)}`);
  return parts.length === 0 ? null : parts.join('\n');
}

/** The orchestration file first, with the sections that it names for itself; then its own list, in its order. */
function filesToRead({ state, files }: Orchestration): FileToRead[] {
  const own = files.find((each) => each.path === state.path);
  const gate = state.current_gate === null ? [] : [`quality_gates.${state.current_gate}`];
  return [
    {
      path: state.path,
      sections: own !== undefined && own.sections.length > 0 ? own.sections : ['resumption', ...gate],
      priority: 1,
      purpose: own?.purpose ?? null,
    },
    ...files.filter((each) => each !== own).map((each, index) => ({ ...each, priority: index + 2 })),
  ];
}

/** What is told of a workflow whose file alone is known, redacted. */
export const draftWorkflow = (
  orchestration: Orchestration,
): Pick<CheckpointDraft, 'orchestration_state' | 'accumulated_context' | 'recovery_instructions'> =>
  redactDeep({
    orchestration_state: orchestration.state,
    accumulated_context: orchestration.accumulated,
    recovery_instructions: {
      files_to_read: filesToRead(orchestration),
      next_action: findNextAction(EMPTY_WORK, orchestration.state),
      critical_context: null,
    },
  });

/** Composes a draft and redacts every string in it. */
export function draftCheckpoint(input: {
  trigger: Trigger;
  assessment: Assessment;
  orchestration: Orchestration | null;
  work: Work;
  ledger: Ledger | null;
  conversation: CheckpointDraft['conversation'];
  writtenBy: string;
}): CheckpointDraft {
  const { trigger, assessment, orchestration, work } = input;
  const measured = assessment.reading.tokens;
  const window = assessment.window.tokens;
  const files = orchestration === null ? [] : filesToRead(orchestration);
  return redactDeep<CheckpointDraft>({
    event_type:
      trigger.type === 'tier-rise' || trigger.type === 'session-end'
        ? trigger.type
        : trigger.type === 'cli'
          ? 'manual'
          : 'compaction',
    trigger,
    context_state: {
      estimated_fill_before_compaction: measured === null ? null : Number((measured / window).toFixed(4)),
      estimated_tokens_used: measured,
      context_window_size: window,
      source: assessment.reading.source,
      confidence: assessment.reading.confidence,
      window_source: assessment.window.source,
      auto_compact_at: assessment.autoCompactAt.tokens,
      fraction_of_limit: measured === null ? null : Number((measured / assessment.effectiveLimit).toFixed(4)),
      tier: assessment.tier,
      model: assessment.reading.model,
    },
    orchestration_state: orchestration?.state ?? null,
    accumulated_context: orchestration?.accumulated ?? EMPTY_CONTEXT,
    recovery_instructions: {
      files_to_read: files,
      next_action: findNextAction(work, orchestration?.state ?? null),
      critical_context: criticalContext(work, orchestration?.state ?? null),
    },
    metadata: { written_by: input.writtenBy, acknowledged: false, acknowledged_at: null },
    conversation: input.conversation,
    work,
    ledger: input.ledger,
  });
}

/** Open tasks in words, the one in progress first. */
export const openTaskSubjects = (checkpoint: CheckpointDraft): string[] =>
  openTasks(checkpoint.work)
    .sort((a, b) => Number(b.status === 'in_progress') - Number(a.status === 'in_progress'))
    .map((task) => (task.status === 'in_progress' ? `${task.subject} (in progress)` : task.subject));
