// What did a conversation leave that is not under way any more?
import type { AssessmentSettings } from '../model/assessment.ts';
import type { CheckpointDraft } from '../model/checkpoint.ts';
import type { Conversation } from '../model/conversation.ts';
import { startOf } from '../model/delivery.ts';
import type { Fed, Seen } from '../model/feed.ts';
import { situationOf } from '../model/situation.ts';
import { isTalk } from '../model/turn.ts';
import type { Work } from '../model/work.ts';
import { newestOf, readCheckpoint } from './checkpoints.ts';
import { exists } from './files.ts';
import { readLearned } from './learned.ts';
import type { Env, ProjectPaths } from './paths.ts';
import type { Previous } from './previous.ts';
import { linesSince, takeCheckpoint } from './take.ts';
import { type Scan, scanTail } from './transcript.ts';

const REQUESTS = 5;
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

/** What a conversation left, put together as a checkpoint of it would be, but not written. */
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
    /** What the client itself told of it. */
    feed: (seen: Seen) => Fed;
    by: string;
    fail: (part: string, error: unknown) => void;
  },
): CheckpointDraft {
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
    feed: place.feed,
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
  const requests = all((each) => each.requests).slice(-REQUESTS);
  return { ...draft, work: { ...draft.work, requests, files_written: all((each) => each.files_written) } };
}
