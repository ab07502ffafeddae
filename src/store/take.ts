// What is put into a checkpoint, read in bounded time from transcript, git and orchestration file?
import { dirname } from 'node:path';
import type { Ledger } from '../compaction/ledger.ts';
import type { Assessment } from '../model/assessment.ts';
import { attempt } from '../model/attempt.ts';
import { type CheckpointDraft, draftCheckpoint, type Trigger } from '../model/checkpoint.ts';
import type { Conversation } from '../model/conversation.ts';
import { type Orchestration, orchestrationOf } from '../model/resumption.ts';
import { isWork, withStop } from '../model/turn.ts';
import { EMPTY_WORK, type Work, workOf } from '../model/work.ts';
import { exists } from '../platform/look.ts';
import { newestOf } from './checkpoints.ts';
import { readGit } from './git.ts';
import { findOrchestration, readOrchestration } from './orchestration.ts';
import { below, type Env, type ProjectPaths, shownBelow } from './paths.ts';
import { readLines } from './transcript.ts';

/** Bytes of the transcript read for a checkpoint at the most. */
const WORK_BYTES = 4 * 1024 * 1024;

/** Where a checkpoint is taken: which conversation, and what may be read for it. */
export interface Place {
  paths: ProjectPaths;
  env: Env;
  conversation: string;
  transcript: string | null;
  cwd: string;
  /** The configured ORCHESTRATION.yaml, or null: then it is looked for. */
  orchestration: string | null;
  /** What the Stop hook kept: the file may not show the last answer yet, or never. */
  stopped: Conversation['stopped'];
  /** Notes a source that failed; the checkpoint goes without it. */
  fail: (part: string, error: unknown) => void;
}

/** The stretch of the transcript that an epoch covers, in bytes. */
export interface Stretch {
  from: number;
  to?: number;
}

/**
 * The work of an epoch. Open tasks and the request outlive a compaction, so they are carried over from the newest
 * checkpoint of an earlier epoch; where the epoch is longer than what is read, from the newest of all, files too.
 */
function readWork(place: Place, stretch: Stretch, epoch: number): { work: Work; lines: unknown[] } {
  const { transcript, conversation, paths, stopped } = place;
  const newest = (before?: number): Work =>
    attempt(place, 'earlier checkpoint', () => newestOf(paths, conversation, before))?.work ?? EMPTY_WORK;
  if (transcript === null) return { work: newest(), lines: [] };
  const read = attempt(place, 'transcript', () => readLines(transcript, { ...stretch, cap: WORK_BYTES }));
  const { lines, truncated } = read ?? { lines: [], truncated: false };
  const { tasks, requests, files_written } = newest(truncated ? undefined : epoch);
  const work = workOf(lines, {
    ...EMPTY_WORK,
    tasks,
    requests,
    files_written: truncated ? files_written : [],
    truncated,
  });
  return { work: withStop(work, lines, stopped), lines };
}

/** The lines behind a place in the transcript, at most as many as a checkpoint reads. */
export const linesSince = (transcript: string, from: number): unknown[] =>
  readLines(transcript, { from, cap: WORK_BYTES }).lines;

/** The work of an epoch when anything was done since a place in the transcript that a checkpoint would be worth. */
export function workSince(place: Place, stretch: Stretch, epoch: number, since: number): Work | null {
  const { work, lines } = readWork(place, stretch, epoch);
  const { transcript } = place;
  const later = transcript === null || since <= stretch.from ? lines : linesSince(transcript, since);
  return isWork(later, work) ? work : null;
}

/** What ORCHESTRATION.yaml says, or null where there is none. */
export function orchestrationIn(place: Pick<Place, 'paths' | 'cwd' | 'orchestration'>): Orchestration | null {
  const { root } = place.paths;
  const path = findOrchestration(root, place.cwd, place.orchestration);
  const source = path === null ? null : readOrchestration(path);
  const found = path === null || source === null ? null : orchestrationOf(source, shownBelow(path, root));
  // By convention the plan lies beside the file, where the file does not name another one.
  const plan = path === null ? null : below(dirname(path), 'ORCHESTRATION_PLAN.md');
  if (found !== null && found.state.plan_path === null && plan !== null && exists(plan))
    found.state.plan_path = shownBelow(plan, root);
  return found;
}

/** Composes a checkpoint; every source that fails is left out and noted. */
export function takeCheckpoint(
  place: Place,
  input: {
    trigger: Trigger;
    assessment: Assessment;
    stretch: Stretch;
    epoch: number;
    /** Name and version of who writes it. */
    by: string;
    /** The work, where it is known already. */
    work?: Work;
    /** What is known of the whole thread of work; null where it could not be read. */
    ledger?: Ledger | null;
  },
): CheckpointDraft {
  const { trigger, assessment, epoch } = input;
  const work = input.work ?? attempt(place, 'work', () => readWork(place, input.stretch, epoch).work);
  return draftCheckpoint({
    trigger,
    assessment,
    orchestration: attempt(place, 'orchestration file', () => orchestrationIn(place)),
    work: work ?? EMPTY_WORK,
    ledger: input.ledger ?? null,
    conversation: {
      session_id: place.conversation,
      epoch,
      transcript_path: place.transcript,
      cwd: place.cwd,
      git: attempt(place, 'git', () => readGit(place.cwd, place.env)),
    },
    writtenBy: `${input.by} (${trigger.source})`,
  });
}
