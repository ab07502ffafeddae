// Runs `plimsoll checkpoint list`: lists the checkpoints of this project, oldest first.

import { formatPercent, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { formatAge } from '../../text/ago.ts';
import { aboutText } from '../messages.ts';
import { checkpointPath, isAcknowledged, listCheckpoints } from './checkpoint-files.io.ts';
import { checkCheckpoint } from './checkpoint-store.io.ts';

export function checkpointList(place: ProjectContext, options: { json?: boolean }, output: Output): void {
  const rows = listCheckpoints(place.paths).map((id) => ({
    id,
    found: checkCheckpoint(place.paths, id),
    told: isAcknowledged(place.paths, id),
  }));
  if (options.json) {
    const data = rows.map(({ id, found, told }) => ({
      id,
      path: checkpointPath(place.paths, id),
      acknowledged: told,
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
  for (const { id, found, told } of rows) {
    if (found.state !== 'ok') {
      output.print(`${id}  unreadable: ${stripControls(found.fault)}`);
      continue;
    }
    const { timestamp, trigger, context_state: state, ledger } = found.checkpoint;
    const age = formatAge((place.now - Date.parse(timestamp)) / 1000).padEnd(12);
    const usage = formatPercent(state.estimated_fill_before_compaction).padStart(6);
    const about = ledger === null ? null : aboutText(ledger);
    const request = stripControls(about?.split('\n')[0]?.slice(0, 60) ?? '');
    output.print(
      `${id}  ${age} ${trigger.type.padEnd(11)} ${usage}  ${told ? 'told to the agent' : 'kept'}  ${request}`,
    );
  }
}
