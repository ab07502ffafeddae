// Runs `plimsoll checkpoint diff`: shows what changed in the work between two checkpoints.

import {
  formatCount,
  formatPercent,
  formatTable,
  type Output,
  stripControls,
  toJson,
} from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { relativeTo } from '../../platform/project/paths.ts';
import { formatThousands } from '../../text/lines.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { shorten, usefulLine } from '../work.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type CheckpointDiff, diffCheckpoints, type FieldChange, isEmptyDiff } from './checkpoint-diff.ts';
import { listCheckpoints, parseCheckpointNumber } from './checkpoint-files.io.ts';
import { section, taskLine } from './checkpoint-show.command.ts';
import { checkCheckpoint } from './checkpoint-store.io.ts';
import { findCheckpointId, openCheckpoint } from './find-checkpoint.io.ts';

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
      const line = words === 'new' ? usefulLine(output) : null;
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
      ...tasks.finished.map((task) => `${taskLine(task)} (finished)`),
      ...tasks.changed.map((task) => `${taskLine(task)} (was ${task.was.replace('_', ' ')})`),
      ...tasks.added.map((task) => `${taskLine(task)} (new)`),
      ...tasks.gone.map((task) => `[-] ${task.subject} (no longer listed)`),
    ]),
    ...section(
      `Files newly written (${diff.files_written.length})`,
      diff.files_written.map((path) => relativeTo(path, place.root)),
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

const named = ({ event_id: id, timestamp, conversation }: Checkpoint) => ({
  id,
  timestamp,
  session_id: conversation.session_id,
  compactions: conversation.epoch,
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
