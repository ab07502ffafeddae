// Finds the checkpoint that a command means, and reads it.

import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  findDropReason,
  joinCheckpointPath,
  listCheckpoints,
  parseCheckpointNumber,
} from './checkpoint-files.io.ts';
import { checkCheckpoint } from './checkpoint-store.io.ts';

/** What to do about a checkpoint that cannot be used. */
export const REMEDY =
  'the transcript still holds the work; plimsoll checkpoint create writes a new checkpoint';

/**
 * The id that "cx-007", "cx-7" or "7" stands for.
 * @throws PlimsollError when there is none
 */
export function findCheckpointId(place: ProjectContext, given: string): string {
  const ids = listCheckpoints(place.paths);
  const number = /^(?:cx-)?(\d+)$/i.exec(given)?.[1];
  const id = ids.includes(given)
    ? given
    : ids.find((each) => number && parseCheckpointNumber(each) === Number(number));
  if (id !== undefined) return id;
  throw new PlimsollError('not-found', `No checkpoint "${given}" in this project`, {
    hint: 'plimsoll checkpoint list shows what is there',
  });
}

/**
 * Id of the newest checkpoint whose work was not dropped.
 * @throws PlimsollError when there is none
 */
export function findNewestId(place: ProjectContext): string {
  const { paths } = place;
  const ids = listCheckpoints(paths);
  const id = ids.findLast((each) => findDropReason(paths, each) === null);
  if (id !== undefined) return id;
  const none = ids.length === 0 ? 'No checkpoints here yet' : 'All checkpoints here are of dropped work';
  throw new PlimsollError('not-found', none, {
    hint: 'plimsoll checkpoint create writes one; the hooks write them before a compaction',
  });
}

/**
 * The checkpoint that somebody names to go on with.
 * @throws PlimsollError when its work was dropped, or it cannot be used
 */
export function openForHandoff(place: ProjectContext, given: string): Checkpoint {
  const id = findCheckpointId(place, given);
  const reason = findDropReason(place.paths, id);
  if (reason === null) return openCheckpoint(place, id);
  throw new PlimsollError('conflict', `Checkpoint ${id} holds work that was dropped: ${reason}`, {
    hint: `plimsoll checkpoint show ${id} prints it as history`,
  });
}

/**
 * Reads a checkpoint.
 * @throws PlimsollError when it cannot be used
 */
export function openCheckpoint(place: ProjectContext, id: string): Checkpoint {
  const found = checkCheckpoint(place.paths, id);
  if (found.state === 'ok') return found.checkpoint;
  const path = displayPath(joinCheckpointPath(place.paths, id), place);
  throw new PlimsollError(
    found.state === 'newer' ? 'newer-file' : 'invalid',
    `Cannot use checkpoint "${id}" (${path}): ${found.fault}`,
    {
      hint:
        found.state === 'newer'
          ? 'update Plimsoll: npm install -g plimsoll@latest'
          : `plimsoll checkpoint list shows the others; ${REMEDY}`,
    },
  );
}
