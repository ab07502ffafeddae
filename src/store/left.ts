// What did a conversation leave that is not under way any more?
import { lastRequests } from '../model/asked.ts';
import type { AssessmentSettings } from '../model/assessment.ts';
import type { CheckpointDraft } from '../model/checkpoint.ts';
import type { Conversation } from '../model/conversation.ts';
import { startOf } from '../model/delivery.ts';
import { type Unfinished, unfinishedBecause } from '../model/resume.ts';
import { situationOf } from '../model/situation.ts';
import { isTalk } from '../model/turn.ts';
import type { Work } from '../model/work.ts';
import { exists } from '../platform/look.ts';
import { newestOf, readCheckpoint } from './checkpoints.ts';
import { feedIn } from './feed.ts';
import { readLearned } from './learned.ts';
import type { Env, ProjectPaths } from './paths.ts';
import type { Previous } from './previous.ts';
import { linesSince, takeCheckpoint } from './take.ts';
import { type Scan, scanTail } from './transcript.ts';

/** Epochs before the last one that are looked back at. */
const EPOCHS = 5;

/** The work of the epochs before one, oldest first, from the last checkpoint of each. */
function workBefore(paths: ProjectPaths, conversation: string, epoch: number): Work[] {
  const found: Work[] = [];
  for (let before = epoch; before > 0 && found.length < EPOCHS; ) {
    const checkpoint = newestOf(paths, conversation, before);
    if (checkpoint === null) break;
    found.unshift(checkpoint.work);
    before = checkpoint.conversation.epoch;
  }
  return found;
}

/** The work as the newest checkpoint has it, when nothing was said after it: then the transcript need not be read. */
function workAtTheEnd(
  place: { paths: ProjectPaths },
  state: Conversation,
  transcript: string,
): Work | undefined {
  const last = state.last_checkpoint;
  if (last?.offset === undefined || isTalk(linesSince(transcript, last.offset))) return undefined;
  try {
    return readCheckpoint(place.paths, last.id).work;
  } catch {
    // damaged or gone: the transcript has it all
    return undefined;
  }
}

export interface Left {
  /** Put together as a checkpoint of the conversation would be, but not written. */
  draft: CheckpointDraft;
  /** Why its work is not done. */
  because: Unfinished[];
  /** Seconds since its last sign of life. */
  age_s: number;
  root: string | null;
}

/** What a conversation left, read now: git and the orchestration file may have changed since. */
export function leftBy(
  { state, at }: Previous,
  place: {
    paths: ProjectPaths;
    env: Env;
    cwd: string;
    orchestration: string | null;
    /** The client's own settings, merged, and what judges a fill. */
    client: Record<string, unknown>;
    assessment: AssessmentSettings;
    /** Milliseconds since the epoch. */
    now: number;
    by: string;
    fail: (part: string, error: unknown) => void;
  },
): Left {
  // The client removes transcripts after some weeks; the newest checkpoint is what is left then.
  const { transcript_path: path } = state;
  let scan: Scan | null = null;
  try {
    scan = path === null ? null : scanTail(path, { until: state.seen.offset });
  } catch (error) {
    place.fail('transcript', error);
  }
  const transcript = scan === null ? null : path;
  const { assessment, epoch } = situationOf({
    state,
    facts: scan?.facts ?? null,
    head: null,
    feed: feedIn(place.paths, state.session_id),
    isWhole: false,
    now: at,
    env: place.env,
    client: place.client,
    learned: readLearned(place.env),
    settings: place.assessment,
  });
  const ownFile = state.workflow_file?.path ?? null;
  const work = transcript === null ? undefined : workAtTheEnd(place, state, transcript);
  const draft = takeCheckpoint(
    {
      paths: place.paths,
      env: place.env,
      conversation: state.session_id,
      transcript,
      cwd: place.cwd,
      // It may have worked in a folder of its own, with its own file.
      orchestration: place.orchestration ?? (ownFile !== null && exists(ownFile) ? ownFile : null),
      stopped: state.stopped,
      fail: place.fail,
    },
    {
      trigger: { type: 'late', source: 'end of the conversation', custom_instructions: null },
      assessment,
      stretch: { from: startOf(epoch) },
      epoch: epoch.number,
      by: place.by,
      ...(work === undefined ? {} : { work }),
    },
  );
  // The task was set, and most files were written, before the last compaction, more often than not.
  const earlier = workBefore(place.paths, state.session_id, epoch.number);
  const all = (of: (work: Work) => string[]): string[] => [
    ...new Set([...earlier.flatMap(of), ...of(draft.work)]),
  ];
  const requests = lastRequests(all((each) => each.requests));
  const files_written = all((each) => each.files_written);
  const whole = { ...draft, work: { ...draft.work, requests, files_written } };
  return {
    draft: whole,
    because: unfinishedBecause(state, whole),
    age_s: Math.max(0, (place.now - at) / 1000),
    root: place.paths.root,
  };
}
