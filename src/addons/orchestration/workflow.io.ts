// Answers what the rest asks of a workflow, from the project's ORCHESTRATION.yaml.
import { dirname } from 'node:path';
import { isActive, type Orchestration } from '../../compaction/workflow/workflow.ts';
import { exists, readStamp } from '../../platform/look.ts';
import { joinPath, makeRelative } from '../../platform/project/paths.ts';
import type { WorkflowPlace, WorkflowPort } from '../workflow-port.ts';
import {
  findActive,
  findOrchestration,
  hasOrchestration,
  listOrchestrations,
  listProjectOrchestrations,
  readOrchestration,
  readWorkflowStatus,
} from './find-workflow.io.ts';
import { readCriticality, readMarks, readSectionMarks, readWorkflowId } from './yaml-fields.ts';

/** What the file says, with what its age is judged by; the plan is beside it unless the file names another one. */
async function read(
  place: WorkflowPlace,
  since: { session: string | null; phase: string | null } | undefined,
): Promise<Orchestration | null> {
  const { root } = place;
  const path = findOrchestration(place);
  const source = path === null ? null : readOrchestration(path);
  if (path === null || source === null) return null;
  const { buildOrchestration } = await import('./resumption.ts');
  const found = buildOrchestration(source, makeRelative(path, root));
  if (found === null) return null;
  found.state.section = {
    file_changed_at: new Date(readStamp(path).mtimeMs).toISOString(),
    session_since: since?.session ?? null,
    phase_since: since?.phase ?? null,
  };
  const plan = joinPath(dirname(path), 'ORCHESTRATION_PLAN.md');
  if (found.state.plan_path === null && exists(plan)) found.state.plan_path = makeRelative(plan, root);
  return found;
}

/** Read from plain lines of the file without a YAML parser, because a start has to be fast. */
function readActive(place: WorkflowPlace): ReturnType<WorkflowPort['readActive']> {
  const path = findOrchestration(place);
  const text = path === null ? null : readOrchestration(path);
  if (path === null || text === null || !isActive(readWorkflowStatus(text))) return null;
  const marks = readMarks(text, 'resumption', ['current_phase', 'current_phase_name', 'workflow_id']);
  return {
    id: readWorkflowId(text) ?? marks.workflow_id,
    phase: marks.current_phase,
    phase_name: marks.current_phase_name,
    criticality: readCriticality(text),
    path: makeRelative(path, place.root),
  };
}

export const workflowPort: WorkflowPort = {
  find: findOrchestration,
  isThere: hasOrchestration,
  list: listOrchestrations,
  listUndecided(root) {
    const active = findActive(listProjectOrchestrations(root));
    return active.length > 1 ? active : [];
  },
  readText: readOrchestration,
  readMarks(path) {
    const text = readOrchestration(path);
    return text === null ? null : { ...readSectionMarks(text), id: readWorkflowId(text) };
  },
  readStatus: readWorkflowStatus,
  read,
  readActive,
  findFile: async (hook, before) =>
    (await import('./watch-workflow.io.ts')).findPresentWorkflow(hook, before),
  watch: async (hook, snapshot) => (await import('./watch-workflow.io.ts')).watchWorkflow(hook, snapshot),
  holdStop: async (hook, said, since) =>
    (await import('./hold-stop.io.ts')).buildStopAction(hook, said, since),
  merge: async (paths, checkpoint) =>
    (await import('./merge-checkpoint.io.ts')).mergeIntoSection(paths, checkpoint),
};
