// Runs `plimsoll checkpoint list`, `verify` and `ack`: lists checkpoints, checks their files, marks them as told.

import { formatCount, formatPercent, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { patchSessionState, readUsableState } from '../../sessions/session-states.io.ts';
import { displayText } from '../../text/path-text.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { formatAge } from '../../text/time.ts';
import { formatAbout } from '../messages.ts';
import {
  acknowledge,
  findCheckpointSession,
  findDropReason,
  isAcknowledged,
  joinCheckpointPath,
  listCheckpoints,
  parseCheckpointNumber,
} from './checkpoint-files.io.ts';
import { type Checked, checkCheckpoint } from './checkpoint-store.io.ts';
import { findCheckpointId, REMEDY } from './find-checkpoint.io.ts';

// Runs `plimsoll checkpoint verify`: checks that the checkpoints are still as they were written.
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
    const path = joinCheckpointPath(place.paths, id);
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

// Runs `plimsoll checkpoint ack`, by which a person or an agent acknowledges checkpoints.
export interface AckOptions {
  all?: boolean;
  json?: boolean;
}

/** An alert of a checkpoint that is known is not given again. */
function settleAlert(paths: ProjectPaths, id: string): void {
  const session = findCheckpointSession(paths, id);
  const alert = (session === null ? null : readUsableState(paths, session))?.alert ?? null;
  if (session === null || alert?.status !== 'leased' || alert.checkpoint !== id) return;
  patchSessionState(paths, session, { alert: { ...alert, status: 'delivered' } });
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
  for (const id of [...ids, ...marked]) settleAlert(paths, id);
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

export function checkpointList(place: ProjectContext, options: { json?: boolean }, output: Output): void {
  const rows = listCheckpoints(place.paths).map((id) => ({
    id,
    found: checkCheckpoint(place.paths, id),
    told: isAcknowledged(place.paths, id),
    isDropped: findDropReason(place.paths, id) !== null,
  }));
  if (options.json) {
    const data = rows.map(({ id, found, told, isDropped }) => ({
      id,
      path: joinCheckpointPath(place.paths, id),
      acknowledged: told,
      dropped: isDropped,
      ...(found.state !== 'ok'
        ? { fault: found.fault }
        : {
            timestamp: found.checkpoint.timestamp,
            trigger: found.checkpoint.trigger.type,
            fraction_of_window: found.checkpoint.context_state.estimated_fill_before_compaction,
            session_id: found.checkpoint.conversation.session_id,
            compactions: found.checkpoint.conversation.epoch,
          }),
    }));
    output.print(toJson(data));
    return;
  }
  if (rows.length === 0) {
    output.print(
      'No checkpoints yet. They are written before a compaction and when the context usage reaches WARNING, CRITICAL and EMERGENCY.',
    );
    return;
  }
  for (const { id, found, told, isDropped } of rows) {
    if (found.state !== 'ok') {
      output.print(`${id}  unreadable: ${stripControls(found.fault)}`);
      continue;
    }
    const { timestamp, trigger, context_state: state, ledger } = found.checkpoint;
    const age = formatAge((place.now - Date.parse(timestamp)) / 1000).padEnd(12);
    const usage = formatPercent(state.estimated_fill_before_compaction).padStart(6);
    const about = ledger === null ? null : formatAbout(ledger);
    const request = displayText(stripControls(about?.split('\n')[0] ?? ''), 60);
    const standing = isDropped ? 'dropped' : `${told ? 'told to the agent' : 'kept'.padEnd(17)}  ${request}`;
    output.print(`${id}  ${age} ${trigger.type.padEnd(11)} ${usage}  ${standing}`);
  }
}
