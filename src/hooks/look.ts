// What does a hook see when it looks? State, transcript, epoch and the judgement of the fill, each on its own feet.
import type { Resolved } from '../config/snapshot.ts';
import { attempt, type Failing } from '../model/attempt.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Event, RareEvent } from '../model/event.ts';
import type { Fed, Seen } from '../model/feed.ts';
import type { TranscriptFacts } from '../model/fill.ts';
import { type Sight, saidOf, situationOf } from '../model/situation.ts';
import { isAbove, isAtLeast, type Tier } from '../model/tier.ts';
import { stampOf } from '../platform/look.ts';
import { readLearned } from '../store/learned.ts';
import type { Env, ProjectPaths } from '../store/paths.ts';
import { HEAD_BYTES, type Scan, scanTail } from '../store/transcript.ts';

/** What is said at a moment of words of our own and, at a prompt, the rules that a project wants said again. */
export const withRules = ({ event, resolved }: Call, words: string | null): string[] =>
  [words, event.kind === 'prompt' ? resolved.reinforcement : null].filter((each) => each !== null);

/**
 * Whether the monitor speaks at this prompt though nothing has changed. Background agents end in the middle of the work:
 * at the client's notice of it, what was said a moment ago is not said again.
 */
export function isSaidAnyhow({ event, resolved: { settings } }: Call): boolean {
  const isTyped = event.kind === 'prompt' && !event.isNotice;
  return isTyped && settings['context_monitor.enabled'] && settings['context_monitor.emit'] === 'always';
}

/** Everything a hook is given; time and environment come from outside. */
export interface Call extends Failing {
  event: Event;
  env: Env;
  /** Milliseconds since the epoch. */
  now: number;
  paths: ProjectPaths;
  resolved: Resolved;
  /** What the client itself tells of the fill, or null where nobody writes that down. */
  feed: ((seen: Seen) => Fed) | null;
}

/** A tool call that is about to be made: nothing of the fill matters to it. */
export type GuardCall = Omit<Call, 'event' | 'feed'> & {
  event: RareEvent;
  /** Milliseconds since the process began. */
  elapsed: () => number;
};

/** The client gives up after 5 s and lets the call run: by then it has long had an answer. */
const ANSWER_MS = 2_000;
/** So long a call is judged however late it is. */
const LEAST_MS = 300;

/** Milliseconds that are left for a verdict. */
export const leftFor = ({ elapsed }: Pick<GuardCall, 'elapsed'>): number =>
  Math.max(LEAST_MS, ANSWER_MS - elapsed());

export interface Look extends Sight {
  scan: Scan | null;
}

/** Looks at the conversation of an event whose state is known; `extra` adds what a first look, or a late one, needs. */
export function lookWith(
  call: Call,
  state: Conversation | null,
  extra: { head?: TranscriptFacts | null; before?: { to: number } } = {},
): Look {
  const { env, resolved } = call;
  const { transcript } = call.event;
  // Down to where anything was said of which it is not known yet whether it arrived.
  const leases = [state?.alert, state?.resumption].filter((each) => each?.status === 'leased');
  const until = Math.min(state?.seen.offset ?? 0, ...leases.map((each) => each?.offset ?? 0));
  // Where no answer ever had usage, there is none to look for further back than what was seen.
  const options = { until, to: extra.before?.to, isUsageKnown: state === null || state.last_seen !== null };
  const scan = transcript === null ? null : attempt(call, 'transcript', () => scanTail(transcript, options));
  const situation = situationOf({
    state,
    facts: scan?.facts ?? null,
    head: extra.head ?? null,
    feed: call.feed,
    now: call.now,
    env,
    client: resolved.client,
    learned: attempt(call, 'learned points', () => readLearned(env)) ?? {},
    settings: resolved.assessment,
    before: extra.before !== undefined,
    // Of the answers in a tail only the last is looked at.
    isWhole: false,
  });
  return { ...situation, state, scan, ...saidOf(state, situation) };
}

/** Whether the first answer is known, or known to be nowhere near the beginning. */
export const isHeadKnown = (state: Conversation): boolean =>
  state.first_call !== null || state.seen.offset > HEAD_BYTES;

/** So much of a transcript is looked at again by every hook before its state is written once more. */
export const UNSEEN_BYTES = 256 * 1024;
/** Below this fill no tier of a 200,000 window is above LOW with any preset (C4 WARNING: half of 167,000 or less). */
const CAUTION = 30_000;

/** Whether the tier stands above what was said. */
export function isRise(look: Look): boolean {
  const { tier } = look.assessment;
  return tier !== null && isAbove(tier, look.said?.top ?? 'NOMINAL');
}

/**
 * Whether an answer that is not in the file yet may raise the tier to WARNING or above. LOW asks nothing of the agent and
 * may come a step late.
 */
export function isRiseNear(look: Look): boolean {
  const { tier_ahead: ahead } = look.assessment;
  return ahead !== null && isAtLeast(ahead, 'WARNING') && isAbove(ahead, look.said?.top ?? 'NOMINAL');
}

/** Whether what is due at this moment is the minimal line, or nothing. */
export function isQuiet(call: Call, look: Look): boolean {
  if (call.event.kind !== 'prompt') return !isRise(look) && !isRiseNear(look);
  const { tier } = look.assessment;
  return tier === null || isSaid(look, tier);
}

/** Whether the monitor has said this very tier of this very window in this epoch. */
export const isSaid = (look: Look, tier: Tier): boolean => look.said?.tier === tier;

/** Whether the ORCHESTRATION.yaml that is known of is as it was: one look at its time, whoever may have written it. */
export const isWorkflowSame = ({ workflow_file: file }: Conversation): boolean =>
  file === null || stampOf(file.path).mtimeMs === file.mtimeMs;

/** Whether nothing has to be kept, and nothing is owed. Everything else is `attend`'s business, which decides for itself. */
export function isUnchanged(call: Call, look: Look): boolean {
  const { state, scan, epoch, assessment } = look;
  if (state === null || scan === null || state.off) return false;
  const tokens = assessment.reading.tokens ?? 0;
  return (
    !look.hasFallen &&
    !look.hasRisen &&
    state.pending === null &&
    state.alert?.status !== 'leased' &&
    state.resumption?.status !== 'leased' &&
    state.handoff_due === null &&
    // Its session has begun, and so it is active.
    state.session_open &&
    state.ended === null &&
    state.resumed_by === null &&
    isWorkflowSame(state) &&
    state.finished === null &&
    state.unflushed === null &&
    state.epoch === epoch.number &&
    state.seen.boundaries === epoch.boundaries &&
    state.transcript_path === call.event.transcript &&
    scan.end - state.seen.offset <= UNSEEN_BYTES &&
    (state.stores_injections || scan.facts.injections.length === 0) &&
    Object.entries(look.marks).every(([model, marked]) => state.marks[model] === marked) &&
    (tokens === 0 || look.firstCall !== null || isHeadKnown(state)) &&
    tokens <= (assessment.point.tokens ?? tokens) &&
    (assessment.tier_if_standard === null || tokens < CAUTION || state.warned_standard === epoch.number)
  );
}
