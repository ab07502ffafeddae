// Runs `plimsoll state merge`: takes over into the state file what a checkpoint knows.

import type { Checkpoint } from '../model/checkpoint.ts';
import { mergeCheckpoint, otherWorkflow } from '../model/state/merge.ts';
import { idOf, openCheckpoint } from './checkpoint.ts';
import { type Output, UserError } from './output.ts';
import { type Place, shown } from './place.ts';
import { changeState, openState, type StateOptions, tell } from './state-file.ts';

/** Refuses a checkpoint of another workflow. */
function checkWorkflow(place: Place, checkpoint: Checkpoint, options: StateOptions): void {
  const { path, top } = openState(place, options);
  const other = otherWorkflow(top, checkpoint);
  if (other === null) return;
  const own = `Checkpoint ${checkpoint.event_id} is about workflow ${checkpoint.orchestration_state?.workflow_id}`;
  throw new UserError(`${own}, ${shown(path, place)} is about ${other}`, {
    hint: 'name the file of that workflow: --file PATH',
  });
}

export function stateMerge(place: Place, given: string, options: StateOptions, output: Output): void {
  const id = idOf(place, given);
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
