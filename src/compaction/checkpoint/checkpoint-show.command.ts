// Runs `plimsoll checkpoint show`: shows where a checkpoint comes from, and every fact that it holds in full.

import { formatCount, formatPercent, formatTable, type Output, stripControls } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { readUntrusted, STATE_FILE } from '../../platform/read.ts';
import { formatThousands } from '../../text/lines.ts';
import { formatAge } from '../../text/time.ts';
import { formatWholeFacts } from '../messages.ts';
import type { WorkTask } from '../work.ts';
import type { OrchestrationState } from '../workflow/workflow.ts';
import { formatWorkflowAlert } from '../workflow/workflow-lines.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Acknowledgement, joinCheckpointPath, readAcknowledgement } from './checkpoint-files.io.ts';
import { findCheckpointId, findNewestId, openCheckpoint } from './find-checkpoint.io.ts';

const MARKS: Record<WorkTask['status'], string> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' };

export const formatTask = (task: WorkTask): string => `${MARKS[task.status]} ${task.subject}`;

/** A heading with its items below it, indented; no lines where there are no items. */
export const section = (title: string, items: readonly string[]): string[] =>
  items.length === 0
    ? []
    : ['', `${title}:`, ...items.map((item) => `  ${item.trimEnd().replaceAll('\n', '\n    ')}`)];

const since = (time: string | null, now: number): string =>
  time === null ? 'at an unknown time' : formatAge((now - Date.parse(time)) / 1000);

function acknowledged(marker: Acknowledgement | null, id: string, now: number): string {
  if (marker === null) return 'no, the agent was not told of it yet';
  if (marker.reason !== undefined)
    return `its work was dropped ${since(marker.acknowledged_at, now)} (${marker.reason}): history, nothing to go on with`;
  const together = marker.by === null || marker.by === id ? '' : `, with ${marker.by}`;
  return `yes, ${since(marker.acknowledged_at, now)}${together}${marker.evidence === null ? '' : ` (${marker.evidence})`}`;
}

function workflowLine(state: OrchestrationState, pending: number): string {
  const phase =
    state.current_phase === null
      ? null
      : `phase ${state.current_phase}${state.current_phase_name === null ? '' : ` (${state.current_phase_name})`}`;
  const score = state.current_gate_score === null ? '' : ` at ${state.current_gate_score}`;
  const iteration =
    state.current_gate_iteration === null ? '' : `, iteration ${state.current_gate_iteration}`;
  const gate = state.current_gate === null ? null : `gate ${state.current_gate}${score}${iteration}`;
  return [
    `${state.workflow_id ?? state.path}${state.workflow_status === null ? '' : ` (${state.workflow_status})`}`,
    phase,
    state.current_activity,
    gate,
    pending === 0 ? null : formatCount(pending, 'pending decision'),
  ]
    .filter((each) => each !== null)
    .join('; ');
}

function header(place: ProjectContext, found: Checkpoint): string {
  const { event_id: id, context_state: state, conversation: session, trigger } = found;
  const { git } = session;
  const pending = found.accumulated_context.decisions_since_last_checkpoint.filter((each) => !each.applied);
  return formatTable([
    ['Checkpoint', `${id}, ${found.timestamp} (${since(found.timestamp, place.now)})`],
    ['Because', `${trigger.type} (${trigger.source})`],
    ['Note', trigger.custom_instructions?.replace(/\s+/g, ' ') ?? null],
    [
      'Usage',
      state.estimated_tokens_used === null
        ? 'unknown'
        : `${formatThousands(state.estimated_tokens_used)} tokens, ${formatPercent(state.estimated_fill_before_compaction)} of the ${formatThousands(state.context_window_size)} window, ${state.tier ?? 'tier unknown'}`,
    ],
    ['Turn', found.work.turn_open ? 'not at its end: something was still to be answered' : null],
    ['Session', `${session.session_id}, after ${formatCount(session.epoch, 'compaction')}`],
    [
      'Git',
      git === null
        ? null
        : `${git.branch ?? 'detached'} at ${git.head?.slice(0, 10) ?? 'no commit'}, ${git.dirty_files === null ? 'changed files unknown' : formatCount(git.dirty_files.length, 'changed file')}`,
    ],
    [
      'Workflow',
      found.orchestration_state === null ? null : workflowLine(found.orchestration_state, pending.length),
    ],
    ['Acknowledged', acknowledged(readAcknowledgement(place.paths, id), id, place.now)],
    ['Integrity', `ok, ${found.integrity.algorithm} ${found.integrity.digest.slice(0, 12)}…`],
    ['File', displayPath(joinCheckpointPath(place.paths, id), place)],
  ]);
}

/** Every fact in full, under the labels that the agent reads too; then what the workflow's file said. */
function text(place: ProjectContext, found: Checkpoint): string {
  const { ledger, work } = found;
  const done = work.tasks.filter(({ status }) => status === 'completed');
  const workflow = formatWorkflowAlert(found, place.now).map((line) => line.text);
  return [
    header(place, found),
    ...(ledger === null ? ['', 'What was known of the work could not be read at that moment.'] : []),
    ...formatWholeFacts(found, place.root).flatMap(({ label, texts }) =>
      section(label, texts.length === 1 ? texts : texts.map((each) => `- ${each}`)),
    ),
    ...section(
      'Tasks done',
      done.map(({ subject }) => `- ${subject}`),
    ),
    ...(workflow.length === 0 ? [] : ['', ...workflow]),
  ].join('\n');
}

/** Shows a checkpoint, the newest unless one is named; with --json the file as it is. */
export function checkpointShow(
  place: ProjectContext,
  given: string | undefined,
  options: { json?: boolean },
  output: Output,
): void {
  const id = given === undefined ? findNewestId(place) : findCheckpointId(place, given);
  const found = openCheckpoint(place, id);
  if (options.json)
    output.print((readUntrusted(joinCheckpointPath(place.paths, id), STATE_FILE) ?? '').replace(/\n$/, ''));
  else output.print(stripControls(text(place, found)));
}
