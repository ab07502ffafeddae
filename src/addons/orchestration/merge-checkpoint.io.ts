// Merges a checkpoint into the resumption section without a command, when `state.auto_merge` is on.
import { relative, resolve } from 'node:path';
import { readCheckpoint } from '../../compaction/checkpoint/checkpoint-store.io.ts';
import { isActive } from '../../compaction/workflow/workflow.ts';
import { resolveInProject } from '../../platform/in-project.ts';
import { readStamp } from '../../platform/look.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { isMap } from '../../text/json.ts';
import type { WorkflowPort } from '../workflow-port.ts';
import { readOrchestration } from './find-workflow.io.ts';
import { changeOrchestrationFile } from './orchestration-file.io.ts';
import { findOtherWorkflow, mergeCheckpoint } from './state/merge.ts';
import { readSectionMarks } from './yaml-fields.ts';

/** A hook has only seconds; if the lock is held for longer, the merge is left to a command. */
const WAIT_MS = 1_000;

/**
 * Adds what the checkpoint knows and the section does not, as `plimsoll state merge` does. `updated_at` stays, because
 * it tells when somebody last reviewed the whole section.
 * An inactive workflow, or one other than the checkpoint's, is left alone; so is a file outside of the project.
 *
 * @returns the file and its last checkpoint as they are now, or null when it was left as it was
 * @throws what the file system throws, PlimsollError `unusable-file`, `change-refused`, `locked`, `leads-out`
 */
export function mergeIntoSection(
  paths: ProjectPaths,
  id: string,
): Awaited<ReturnType<WorkflowPort['merge']>> {
  const checkpoint = readCheckpoint(paths, id);
  const { orchestration_state: state } = checkpoint;
  if (state === null || !isActive(state.workflow_status) || paths.root === null) return null;
  const path = resolve(paths.root, state.path);
  if (resolveInProject(paths.root, relative(paths.root, path)) === null) return null;
  const change = (top: Parameters<typeof mergeCheckpoint>[0]) => {
    const isOther = findOtherWorkflow(top, checkpoint) !== null;
    return { data: isOther || !isMap(top.resumption) ? top : mergeCheckpoint(top, checkpoint).top };
  };
  if (!changeOrchestrationFile(path, change, false, WAIT_MS)) return null;
  return {
    ...readStamp(path),
    last_checkpoint: readSectionMarks(readOrchestration(path) ?? '').last_checkpoint,
  };
}
