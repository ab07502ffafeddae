// Reads a state file into one page for people: everything that a person or an agent asks for.
import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import { buildOrchestrationFrom } from '../resumption.ts';
import { type ListedFile, listFilesToRead } from './agent-entries.ts';
import { listDecisions, type ResumptionDecision } from './decisions.ts';
import { findDefectId } from './defects.ts';
import { findGateName, readScores } from './gates.ts';
import { readHead, readNumber, readRecoveryField, readScalarText, SECTION } from './section.ts';
import { findMissing } from './skeleton.ts';

export interface StateView {
  /** 2 with all that version 2 asks for, 1 with the fields of version 1; null where there is no section. */
  version: 1 | 2 | null;
  workflow: { id: string | null; name: string | null; project: string | null; status: string | null };
  phase: string | number | null;
  phase_name: string | null;
  activity: string | null;
  next_step: string | null;
  last_checkpoint: string | null;
  updated_at: string | null;
  /** Fraction of the window. */
  context_fill: number | null;
  gates: {
    current: string | null;
    iteration: number | null;
    completed: string[];
    remaining: string[];
    scores: Record<string, number[]>;
    lowest_dimension: string | null;
    iterations_used: number | null;
    iterations_budget: number | null;
  };
  defects: {
    found: number | null;
    resolved: number | null;
    open: string[];
    patterns: string[];
    primary: string | null;
  };
  decisions: ResumptionDecision[];
  agents: Record<string, string>;
  files: ListedFile[];
  compactions: number | null;
}

const mapOf = (value: Data | undefined): DataMap => (isMap(value) ? value : {});
const listOf = (value: Data | undefined): Data[] => (Array.isArray(value) ? value : []);

function versionOf(top: DataMap): 1 | 2 | null {
  const section = top[SECTION];
  if (!isMap(section)) return null;
  const subSections = [
    'recovery_state',
    'quality_trajectory',
    'defect_summary',
    'decisions',
    'decision_log',
    'compaction_events',
  ];
  const isSecond =
    findMissing(section).length === 0 || subSections.some((key) => Object.hasOwn(section, key));
  return isSecond || readRecoveryField(section, 'current_phase') !== undefined ? 2 : 1;
}

function gatesIn(section: DataMap): StateView['gates'] {
  const quality = mapOf(section.quality_trajectory);
  const names = (value: Data | undefined): string[] =>
    listOf(value).flatMap((each) => findGateName(each) ?? []);
  return {
    current: findGateName(quality.current_gate ?? null),
    iteration: readNumber(quality.current_gate_iteration),
    completed: names(quality.gates_completed),
    remaining: names(quality.gates_remaining),
    scores: Object.fromEntries(
      Object.keys(mapOf(quality.score_history)).map((gate) => [gate, readScores(quality, gate)]),
    ),
    lowest_dimension: readScalarText(quality.lowest_dimension),
    iterations_used: readNumber(quality.total_iterations_used),
    iterations_budget: readNumber(quality.total_iterations_budget),
  };
}

function defectsIn(section: DataMap, patterns: string[]): StateView['defects'] {
  const summary = mapOf(section.defect_summary);
  return {
    found: readNumber(summary.total_defects_found, summary.total_defects),
    resolved: readNumber(summary.total_defects_resolved, summary.resolved_defects),
    open: listOf(summary.unresolved_defects).map(findDefectId),
    patterns,
    primary: readScalarText(summary.last_gate_primary_defect),
  };
}

/** Reads a state file's data tolerantly; what is not there is null or empty. */
export function buildStateView(top: DataMap, path: string): StateView {
  const { state, accumulated } = buildOrchestrationFrom(top, path);
  const section = mapOf(top[SECTION]);
  const head = readHead(top);
  return {
    version: versionOf(top),
    workflow: {
      id: state.workflow_id,
      name: head.name,
      project: state.project_id ?? null,
      status: state.workflow_status,
    },
    phase: state.current_phase,
    phase_name: state.current_phase_name,
    activity: state.current_activity,
    next_step: state.next_step,
    last_checkpoint: state.last_completed_checkpoint,
    updated_at: state.updated_at,
    context_fill: readNumber(readRecoveryField(section, 'context_fill_at_update')),
    gates: gatesIn(section),
    defects: defectsIn(section, accumulated.defect_patterns),
    decisions: listDecisions(section),
    agents: accumulated.agent_summaries,
    files: listFilesToRead(section),
    compactions: state.compaction_count ?? null,
  };
}
