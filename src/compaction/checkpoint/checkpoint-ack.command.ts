// Runs `plimsoll checkpoint ack`, by which a person or an agent acknowledges checkpoints.

import { type Output, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import {
  acknowledge,
  findCheckpointSession,
  listCheckpoints,
  parseCheckpointNumber,
} from './checkpoint-files.io.ts';
import { findCheckpointId } from './find-checkpoint.io.ts';

export interface AckOptions {
  all?: boolean;
  json?: boolean;
}

/** Marks checkpoints, and older ones of the same sessions, as acknowledged; never changes the file of a checkpoint. */
export function checkpointAck(
  place: ProjectContext,
  given: readonly string[],
  options: AckOptions,
  output: Output,
): void {
  if (options.all ? given.length > 0 : given.length === 0) {
    throw new PlimsollError(
      'usage',
      options.all ? 'Both checkpoints and --all are given' : 'No checkpoint is named',
      {
        hint: 'name checkpoints, or say --all: plimsoll checkpoint ack cx-007',
      },
    );
  }
  const { paths, now } = place;
  const ids = options.all
    ? listCheckpoints(paths)
    : [...new Set(given.map((each) => findCheckpointId(place, each)))];
  // Starts at the newest, so that older ones are marked along with it, as the hooks do.
  const marked = [...ids]
    .sort((a, b) => parseCheckpointNumber(b) - parseCheckpointNumber(a))
    .flatMap((id) => acknowledge(paths, findCheckpointSession(paths, id) ?? '', id, 'cli', now));
  const told = listCheckpoints(paths).filter((id) => marked.includes(id));
  const known = ids.filter((id) => !told.includes(id));
  const others = told.filter((id) => !ids.includes(id));
  if (options.json) {
    output.print(toJson({ acknowledged: told, already: known }));
    return;
  }
  if (ids.length === 0) output.print('No checkpoints yet: nothing to acknowledge.');
  if (told.length > 0) {
    const because = others.length === 0 ? '' : ` (${others.join(', ')}: older, of the same session)`;
    output.print(`Acknowledged: ${told.join(', ')}${because}`);
  }
  if (known.length > 0) output.print(`Acknowledged before: ${known.join(', ')}`);
}
