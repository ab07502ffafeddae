// What does an ORCHESTRATION.yaml say about where the workflow stands?
import { type Data, type DataMap, isMap } from './edits.ts';
import { outlineOf } from './outline.ts';
import { decisionsIn } from './state/decisions.ts';
import { agentsIn, filesIn } from './state/entries.ts';
import { scoresOf } from './state/gates.ts';
import { textOf } from './state/section.ts';

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

const map = (value: Data | undefined): DataMap => (isMap(value) ? value : {});
const list = (value: Data | undefined): Data[] => (Array.isArray(value) ? value : []);
const number = (value: Data | undefined): number | null => (typeof value === 'number' ? value : null);

function openFirst(section: DataMap): AccumulatedContext['decisions_since_last_checkpoint'] {
  const decisions = decisionsIn(section).map(({ id, decision, affects_phases, applied }) => ({
    id,
    summary: decision,
    affects_phases,
    applied,
  }));
  return [...decisions.filter((each) => !each.applied), ...decisions.filter((each) => each.applied)];
}

/**
 * What the sections of a state file say, read tolerantly: fields directly below the section or below
 * `recovery_state`, lists or maps, numbers or words.
 */
export function orchestrationFrom(top: DataMap, path: string): Orchestration {
  const workflow = map(top.workflow);
  const section = map(top.resumption);
  const recovery = { ...section, ...map(section.recovery_state) };
  const quality = map(section.quality_trajectory);
  const gate = textOf(quality.current_gate);
  const defects = map(section.defect_summary);
  return {
    state: {
      path,
      workflow_id: textOf(workflow.id) ?? textOf(recovery.workflow_id),
      workflow_status: textOf(recovery.workflow_status) ?? textOf(workflow.status),
      current_phase: number(recovery.current_phase) ?? textOf(recovery.current_phase),
      current_phase_name: textOf(recovery.current_phase_name),
      current_activity: textOf(recovery.current_activity) ?? textOf(recovery.current_state),
      last_completed_checkpoint: textOf(recovery.last_checkpoint) ?? textOf(map(top.checkpoints).latest_id),
      current_gate: gate,
      current_gate_iteration: number(quality.current_gate_iteration),
      current_gate_score: gate === null ? null : (scoresOf(quality, gate).at(-1) ?? null),
      next_step: textOf(recovery.next_step),
      updated_at: textOf(recovery.updated_at),
    },
    accumulated: {
      defect_patterns: list(defects.recurring_patterns).flatMap(
        (each) => textOf(map(each).pattern) ?? textOf(each) ?? [],
      ),
      decisions_since_last_checkpoint: openFirst(section),
      agent_summaries: agentsIn(section),
    },
    files: filesIn(section).map(({ path: file, sections, priority }) => ({ path: file, sections, priority })),
  };
}

/** The same from the text, as far as a hook can read it. Null when it has neither a `workflow` nor a `resumption`. */
export function orchestrationOf(source: string, path: string): Orchestration | null {
  const top = outlineOf(source, ['workflow', 'resumption', 'checkpoints']);
  return top.workflow === undefined && top.resumption === undefined ? null : orchestrationFrom(top, path);
}
