// What does a hook see when it looks? State, transcript, epoch and the judgement of the fill, each on its own feet.
import type { Resolved } from '../config/snapshot.ts';
import { assessmentSettings } from '../config/snapshot.ts';
import type { Conversation, Said } from '../model/conversation.ts';
import { type Epoch, startOf } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import { type Situation, situationOf } from '../model/situation.ts';
import { TIERS, type Tier } from '../model/tier.ts';
import { readConversation } from '../store/conversations.ts';
import { readLearned } from '../store/learned.ts';
import type { Env, ProjectPaths } from '../store/paths.ts';
import { type Scan, scanHead, scanTail } from '../store/transcript.ts';
import { type Failing, attempt } from './attempt.ts';

/** Everything a hook is given; time and environment come from outside. */
export interface Call extends Failing {
  event: Event;
  env: Env;
  /** Milliseconds since the epoch. */
  now: number;
  paths: ProjectPaths;
  resolved: Resolved;
}

export interface Look extends Situation {
  state: Conversation | null;
  scan: Scan | null;
  /** What the monitor has said in this epoch, or null. */
  said: Said | null;
}

/** Without a state file the transcript itself shows what was said: nothing is repeated where nothing can be kept. */
function saidInTranscript(scan: Scan | null, epoch: Epoch): Said | null {
  const said = (scan?.facts.injections ?? [])
    .filter((each) => each.offset >= startOf(epoch))
    .flatMap((each) => /<context-monitor>\s*CONTEXT STATUS: ([A-Z]+)/.exec(each.text)?.[1] ?? [])
    .filter((tier): tier is Tier => TIERS.includes(tier as Tier));
  const last = said.at(-1);
  if (last === undefined) return null;
  const top = TIERS.findLast((tier) => said.includes(tier)) ?? last;
  return { epoch: epoch.number, tier: last, top, window: 0 };
}

/**
 * Looks at the conversation of an event.
 * @param before true to judge the fill as it was before a compaction that has just happened
 */
export function lookAt(call: Call, before = false): Look {
  const { event, env, resolved } = call;
  const state = attempt(call, 'state', () => readConversation(call.paths, event.conversation));
  const { transcript } = event;
  const until = Math.min(
    state?.seen.offset ?? 0,
    state?.alert?.status === 'leased' ? state.alert.offset : Number.POSITIVE_INFINITY,
  );
  const scan = transcript === null ? null : attempt(call, 'transcript', () => scanTail(transcript, until));
  const head = transcript !== null && state === null ? attempt(call, 'transcript', () => scanHead(transcript)) : null;
  const situation = situationOf({
    state,
    facts: scan?.facts ?? null,
    head,
    now: call.now,
    env,
    client: resolved.client,
    learned: attempt(call, 'learned points', () => readLearned(env)) ?? {},
    settings: assessmentSettings(resolved.settings),
    before,
  });
  const { epoch } = situation;
  const said = state === null ? saidInTranscript(scan, epoch) : state.said?.epoch === epoch.number ? state.said : null;
  return { ...situation, state, scan, said };
}

/** So much of a transcript is looked at again by every hook before its state is written once more. */
export const UNSEEN_BYTES = 1024 * 1024;
/** Below this fill no tier of a 200,000 window is above LOW with any preset (C4 WARNING: half of 167,000 or less). */
const CAUTION = 30_000;

/**
 * Whether nothing has to be kept, and nothing but the short line can be due. Everything else is `attend`'s business,
 * which decides for itself.
 */
export function isQuiet(call: Call, look: Look): boolean {
  const { state, scan, epoch, assessment, said } = look;
  const { tier, reading } = assessment;
  if (state === null || scan === null || state.off) return false;
  return (
    state.pending === null &&
    state.alert?.status !== 'leased' &&
    state.unflushed === null &&
    state.epoch === epoch.number &&
    state.seen.boundaries === epoch.boundaries &&
    state.transcript_path === call.event.transcript &&
    scan.end - state.seen.offset <= UNSEEN_BYTES &&
    (state.stores_injections || scan.facts.injections.length === 0) &&
    Object.keys(look.marks).every((mark) => mark in state.marks) &&
    (tier === null || tier === 'NOMINAL' || tier === 'LOW') &&
    (tier === null || (said?.tier === tier && said.window === assessment.window.tokens)) &&
    (assessment.tier_if_standard === null || (reading.tokens ?? 0) < CAUTION)
  );
}
