// What does one checkpoint say, for a person to read?
import type { Checkpoint } from '../model/checkpoint.ts';
import type { OrchestrationState } from '../model/resumption.ts';
import { openTasks, shorten, type Task, usefulLine } from '../model/work.ts';
import { readUntrusted, STATE } from '../platform/read.ts';
import { type Acknowledgement, acknowledgementOf, checkpointPath } from '../store/checkpoint-files.ts';
import { shownBelow } from '../store/paths.ts';
import { ago } from '../tags/ago.ts';
import { thousands } from '../tags/short-monitor.ts';
import { idOf, newestId, openCheckpoint } from './checkpoint.ts';
import { count, type Output, percent, printable, table } from './output.ts';
import { type Place, shown } from './place.ts';

/** So many files are named; the rest is counted. */
const FILES = 30;
const MARKS: Record<Task['status'], string> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' };

export const taskLine = (task: Task): string => `${MARKS[task.status]} ${task.subject}`;

/** A heading and what stands below it, indented; nothing where there is nothing. */
export const section = (title: string, items: readonly string[]): string[] =>
  items.length === 0
    ? []
    : ['', `${title}:`, ...items.map((item) => `  ${item.trimEnd().replaceAll('\n', '\n    ')}`)];

const since = (time: string | null, now: number): string =>
  time === null ? 'at an unknown time' : ago((now - Date.parse(time)) / 1000);

function acknowledged(marker: Acknowledgement | null, id: string, now: number): string {
  if (marker === null) return 'no, the agent was not told of it yet';
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
    pending === 0 ? null : count(pending, 'pending decision'),
  ]
    .filter((each) => each !== null)
    .join('; ');
}

function header(place: Place, found: Checkpoint): string {
  const { event_id: id, context_state: state, conversation, trigger } = found;
  const { git } = conversation;
  const pending = found.accumulated_context.decisions_since_last_checkpoint.filter((each) => !each.applied);
  return table([
    ['Checkpoint', `${id}, ${found.timestamp} (${since(found.timestamp, place.now)})`],
    ['Because', `${trigger.type} (${trigger.source})`],
    ['Note', trigger.custom_instructions?.replace(/\s+/g, ' ') ?? null],
    [
      'Fill',
      state.estimated_tokens_used === null
        ? 'unknown'
        : `${thousands(state.estimated_tokens_used)} tokens, ${percent(state.estimated_fill_before_compaction)} of the ${thousands(state.context_window_size)} window, ${state.tier ?? 'tier unknown'}`,
    ],
    ['Turn', found.work.turn_open ? 'not at its end: something was still to be answered' : null],
    ['Conversation', `${conversation.session_id}, after ${count(conversation.epoch, 'compaction')}`],
    [
      'Git',
      git === null
        ? null
        : `${git.branch ?? 'detached'} at ${git.head?.slice(0, 10) ?? 'no commit'}, ${git.dirty_files === null ? 'changed files unknown' : count(git.dirty_files.length, 'changed file')}`,
    ],
    [
      'Workflow',
      found.orchestration_state === null ? null : workflowLine(found.orchestration_state, pending.length),
    ],
    ['Acknowledged', acknowledged(acknowledgementOf(place.paths, id), id, place.now)],
    ['Integrity', `ok, ${found.integrity.algorithm} ${found.integrity.digest.slice(0, 12)}…`],
    ['File', shown(checkpointPath(place.paths, id), place)],
  ]);
}

function text(place: Place, found: Checkpoint): string {
  const { work, recovery_instructions: recovery } = found;
  const request = work.requests.at(-1);
  const files = work.files_written.map((path) => shownBelow(path, place.root)).reverse();
  const done = work.tasks.length - openTasks(work).length;
  const open = openTasks(work).sort(
    (a, b) => Number(b.status === 'in_progress') - Number(a.status === 'in_progress'),
  );
  const pending = found.accumulated_context.decisions_since_last_checkpoint.filter((each) => !each.applied);
  return [
    header(place, found),
    ...section('Request', request === undefined ? [] : [request]),
    ...section(
      'Requests before it',
      work.requests.slice(0, -1).map((each) => `- ${shorten(each.replace(/\s+/g, ' '), 120)}`),
    ),
    ...section('Next step', recovery.next_action === null ? [] : [recovery.next_action]),
    ...section('Tasks', [
      ...open.map(taskLine),
      ...(done === 0 ? [] : [`[x] ${open.length === 0 ? `all ${done}` : done} done`]),
    ]),
    ...section(
      'Pending decisions',
      pending.map(
        ({ id, summary, affects_phases: phases }) =>
          `- ${id === '' ? '' : `${id}: `}${summary}${phases.length === 0 ? '' : ` (affects phase ${phases.join(', ')})`}`,
      ),
    ),
    ...section(`Files written (${files.length})`, [
      ...files.slice(0, FILES),
      ...(files.length > FILES ? [`… and ${files.length - FILES} more; --json has all`] : []),
    ]),
    ...section(
      `Failing commands (${work.failing_commands.length})`,
      work.failing_commands.map(({ command, output }) => {
        const line = usefulLine(output);
        return line === null ? command : `${command}\n→ ${line}`;
      }),
    ),
    ...section('Last answer', work.last_answer === null ? [] : [work.last_answer]),
    ...(work.truncated ? ['', 'The stretch was longer than what was read: older work may be missing.'] : []),
  ].join('\n');
}

/** Shows a checkpoint, the newest unless one is named; with --json the file as it is. */
export function checkpointShow(
  place: Place,
  given: string | undefined,
  options: { json?: boolean },
  output: Output,
): void {
  const id = given === undefined ? newestId(place) : idOf(place, given);
  const found = openCheckpoint(place, id);
  if (options.json)
    output.print((readUntrusted(checkpointPath(place.paths, id), STATE) ?? '').replace(/\n$/, ''));
  else output.print(printable(text(place, found)));
}
