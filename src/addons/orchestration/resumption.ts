// Reads from an ORCHESTRATION.yaml where the workflow stands.
import type { AccumulatedContext, FileToRead, Orchestration } from '../../compaction/workflow/workflow.ts';
import { type Data, type DataMap, isMap, own } from '../../text/json.ts';
import { listAgents, listFilesToRead } from './state/agent-entries.ts';
import { listDecisions } from './state/decisions.ts';
import { findGateName, readScores } from './state/gates.ts';
import { countCompactions } from './state/merge.ts';
import { listPhasesByStatus } from './state/recovery.ts';
import { readHead, readScalarText } from './state/section.ts';
import { buildTrajectory } from './state/trajectory.ts';
import { readOutline } from './yaml-lite.ts';

const map = (value: Data | undefined): DataMap => (isMap(value) ? value : {});
const list = (value: Data | undefined): Data[] => (Array.isArray(value) ? value : []);
const number = (value: Data | undefined): number | null => (typeof value === 'number' ? value : null);
const words = (value: Data | undefined): string[] =>
  list(value).flatMap((each) => readScalarText(each) ?? []);
const gates = (value: Data | undefined): string[] => list(value).flatMap((each) => findGateName(each) ?? []);

function openFirst(section: DataMap): AccumulatedContext['decisions_since_last_checkpoint'] {
  const decisions = listDecisions(section).map(({ decision, ...rest }) => ({ ...rest, summary: decision }));
  return [...decisions.filter((each) => !each.applied), ...decisions.filter((each) => each.applied)];
}

/** Files to read; `{current_gate}` and `{current_phase}` in the names of sections become what they stand for. */
const filesOf = (section: DataMap, here: Record<string, string | number | null>): FileToRead[] =>
  listFilesToRead(section).map(({ path, sections, priority, purpose }) => ({
    path,
    sections: sections
      .map((each) => each.replace(/\{(\w+)\}/g, (whole, name: string) => String(own(here, name) ?? whole)))
      .filter((each) => !/\{\w+\}/.test(each)),
    priority,
    purpose,
  }));

/** The section's quality trajectory; where it does not speak of a current gate at all, what `quality_gates` says. */
function qualityOf(top: DataMap, section: DataMap): DataMap {
  const own = map(section.quality_trajectory);
  if (Object.hasOwn(own, 'current_gate')) return own;
  const told = buildTrajectory(top);
  return { ...told, ...own, score_history: { ...map(told.score_history), ...map(own.score_history) } };
}

/**
 * What the sections of a state file say, read tolerantly: fields directly below the section (seed 002) or below
 * `recovery_state`, lists or maps, numbers or words.
 */
export function buildOrchestrationFrom(top: DataMap, path: string): Orchestration {
  const head = readHead(top);
  const section = map(top.resumption);
  const recovery = { ...section, ...map(section.recovery_state) };
  const quality = qualityOf(top, section);
  const gate = readScalarText(quality.current_gate);
  const phase = number(recovery.current_phase) ?? readScalarText(recovery.current_phase);
  const history = Object.fromEntries(
    Object.keys(map(quality.score_history)).map((each) => [each, readScores(quality, each)]),
  );
  const scores = gate === null ? [] : (own(history, gate) ?? []);
  const defects = map(section.defect_summary);
  const patterns = list(defects.recurring_patterns);
  return {
    state: {
      path,
      workflow_id: head.id ?? readScalarText(recovery.workflow_id),
      workflow_status: readScalarText(recovery.workflow_status) ?? head.status,
      current_phase: phase,
      current_phase_name: readScalarText(recovery.current_phase_name),
      current_activity: readScalarText(recovery.current_activity) ?? readScalarText(recovery.current_state),
      last_completed_checkpoint:
        readScalarText(recovery.last_checkpoint) ?? readScalarText(map(top.checkpoints).latest_id),
      current_gate: gate,
      current_gate_iteration: number(quality.current_gate_iteration),
      current_gate_score: scores.at(-1) ?? null,
      next_step: readScalarText(recovery.next_step),
      updated_at: readScalarText(recovery.updated_at),
      project_id: head.project ?? readScalarText(recovery.project_id),
      plan_path: head.plan,
      ...listPhasesByStatus(top, phase),
      context_fill_at_update: number(recovery.context_fill_at_update),
      compaction_count: countCompactions(section),
      quality: {
        gates_completed: gates(quality.gates_completed),
        gates_remaining: gates(quality.gates_remaining),
        score_history: history,
        lowest_dimension: readScalarText(quality.lowest_dimension),
        unresolved_defects: words(defects.unresolved_defects),
        last_gate_primary_defect: readScalarText(defects.last_gate_primary_defect),
      },
    },
    accumulated: {
      defect_patterns: patterns.flatMap(
        (each) => readScalarText(map(each).pattern) ?? readScalarText(each) ?? [],
      ),
      defect_gates: Object.fromEntries(
        patterns.flatMap((each) => {
          const pattern = readScalarText(map(each).pattern);
          return pattern === null ? [] : [[pattern, words(map(each).gates_affected)]];
        }),
      ),
      decisions_since_last_checkpoint: openFirst(section),
      agent_summaries: listAgents(section),
    },
    files: filesOf(section, {
      current_gate: gate,
      current_phase: phase,
    }),
  };
}

/** What is read of a file, what tells most first. */
const SECTIONS = [
  'resumption',
  'workflow',
  'header',
  'checkpoints',
  'pipelines',
  'pipeline',
  'phases',
  'quality_gates',
] as const;

/** The same from the text, as far as a hook can read it. Null when it has neither a head nor a `resumption`. */
export function buildOrchestration(source: string, path: string): Orchestration | null {
  const top = readOutline(source, SECTIONS);
  const isThere = [top.workflow, top.header, top.resumption].some((each) => each !== undefined);
  return isThere ? buildOrchestrationFrom(top, path) : null;
}
