// What a checkpoint knows of a workflow, and how it may be told: whether it is under way, over, or possibly outdated.
import { own } from '../../text/json.ts';
import { isBefore, readUpdatedAt } from './staleness.ts';

/** Seed 002's `orchestration_state`, plus what the alert needs; unknown fields are null. */
export interface OrchestrationState {
  /** Path of the file, relative to the project's root where it lies below it. */
  path: string;
  workflow_id: string | null;
  workflow_status: string | null;
  current_phase: string | number | null;
  current_phase_name: string | null;
  current_activity: string | null;
  last_completed_checkpoint: string | null;
  current_gate: string | null;
  current_gate_iteration: number | null;
  current_gate_score: number | null;
  next_step: string | null;
  updated_at: string | null;
  /** What its age is judged by, as ISO times: when the file changed, since when the session and the named phase are there. */
  section?: { file_changed_at: string | null; session_since: string | null; phase_since: string | null };
  /** Absent in checkpoints of earlier versions, like all below. */
  project_id?: string | null;
  /** The plan beside it, relative to the root; null where there is none. */
  plan_path?: string | null;
  /** Phases by what the file says of them, in its order. */
  phases_complete?: (string | number)[];
  phases_in_progress?: (string | number)[];
  phases_remaining?: (string | number)[];
  /** Fraction of the window when the section was written last. */
  context_fill_at_update?: number | null;
  /** Compactions that the section counts. */
  compaction_count?: number | null;
  quality?: QualityTrajectory;
}

export interface QualityTrajectory {
  gates_completed: string[];
  gates_remaining: string[];
  /** Scores per gate, one an iteration. */
  score_history: Record<string, number[]>;
  lowest_dimension: string | null;
  unresolved_defects: string[];
  last_gate_primary_defect: string | null;
}

export interface AccumulatedContext {
  defect_patterns: string[];
  /** Gates that each pattern was seen at. Absent in checkpoints of earlier versions. */
  defect_gates?: Record<string, string[]>;
  /** Decisions not yet applied come first; they are never left out. */
  decisions_since_last_checkpoint: {
    id: string;
    summary: string;
    affects_phases: (string | number)[];
    applied: boolean;
    /** Where and when it was made, where the file says so. */
    gate?: string | null;
    iteration?: number | null;
    at?: string | null;
  }[];
  agent_summaries: Record<string, string>;
}

export interface FileToRead {
  path: string;
  sections: string[];
  priority: number;
  purpose?: string | null;
}

export interface Orchestration {
  state: OrchestrationState;
  accumulated: AccumulatedContext;
  files: FileToRead[];
}

/** Whether a workflow of that status is. */
export const isActive = (status: string | null | undefined): boolean =>
  /^(?:active|in[ _-]?progress)$/i.test(status ?? '');

/** - `current`: it may be told as what is; - `outdated`: with its age, as possibly outdated; - `history`: it is over. */
export type WorkflowVoice = 'current' | 'outdated' | 'history';

const OVER = /^(?:complete|completed|done|finished|abandoned|cancell?ed|failed|archived)$/i;
const DAY_MS = 24 * 3_600_000;

/** When the section was written, in ms; null where neither it nor its file says so. */
export function readWrittenAt({ updated_at, section }: OrchestrationState): number | null {
  const file = section?.file_changed_at ?? null;
  const at = readUpdatedAt(updated_at, file === null ? Number.POSITIVE_INFINITY : Date.parse(file));
  return Number.isFinite(at) ? at : null;
}

/**
 * How a workflow's section may be told: it is outdated when it is older than the phase that it names, than the session, or
 * than a day. What is not known to be older is taken as it is.
 *
 * @param now in ms since the epoch
 */
export function findWorkflowVoice(state: OrchestrationState, now: number): WorkflowVoice {
  if (OVER.test(state.workflow_status ?? '')) return 'history';
  return isLeftBehind(state) || isOlderThanDay(state, now) ? 'outdated' : 'current';
}

/** Whether a section is older than the session or the phase: what was done since is not in it. */
export function isLeftBehind(state: OrchestrationState): boolean {
  const at = readWrittenAt(state);
  const { session_since = null, phase_since = null } = state.section ?? {};
  return (
    at !== null &&
    [session_since, phase_since].some((since) => since !== null && isBefore(at, Date.parse(since)))
  );
}

/**
 * Whether an active workflow is what was worked on: its section was written within the day, or in the session that is told
 * of. Without a session, only within the day.
 */
export function isWorkedOn(state: OrchestrationState, now: number): boolean {
  if (!isActive(state.workflow_status)) return false;
  const isOfSession = (state.section?.session_since ?? null) !== null && !isLeftBehind(state);
  return isOfSession || !isOlderThanDay(state, now);
}

/** Whether a section was last written more than a day ago; what is not known to be older is taken as it is. */
export function isOlderThanDay(state: OrchestrationState, now: number): boolean {
  const at = readWrittenAt(state);
  return at !== null && now - at > DAY_MS;
}

/** The iteration that the last score of the current gate belongs to: scoring under way has none yet. */
export const readScoredIteration = (state: OrchestrationState): number | null =>
  own(state.quality?.score_history ?? {}, state.current_gate ?? '')?.length || state.current_gate_iteration;
