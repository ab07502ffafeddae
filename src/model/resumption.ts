// What does an ORCHESTRATION.yaml say about where the workflow stands?
import { type Outline, outlineOf } from './outline.ts';

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

type Map = { [key: string]: Outline };
const map = (value: Outline | undefined): Map =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
const list = (value: Outline | undefined): Outline[] => (Array.isArray(value) ? value : []);
const word = (value: Outline | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;
const number = (value: Outline | undefined): number | null => (typeof value === 'number' ? value : null);

const words = (value: Outline | undefined): string[] => list(value).flatMap((each) => word(each) ?? []);

function decisionsOf(section: Map): AccumulatedContext['decisions_since_last_checkpoint'] {
  const entries = [...list(section.decisions), ...list(section.decision_log)].map(map);
  const decisions = entries.flatMap((entry) => {
    const summary = word(entry.decision) ?? word(entry.summary);
    if (summary === null) return [];
    const phases = list(entry.affects_phases).filter(
      (each) => typeof each === 'number' || typeof each === 'string',
    );
    return [
      {
        id: word(entry.id) ?? '',
        summary,
        affects_phases: phases,
        applied: entry.applied !== false,
        gate: word(entry.gate),
        iteration: number(entry.iteration),
        at: word(entry.at) ?? word(entry.timestamp),
      },
    ];
  });
  return [...decisions.filter((each) => !each.applied), ...decisions.filter((each) => each.applied)];
}

/** Files to read; `{current_gate}` and `{current_phase}` in the names of sections become what they stand for. */
function filesOf(section: Map, here: Record<string, string | number | null>): FileToRead[] {
  const files = list(section.files_to_read).flatMap((entry, index) => {
    if (typeof entry === 'string') return [{ path: entry, sections: [], priority: index + 1, purpose: null }];
    const path = word(map(entry).path);
    if (path === null) return [];
    const sections = words(map(entry).sections)
      .map((each) => each.replace(/\{(\w+)\}/g, (whole, name: string) => String(here[name] ?? whole)))
      .filter((each) => !/\{\w+\}/.test(each));
    const purpose = word(map(entry).purpose);
    return [{ path, sections, priority: number(map(entry).priority) ?? index + 1, purpose }];
  });
  return files.sort((a, b) => a.priority - b.priority);
}

function scoresOf(value: Outline | undefined): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(map(value)).map(([gate, scores]) => [
      gate,
      list(scores).filter((each) => typeof each === 'number'),
    ]),
  );
}

/** Phases of all pipelines by their status: what is neither done nor under way remains. */
function phasesOf(
  pipelines: Map,
): Pick<OrchestrationState, 'phases_complete' | 'phases_in_progress' | 'phases_remaining'> {
  const phases = Object.values(pipelines)
    .flatMap((each) => list(map(each).phases))
    .map(map)
    .flatMap((each) => {
      const id = number(each.id) ?? word(each.id);
      return id === null ? [] : [{ id, status: word(each.status) ?? '' }];
    });
  const those = (pattern: RegExp): (string | number)[] => [
    ...new Set(phases.filter((each) => pattern.test(each.status)).map((each) => each.id)),
  ];
  return {
    phases_complete: those(/^(?:complete|completed|done|pass|passed)$/i),
    phases_in_progress: those(/^(?:active|in[ _-]?progress|running)$/i),
    phases_remaining: those(/^(?!(?:complete|completed|done|pass|passed|active|in[ _-]?progress|running)$)/i),
  };
}

/**
 * Reads the resumption section tolerantly: fields directly below it (seed 002) or below `recovery_state`, lists or
 * maps, numbers or words. Null when the file has neither a `workflow` nor a `resumption` section.
 */
export function orchestrationOf(source: string, path: string): Orchestration | null {
  const top = outlineOf(source, ['workflow', 'resumption', 'checkpoints', 'pipelines']);
  if (top.workflow === undefined && top.resumption === undefined) return null;
  const workflow = map(top.workflow);
  const section = map(top.resumption);
  const recovery = { ...section, ...map(section.recovery_state) };
  const quality = map(section.quality_trajectory);
  const gate = word(quality.current_gate);
  const history = scoresOf(quality.score_history);
  const scores = gate === null ? [] : (history[gate] ?? []);
  const defects = map(section.defect_summary);
  const patterns = list(defects.recurring_patterns);
  return {
    state: {
      path,
      workflow_id: word(workflow.id) ?? word(recovery.workflow_id),
      workflow_status: word(recovery.workflow_status) ?? word(workflow.status),
      current_phase: number(recovery.current_phase) ?? word(recovery.current_phase),
      current_phase_name: word(recovery.current_phase_name),
      current_activity: word(recovery.current_activity) ?? word(recovery.current_state),
      last_completed_checkpoint: word(recovery.last_checkpoint) ?? word(map(top.checkpoints).latest_id),
      current_gate: gate,
      current_gate_iteration: number(quality.current_gate_iteration),
      current_gate_score: scores.at(-1) ?? null,
      next_step: word(recovery.next_step),
      updated_at: word(recovery.updated_at),
      project_id: word(workflow.project_id) ?? word(recovery.project_id),
      plan_path: word(workflow.plan_file) ?? word(workflow.plan_path),
      ...phasesOf(map(top.pipelines)),
      context_fill_at_update: number(recovery.context_fill_at_update),
      compaction_count: number(map(section.compaction_events).count),
      quality: {
        gates_completed: words(quality.gates_completed),
        gates_remaining: words(quality.gates_remaining),
        score_history: history,
        lowest_dimension: word(quality.lowest_dimension),
        unresolved_defects: words(defects.unresolved_defects),
        last_gate_primary_defect: word(defects.last_gate_primary_defect),
      },
    },
    accumulated: {
      defect_patterns: patterns.flatMap((each) => word(map(each).pattern) ?? word(each) ?? []),
      defect_gates: Object.fromEntries(
        patterns.flatMap((each) => {
          const pattern = word(map(each).pattern);
          return pattern === null ? [] : [[pattern, words(map(each).gates_affected)]];
        }),
      ),
      decisions_since_last_checkpoint: decisionsOf(section),
      agent_summaries: Object.fromEntries(
        Object.entries(map(section.agent_summaries)).flatMap(([agent, summary]) => {
          const said = word(summary);
          return said === null ? [] : [[agent, said]];
        }),
      ),
    },
    files: filesOf(section, {
      current_gate: gate,
      current_phase: number(recovery.current_phase) ?? word(recovery.current_phase),
    }),
  };
}

/** The iteration that the last score of the current gate belongs to: scoring under way has none yet. */
export const scoredIteration = (state: OrchestrationState): number | null =>
  state.quality?.score_history[state.current_gate ?? '']?.length || state.current_gate_iteration;
