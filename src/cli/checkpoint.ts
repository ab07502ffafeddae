// Which checkpoints are there, and what does one say?
import type { Checkpoint } from '../model/checkpoint.ts';
import { openTaskSubjects } from '../model/checkpoint.ts';
import { checkpointPath, isAcknowledged, listCheckpoints } from '../store/checkpoint-files.ts';
import { readCheckpoint } from '../store/checkpoints.ts';
import { exists } from '../store/files.ts';
import { ago } from '../tags/ago.ts';
import { thousands } from '../tags/short-monitor.ts';
import { type Output, table, toJson, UserError } from './output.ts';
import { type Place, shown } from './place.ts';

const percent = (fraction: number | null): string | null =>
  fraction === null ? null : `${Number((fraction * 100).toFixed(1))}%`;

function read(place: Place, id: string): Checkpoint | { fault: string } {
  try {
    return readCheckpoint(place.paths, id);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

export function checkpointList(place: Place, options: { json?: boolean }, output: Output): void {
  const rows = listCheckpoints(place.paths).map((id) => ({
    id,
    read: read(place, id),
    told: isAcknowledged(place.paths, id),
  }));
  if (options.json) {
    output.print(
      toJson(
        rows.map(({ id, read: found, told }) => ({
          id,
          path: checkpointPath(place.paths, id),
          acknowledged: told,
          ...('fault' in found
            ? { fault: found.fault }
            : {
                timestamp: found.timestamp,
                trigger: found.trigger.type,
                window_fill: found.context_state.estimated_fill_before_compaction,
                session_id: found.conversation.session_id,
                epoch: found.conversation.epoch,
              }),
        })),
      ),
    );
    return;
  }
  if (rows.length === 0) {
    output.print(
      'No checkpoints yet. They are written before a compaction and when the fill reaches WARNING, CRITICAL and EMERGENCY.',
    );
    return;
  }
  for (const { id, read: found, told } of rows) {
    if ('fault' in found) {
      output.print(`${id}  unreadable: ${found.fault}`);
      continue;
    }
    const age = ago((place.now - Date.parse(found.timestamp)) / 1000);
    const fill = percent(found.context_state.estimated_fill_before_compaction) ?? 'unknown';
    const request = found.work.requests.at(-1)?.split('\n')[0]?.slice(0, 60) ?? '';
    output.print(
      `${id}  ${age.padEnd(12)} ${found.trigger.type.padEnd(10)} ${fill.padStart(6)}  ${told ? 'told to the agent' : 'kept'}  ${request}`,
    );
  }
}

export function checkpointShow(
  place: Place,
  given: string,
  options: { json?: boolean },
  output: Output,
): void {
  const id = /^\d+$/.test(given) ? `cx-${given.padStart(3, '0')}` : given;
  if (!/^cx-\d+$/.test(id) || !exists(checkpointPath(place.paths, id))) {
    throw new UserError(`No checkpoint "${given}" in this project`, {
      hint: 'plimsoll checkpoint list shows what is there',
    });
  }
  const found = read(place, id);
  if ('fault' in found) {
    throw new UserError(`Cannot use checkpoint "${id}": ${found.fault}`, {
      hint: 'plimsoll checkpoint list shows the others; the transcript still holds the work',
    });
  }
  if (options.json) {
    output.print(toJson(found));
    return;
  }
  const { work, context_state: state, conversation, trigger, recovery_instructions: recovery } = found;
  const git = conversation.git;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0
      ? []
      : ['', `${title}:`, ...items.map((item) => `  - ${item.replaceAll('\n', '\n    ')}`)];
  output.print(
    [
      table([
        ['Checkpoint', `${id}, ${found.timestamp}`],
        [
          'Because',
          `${trigger.type} (${trigger.source})${trigger.custom_instructions === null ? '' : `: ${trigger.custom_instructions}`}`,
        ],
        [
          'Fill',
          state.estimated_tokens_used === null
            ? 'unknown'
            : `${thousands(state.estimated_tokens_used)} tokens, ${percent(state.estimated_fill_before_compaction)} of the ${thousands(state.context_window_size)} window, ${state.tier ?? 'tier unknown'}`,
        ],
        ['Conversation', `${conversation.session_id}, after ${conversation.epoch} compactions`],
        [
          'Git',
          git === null
            ? null
            : `${git.branch ?? 'detached'} at ${git.head?.slice(0, 10) ?? 'no commit'}, ${git.dirty_files?.length ?? '?'} changed files`,
        ],
        ['Workflow', found.orchestration_state?.workflow_id ?? null],
        ['Next step', recovery.next_action],
        ['File', shown(checkpointPath(place.paths, id), place)],
      ]),
      ...list('Requests', work.requests),
      ...list('Open tasks', openTaskSubjects(found)),
      ...list('Files written', work.files_written),
      ...list(
        'Failing commands',
        work.failing_commands.map((each) => `${each.command}\n${each.output}`),
      ),
      ...list('Last answer', work.last_answer === null ? [] : [work.last_answer]),
    ].join('\n'),
  );
}
