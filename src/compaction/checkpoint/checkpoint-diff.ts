// Compares the work recorded in two checkpoints: tasks, requests, files, failing commands, workflow fields.

import { COMMANDS, type Work, type WorkTask } from '../work.ts';
import type { CheckpointDraft } from './checkpoint.ts';

export interface FieldChange {
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
