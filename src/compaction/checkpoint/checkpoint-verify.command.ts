// Runs `plimsoll checkpoint verify`: checks that the checkpoints are still as they were written.

import { formatCount, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { checkpointPath, listCheckpoints } from './checkpoint-files.io.ts';
import { type Checked, checkCheckpoint } from './checkpoint-store.io.ts';
import { findCheckpointId, REMEDY } from './find-checkpoint.io.ts';

const WORDS: Record<Checked['state'], string> = {
  ok: 'ok',
  damaged: 'damaged',
  newer: 'not checked',
  unreadable: 'unreadable',
  missing: 'missing',
};

/**
 * Checks integrity hash, version and readability of the named checkpoints, or of all.
 * @throws PlimsollError when one is not as it was written, or cannot be checked
 */
export function checkpointVerify(
  place: ProjectContext,
  given: readonly string[],
  options: { json?: boolean },
  output: Output,
): void {
  const ids =
    given.length === 0
      ? listCheckpoints(place.paths)
      : [...new Set(given.map((each) => findCheckpointId(place, each)))];
  const rows = ids.map((id) => {
    const found = checkCheckpoint(place.paths, id);
    const path = checkpointPath(place.paths, id);
    return found.state === 'ok'
      ? { id, path, state: found.state, version: found.checkpoint.schema_version, fault: null }
      : { id, path, state: found.state, version: null, fault: found.fault };
  });
  if (!options.json) {
    const width = Math.max(0, ...ids.map((id) => id.length)) + 2;
    for (const { id, path, state, version, fault } of rows) {
      const detail = fault === null ? `version ${version}` : `${displayPath(path, place)}: ${fault}`;
      output.print(stripControls(`${id.padEnd(width)}${WORDS[state].padEnd(13)}${detail}`));
    }
    if (rows.length === 0) output.print('No checkpoints yet: nothing to verify.');
  }
  const newer = rows.filter((each) => each.state === 'newer').map((each) => each.id);
  const bad = rows.filter((each) => each.state !== 'ok' && each.state !== 'newer').map((each) => each.id);
  const words = [
    ...(bad.length === 0 ? [] : [`${bad.length} cannot be used: ${bad.join(', ')}`]),
    ...(newer.length === 0 ? [] : [`${newer.length} of a newer version: ${newer.join(', ')}`]),
  ];
  if (words.length > 0) {
    throw new PlimsollError('invalid', `Of ${formatCount(rows.length, 'checkpoint')} ${words.join(', ')}`, {
      hint: bad.length > 0 ? REMEDY : 'update Plimsoll, and verify again',
      found: { checkpoints: rows },
    });
  }
  if (options.json) output.print(toJson({ checkpoints: rows }));
}
