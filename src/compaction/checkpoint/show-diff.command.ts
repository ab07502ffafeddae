// Runs `plimsoll checkpoint diff`: shows what changed in the work between two checkpoints.

import type { Output } from '../../cli/output.io.ts';
import { formatCount, formatPercent, formatTable, stripControls, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { makeRelative } from '../../platform/project/paths.ts';
import { formatThousands } from '../../text/lines.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { COMMANDS, findUsefulLine, shorten, type Work, type WorkTask } from '../work.ts';
import type { Checkpoint, CheckpointDraft } from './checkpoint.ts';
import { listCheckpoints, parseCheckpointNumber } from './checkpoint-files.io.ts';
import { formatTask, section } from './checkpoint-show.command.ts';
import { checkCheckpoint } from './checkpoint-store.io.ts';
import { findCheckpointId, openCheckpoint } from './find-checkpoint.io.ts';

// Compares the work recorded in two checkpoints: tasks, requests, files, failing commands, workflow fields.
interface FieldChange {
  /** Name of the field. */
  of: string;
  from: string | number | null;
  to: string | number | null;
}

type FailingCommand = Work['failing_commands'][number];

export interface CheckpointDiff {
  /** Compactions between them; null between two sessions. */
  compactions: number | null;
  tasks: {
    finished: WorkTask[];
    added: WorkTask[];
    changed: (WorkTask & { was: WorkTask['status'] })[];
    /** Open ones that are no longer listed: removed, or finished before a compaction. */
    gone: WorkTask[];
  };
  /** New requests of the user, oldest first. */
  requests: string[];
  files_written: string[];
  failing_commands: {
    fixed: FailingCommand[];
    added: FailingCommand[];
    /** Failed before; the later checkpoint cannot tell whether they still do. */
    unknown: FailingCommand[];
  };
  workflow: FieldChange[];
  usage: FieldChange[];
  git: FieldChange[];
  dirty_files: { added: string[]; gone: string[] };
}

type Fields = Record<string, unknown>;

function changesOf(before: Fields | null, after: Fields | null, names: readonly string[]): FieldChange[] {
  const value = (fields: Fields | null, name: string): FieldChange['from'] => {
    const found = fields?.[name];
    return typeof found === 'string' || typeof found === 'number' ? found : null;
  };
  return names.flatMap((of) => {
    const [from, to] = [value(before, of), value(after, of)];
    return from === to ? [] : [{ of, from, to }];
  });
}

/** Pairs every task with its earlier self: by id within a session, else by its words; each is used once. */
function pairTasks(before: readonly WorkTask[], after: readonly WorkTask[], isSame: boolean) {
  const rest = [...before];
  const earlier = new Map<WorkTask, WorkTask>();
  const pair = (fits: (old: WorkTask, task: WorkTask) => boolean): void => {
    for (const task of after) {
      if (earlier.has(task)) continue;
      const at = rest.findIndex((old) => fits(old, task));
      const [old] = at < 0 ? [] : rest.splice(at, 1);
      if (old !== undefined) earlier.set(task, old);
    }
  };
  const hasIds = (old: WorkTask, task: WorkTask): boolean => isSame && old.id !== null && task.id !== null;
  pair((old, task) => hasIds(old, task) && old.id === task.id);
  pair((old, task) => !hasIds(old, task) && old.subject === task.subject);
  return { earlier, rest };
}

function tasksBetween(before: Work, after: Work, isSame: boolean): CheckpointDiff['tasks'] {
  const { earlier, rest } = pairTasks(before.tasks, after.tasks, isSame);
  const tasks: CheckpointDiff['tasks'] = {
    finished: [],
    added: [],
    changed: [],
    gone: rest.filter((task) => task.status !== 'completed'),
  };
  for (const task of after.tasks) {
    const was = earlier.get(task)?.status ?? null;
    if (was === task.status) continue;
    if (task.status === 'completed') tasks.finished.push(task);
    else if (was === null) tasks.added.push(task);
    else tasks.changed.push({ ...task, was });
  }
  return tasks;
}

/** Both hold the last few requests: what the later one has behind the longest common stretch is new. */
function newRequests(before: readonly string[], after: readonly string[]): string[] {
  for (let length = Math.min(before.length, after.length); length > 0; length--) {
    const end = before.slice(-length);
    if (end.every((request, index) => request === after[index])) return after.slice(length);
  }
  return [...after];
}

function commandsBetween(
  before: Work,
  after: Work,
  isSameEpoch: boolean,
): CheckpointDiff['failing_commands'] {
  const onlyIn = (some: Work, others: Work): FailingCommand[] =>
    some.failing_commands.filter(
      ({ command }) => !others.failing_commands.some((each) => each.command === command),
    );
  // A new segment begins without failing commands, and a full list may have pushed one out.
  const isKnown = isSameEpoch && !after.truncated && after.failing_commands.length < COMMANDS;
  const gone = onlyIn(before, after);
  return {
    fixed: isKnown ? gone : [],
    added: onlyIn(after, before),
    unknown: isKnown ? [] : gone,
  };
}

/** Items of one list that another does not have; a list that is not known says nothing. */
const without = (list: readonly string[] | null, other: readonly string[] | null): string[] =>
  list === null || other === null ? [] : [...new Set(list)].filter((each) => !other.includes(each));

const WORKFLOW = [
  'workflow_id',
  'workflow_status',
  'current_phase',
  'current_phase_name',
  'current_activity',
  'last_completed_checkpoint',
  'current_gate',
  'current_gate_iteration',
  'current_gate_score',
  'next_step',
];

/** What a later checkpoint has that an earlier one had not, and the other way round. */
export function diffCheckpoints(before: CheckpointDraft, after: CheckpointDraft): CheckpointDiff {
  const isSame = before.conversation.session_id === after.conversation.session_id;
  const compactions = isSame ? after.conversation.epoch - before.conversation.epoch : null;
  const git = [before.conversation.git, after.conversation.git] as const;
  const states = [before.orchestration_state, after.orchestration_state] as const;
  const dirty = git.map((each) => each?.dirty_files ?? null) as [string[] | null, string[] | null];
  return {
    compactions,
    tasks: tasksBetween(before.work, after.work, isSame),
    requests: newRequests(before.work.requests, after.work.requests),
    files_written: without(after.work.files_written, before.work.files_written),
    failing_commands: commandsBetween(before.work, after.work, compactions === 0),
    workflow: changesOf(states[0] as Fields | null, states[1] as Fields | null, WORKFLOW),
    usage: changesOf(before.context_state, after.context_state, [
      'estimated_tokens_used',
      'estimated_fill_before_compaction',
      'tier',
    ]),
    git: changesOf(git[0] as Fields | null, git[1] as Fields | null, ['branch', 'head']),
    dirty_files: { added: without(dirty[1], dirty[0]), gone: without(dirty[0], dirty[1]) },
  };
}

/** Whether nothing changed at all. */
export function isEmptyDiff(diff: CheckpointDiff): boolean {
  const isNothing = (value: unknown): boolean =>
    value === null || value === 0 || (typeof value === 'object' && Object.values(value).every(isNothing));
  return isNothing(diff);
}

/** Finds the newest checkpoint of the same session; when that is the given one, the one before it. */
function otherId(place: ProjectContext, one: Checkpoint): string {
  const session = one.conversation.session_id;
  const ids = listCheckpoints(place.paths).filter((id) => {
    const found = checkCheckpoint(place.paths, id);
    return found.state === 'ok' && found.checkpoint.conversation.session_id === session;
  });
  const other = ids.findLast((id) => id !== one.event_id);
  if (other !== undefined) return other;
  throw new PlimsollError('not-found', `Checkpoint "${one.event_id}" is the only one of its session`, {
    hint: `name what to compare it with: plimsoll checkpoint diff ${one.event_id} ID (plimsoll checkpoint list)`,
  });
}

const value = (each: FieldChange['from'], of: string): string => {
  if (each === null) return of === 'branch' ? 'detached' : 'none';
  if (of === 'head') return String(each).slice(0, 10);
  if (of === 'estimated_tokens_used') return formatThousands(Number(each));
  return of === 'estimated_fill_before_compaction' ? formatPercent(Number(each)) : shorten(String(each), 80);
};

const LABELS: Record<string, string> = {
  estimated_tokens_used: 'tokens',
  estimated_fill_before_compaction: 'of the window',
  last_completed_checkpoint: 'workflow checkpoint',
};

const changeLines = (changes: readonly FieldChange[]): string[] =>
  changes.map(
    ({ of, from, to }) => `${LABELS[of] ?? of.replaceAll('_', ' ')}: ${value(from, of)} → ${value(to, of)}`,
  );

function text(place: ProjectContext, from: Checkpoint, to: Checkpoint, diff: CheckpointDiff): string {
  const { tasks, failing_commands: commands, dirty_files: dirty } = diff;
  const failing = (words: string, list: CheckpointDiff['failing_commands']['added']): string[] =>
    list.map(({ command, output }) => {
      const line = words === 'new' ? findUsefulLine(output) : null;
      return `${words}: ${command}${line === null ? '' : `\n→ ${line}`}`;
    });
  const between =
    diff.compactions === null
      ? 'of another session'
      : `${diff.compactions === 0 ? 'no compaction' : formatCount(diff.compactions, 'compaction')} in between`;
  return [
    formatTable([
      ['From', `${from.event_id}, ${from.timestamp}`],
      ['To', `${to.event_id}, ${to.timestamp} (${between})`],
    ]),
    ...section('Usage', changeLines(diff.usage)),
    ...section('Workflow', changeLines(diff.workflow)),
    ...section(
      'New requests',
      diff.requests.map((each) => `- ${shorten(each.replace(/\s+/g, ' '), 200)}`),
    ),
    ...section('Tasks', [
      ...tasks.finished.map((task) => `${formatTask(task)} (finished)`),
      ...tasks.changed.map((task) => `${formatTask(task)} (was ${task.was.replace('_', ' ')})`),
      ...tasks.added.map((task) => `${formatTask(task)} (new)`),
      ...tasks.gone.map((task) => `[-] ${task.subject} (no longer listed)`),
    ]),
    ...section(
      `Files newly written (${diff.files_written.length})`,
      diff.files_written.map((path) => makeRelative(path, place.root)),
    ),
    ...section('Failing commands', [
      ...failing('fixed', commands.fixed),
      ...failing('new', commands.added),
      ...failing('failed before, not known now', commands.unknown),
    ]),
    ...section('Git', [
      ...changeLines(diff.git),
      ...dirty.added.map((path) => `+ ${path} (changed or untracked now)`),
      ...dirty.gone.map((path) => `- ${path} (clean now)`),
    ]),
    ...(isEmptyDiff(diff) ? ['', 'Nothing changed in the work.'] : []),
  ].join('\n');
}

const named = ({ event_id: id, timestamp, conversation: session }: Checkpoint) => ({
  id,
  timestamp,
  session_id: session.session_id,
  compactions: session.epoch,
});

/** Compares two checkpoints, the earlier one with the later one, in whichever order they are named. */
export function checkpointDiff(
  place: ProjectContext,
  given: readonly [string, string | undefined],
  options: { json?: boolean },
  output: Output,
): void {
  const one = openCheckpoint(place, findCheckpointId(place, given[0]));
  const other = openCheckpoint(
    place,
    given[1] === undefined ? otherId(place, one) : findCheckpointId(place, given[1]),
  );
  const [from, to] =
    parseCheckpointNumber(one.event_id) <= parseCheckpointNumber(other.event_id)
      ? [one, other]
      : [other, one];
  const diff = diffCheckpoints(from, to);
  if (options.json) output.print(toJson({ from: named(from), to: named(to), ...diff }));
  else output.print(stripControls(text(place, from, to, diff)));
}
