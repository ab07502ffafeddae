// Reads the status of each session of a project for `plimsoll watch`; reads only what changed since the last look.
import type { Assessment } from '../context/assessment.ts';
import type { Situation } from '../context/context-status.ts';
import type { Conversation } from '../model/conversation.ts';
import { isUnderWay } from '../model/resume.ts';
import { type Freshness, sectionStanding } from '../model/staleness.ts';
import { stampOf } from '../platform/look.ts';
import { readStates } from '../store/conversations.ts';
import { feedIn } from '../store/feed.ts';
import { isGoingOn, lastSign } from '../store/previous.ts';
import { type Reading, readTimeline } from '../store/timeline.ts';
import { scanHead, scanTail } from '../store/transcript.ts';
import { estimateTokens } from '../tags/budget.ts';
import { newestHere, situationAt } from './conversation.ts';
import type { Place } from './place.ts';

/** The most states that are read, the last written first. */
const MOST_STATES = 50;
/** The most sessions shown that are not running. */
const MOST_ENDED = 3;
/** How much of a transcript is read where no hook has a state of it. */
const UNKNOWN_BYTES = 4 * 1024 * 1024;

export interface Watched {
  id: string;
  isUnderWay: boolean;
  /** Time of the last sign of life, in ms. */
  at: number;
  assessment: Assessment;
  compactions: number;
  state: Conversation | null;
  /** Context usages as fractions of the effective limit, oldest first. */
  fills: number[];
  /** Tool calls since the last checkpoint; null where there is none, or its place in the transcript is unknown. */
  calls: number | null;
  section: Freshness | null;
  /** Sizes and times of the files that all this was read from; while they stay the same nothing is read again. */
  stamp: string;
  reading: Reading | null;
}

interface Candidate {
  id: string;
  transcript: string | null;
  state: Conversation | null;
  at: number;
  isUnderWay: boolean;
}

/** The running sessions, then the last others; the folder's newest is among them even where no hook has seen it. */
function candidates(place: Place): Candidate[] {
  const { paths, now } = place;
  const known = readStates(paths, { files: MOST_STATES })
    .filter(({ state }) => state.active || state.last_seen !== null)
    .map(({ state, mtimeMs }): Candidate => {
      const at = lastSign(paths, state) ?? mtimeMs;
      return {
        id: state.session_id,
        transcript: state.transcript_path,
        state,
        at,
        isUnderWay: isGoingOn({ state, at }, now),
      };
    })
    .sort((a, b) => b.at - a.at);
  const newest = newestHere(place);
  const isNew = newest !== null && !known.some(({ id }) => id === newest.id);
  const at = newest === null ? 0 : stampOf(newest.path).mtimeMs;
  const unknown: Candidate[] = isNew
    ? [
        {
          id: newest.id,
          transcript: newest.path,
          state: null,
          at,
          isUnderWay: isUnderWay({ ended: null }, { at, now, isRunning: null }),
        },
      ]
    : [];
  const all = [...known, ...unknown].sort((a, b) => b.at - a.at);
  return [
    ...all.filter((each) => each.isUnderWay),
    ...all.filter((each) => !each.isUnderWay).slice(0, MOST_ENDED),
  ];
}

/** Computes the context status as the hooks do: the same state, the same tail, the same functions. */
function judged(place: Place, { id, state, transcript }: Candidate): Situation {
  const options = {
    until: state?.seen.offset ?? 0,
    isUsageKnown: state === null || state.last_seen !== null,
    ...(state === null ? { cap: UNKNOWN_BYTES } : {}),
  };
  const scan = transcript === null ? null : scanTail(transcript, options);
  const head = transcript === null || state?.first_call != null ? null : scanHead(transcript);
  const feed = feedIn(place.paths, id);
  return situationAt(place, { state, facts: scan?.facts ?? null, head, feed, isWhole: false });
}

function stampFor(place: Place, each: Candidate): string {
  const { paths } = place;
  const files = [
    paths.conversation(each.id),
    paths.feed(each.id, 'module'),
    paths.feed(each.id, 'statusline'),
    ...(each.transcript === null ? [] : [each.transcript]),
  ];
  return files
    .map(stampOf)
    .map(({ size, mtimeMs }) => `${size}@${mtimeMs}`)
    .join(' ');
}

function look(place: Place, each: Candidate, before: Watched | undefined): Watched {
  const { id, at, isUnderWay, state, transcript } = each;
  const stamp = stampFor(place, each);
  if (before?.stamp === stamp) return { ...before, at, isUnderWay };
  const reading =
    transcript === null ? null : readTimeline(transcript, estimateTokens, before?.reading ?? null);
  const { assessment, epoch } = judged(place, each);
  const offset = state?.last_checkpoint?.offset;
  const { timeline } = reading ?? {};
  const file = state?.workflow_file ?? null;
  return {
    id,
    isUnderWay,
    at,
    assessment,
    compactions: state === null ? (timeline?.compactions.length ?? 0) : epoch.number,
    state,
    fills: (timeline?.fills ?? []).map(({ tokens }) => tokens / assessment.usable),
    calls: offset === undefined ? null : (timeline?.calls ?? []).filter((call) => call >= offset).length,
    section: file === null ? null : sectionStanding(file, place.now, state?.started ?? null).level,
    stamp,
    reading,
  };
}

/**
 * Reads the sessions of a project; one that cannot be read now keeps its last status, or is left out.
 * @param before the result of the last look
 */
export const watchedIn = (place: Place, before: readonly Watched[]): Watched[] =>
  candidates(place).flatMap((each) => {
    const earlier = before.find(({ id }) => id === each.id);
    try {
      return [look(place, each, earlier)];
    } catch {
      return earlier === undefined ? [] : [earlier];
    }
  });
