// How does what a checkpoint knows get into the state file?

import { isMap } from '../model/edits.ts';
import { mergeCheckpoint } from '../model/state/merge.ts';
import { textOf } from '../model/state/section.ts';
import { checkpointPath } from '../store/checkpoint-files.ts';
import { shownBelow } from '../store/paths.ts';
import { idOf, openCheckpoint } from './checkpoint.ts';
import { type Output, UserError } from './output.ts';
import { type Place, shown } from './place.ts';
import { changeState, openState, type StateOptions, tell } from './state-file.ts';

/** A checkpoint of another workflow says nothing about this one. */
function checkWorkflow(place: Place, id: string, options: StateOptions, other: string | null): void {
  const { path, top } = openState(place, options);
  const own = isMap(top.workflow) ? textOf(top.workflow.id) : null;
  if (own === null || other === null || own === other) return;
  throw new UserError(`Checkpoint ${id} is about workflow ${other}, ${shown(path, place)} is about ${own}`, {
    hint: 'name the file of that workflow: --file PATH',
  });
}

export function stateMerge(place: Place, given: string, options: StateOptions, output: Output): void {
  const id = idOf(place, given);
  const checkpoint = openCheckpoint(place, id);
  checkWorkflow(place, id, options, checkpoint.orchestration_state?.workflow_id ?? null);
  const file = shownBelow(checkpointPath(place.paths, id), place.root);
  let taken: string[] = [];
  const change = changeState(place, options, (top) => {
    const result = mergeCheckpoint(top, checkpoint, file);
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
