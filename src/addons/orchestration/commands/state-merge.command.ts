// Runs `plimsoll state merge`: takes over into the state file what a checkpoint knows.

import type { Output } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import type { Checkpoint } from '../../../compaction/checkpoint/checkpoint.ts';
import { findCheckpointId, openCheckpoint } from '../../../compaction/checkpoint/find-checkpoint.io.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { mergeCheckpoint, otherWorkflow } from '../state/merge.ts';
import { changeState, openState, type StateOptions, tell } from './find-state.io.ts';

/** Refuses a checkpoint of another workflow. */
function checkWorkflow(place: ProjectContext, checkpoint: Checkpoint, options: StateOptions): void {
  const { path, top } = openState(place, options);
  const other = otherWorkflow(top, checkpoint);
  if (other === null) return;
  const own = `Checkpoint ${checkpoint.event_id} is about workflow ${checkpoint.orchestration_state?.workflow_id}`;
  throw new PlimsollError('conflict', `${own}, ${displayPath(path, place)} is about ${other}`, {
    hint: 'name the file of that workflow: --file PATH',
  });
}

export function stateMerge(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  const id = findCheckpointId(place, given);
  const checkpoint = openCheckpoint(place, id);
  checkWorkflow(place, checkpoint, options);
  let taken: string[] = [];
  const change = changeState(place, options, (top) => {
    const result = mergeCheckpoint(top, checkpoint);
    taken = result.taken;
    return result.top;
  });
  tell(place, change, options, output, {
    line:
      taken.length === 0
        ? `Checkpoint ${id} holds nothing that is newer than the section`
        : `Taken over from ${id}: ${taken.join(', ')}`,
    data: { checkpoint: id, taken },
  });
}
