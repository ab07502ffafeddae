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
}

export interface AccumulatedContext {
  defect_patterns: string[];
  /** Decisions not yet applied come first; they are never left out. */
  decisions_since_last_checkpoint: {
    id: string;
    summary: string;
    affects_phases: (string | number)[];
    applied: boolean;
  }[];
  agent_summaries: Record<string, string>;
}

export interface FileToRead {
  path: string;
  sections: string[];
  priority: number;
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

function decisionsOf(section: Map): AccumulatedContext['decisions_since_last_checkpoint'] {
  const entries = [...list(section.decisions), ...list(section.decision_log)].map(map);
  const decisions = entries.flatMap((entry) => {
    const summary = word(entry.decision) ?? word(entry.summary);
    if (summary === null) return [];
    const phases = list(entry.affects_phases).filter(
      (each) => typeof each === 'number' || typeof each === 'string',
    );
    return [{ id: word(entry.id) ?? '', summary, affects_phases: phases, applied: entry.applied !== false }];
  });
  return [...decisions.filter((each) => !each.applied), ...decisions.filter((each) => each.applied)];
}

function filesOf(section: Map): FileToRead[] {
  const files = list(section.files_to_read).flatMap((entry, index) => {
    if (typeof entry === 'string') return [{ path: entry, sections: [], priority: index + 1 }];
    const path = word(map(entry).path);
    if (path === null) return [];
    const sections = list(map(entry).sections).flatMap((each) => word(each) ?? []);
    return [{ path, sections, priority: number(map(entry).priority) ?? index + 1 }];
  });
  return files.sort((a, b) => a.priority - b.priority);
}

/**
 * Reads the resumption section tolerantly: fields directly below it (seed 002) or below `recovery_state`, lists or
 * maps, numbers or words. Null when the file has neither a `workflow` nor a `resumption` section.
 */
export function orchestrationOf(source: string, path: string): Orchestration | null {
  const top = outlineOf(source, ['workflow', 'resumption', 'checkpoints']);
  if (top.workflow === undefined && top.resumption === undefined) return null;
  const workflow = map(top.workflow);
  const section = map(top.resumption);
  const recovery = { ...section, ...map(section.recovery_state) };
  const quality = map(section.quality_trajectory);
  const gate = word(quality.current_gate);
  const scores = gate === null ? [] : list(map(quality.score_history)[gate]);
  const defects = map(section.defect_summary);
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
      current_gate_score: number(scores.at(-1)),
      next_step: word(recovery.next_step),
      updated_at: word(recovery.updated_at),
    },
    accumulated: {
      defect_patterns: list(defects.recurring_patterns).flatMap(
        (each) => word(map(each).pattern) ?? word(each) ?? [],
      ),
      decisions_since_last_checkpoint: decisionsOf(section),
      agent_summaries: Object.fromEntries(
        Object.entries(map(section.agent_summaries)).flatMap(([agent, summary]) => {
          const said = word(summary);
          return said === null ? [] : [[agent, said]];
        }),
      ),
    },
    files: filesOf(section),
  };
}
