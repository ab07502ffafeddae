// What is put into a checkpoint, read in bounded time from transcript, git and orchestration file?
import type { Assessment } from '../model/assessment.ts';
import { type CheckpointDraft, draftCheckpoint, type Trigger } from '../model/checkpoint.ts';
import { type Orchestration, orchestrationOf } from '../model/resumption.ts';
import { EMPTY_WORK, type Work, workOf } from '../model/work.ts';
import { newestOf } from '../store/checkpoints.ts';
import { readGit } from '../store/git.ts';
import { findOrchestration, readOrchestration } from '../store/orchestration.ts';
import { readLines } from '../store/transcript.ts';
import { VERSION } from '../version.ts';
import { attempt } from './attempt.ts';
import type { Call } from './look.ts';

/** Bytes of the transcript read for a checkpoint at the most. */
const WORK_BYTES = 4 * 1024 * 1024;

/** The stretch of the transcript that an epoch covers, in bytes. */
export interface Stretch {
  from: number;
  to?: number;
}

/**
 * The work of an epoch. Open tasks and the request outlive a compaction, so they are carried over from the newest
 * checkpoint of an earlier epoch; where the epoch is longer than what is read, from the newest of all, files too.
 */
function workIn(call: Call, stretch: Stretch, epoch: number): Work {
  const { transcript, conversation } = call.event;
  const newest = (before?: number): Work =>
    attempt(call, 'earlier checkpoint', () => newestOf(call.paths, conversation, before))?.work ?? EMPTY_WORK;
  if (transcript === null) return newest();
  const { lines, truncated } = readLines(transcript, { ...stretch, cap: WORK_BYTES });
  const { tasks, requests, files_written } = newest(truncated ? undefined : epoch);
  return workOf(lines, {
    ...EMPTY_WORK,
    tasks,
    requests,
    files_written: truncated ? files_written : [],
    truncated,
  });
}

function orchestrationIn(call: Call): Orchestration | null {
  const { root } = call.paths;
  const path = findOrchestration(root, call.event.cwd, call.resolved.settings['orchestration.path']);
  const source = path === null ? null : readOrchestration(path);
  if (path === null || source === null) return null;
  const shown = root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return orchestrationOf(source, shown);
}

/** Composes a checkpoint; every source that fails is left out and noted. */
export function takeCheckpoint(
  call: Call,
  input: { trigger: Trigger; assessment: Assessment; stretch: Stretch; epoch: number },
): CheckpointDraft {
  const { event } = call;
  const work = attempt(call, 'work', () => workIn(call, input.stretch, input.epoch));
  return draftCheckpoint({
    trigger: input.trigger,
    assessment: input.assessment,
    orchestration: attempt(call, 'orchestration file', () => orchestrationIn(call)),
    work: work ?? EMPTY_WORK,
    conversation: {
      session_id: event.conversation,
      epoch: input.epoch,
      transcript_path: event.transcript,
      cwd: event.cwd,
      git: attempt(call, 'git', () => readGit(event.cwd, call.env)),
    },
    writtenBy: `plimsoll ${VERSION} (${input.trigger.source})`,
  });
}
