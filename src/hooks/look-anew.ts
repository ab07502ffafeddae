// Takes a full snapshot of a session: reads its state, and the transcript's beginning when that is not known yet.

import { TIERS, type Tier } from '../context/tier.ts';
import type { Said } from '../model/conversation.ts';
import { type Epoch, startOf } from '../model/delivery.ts';
import { tryStep } from '../model/try-step.ts';
import { readConversation } from '../store/conversations.ts';
import { type Scan, scanHead } from '../store/transcript.ts';
import { type Call, isHeadKnown, type Look, lookWith } from './look.ts';

/** Reads from the transcript which tier was announced, for when no state file can tell: so nothing is repeated. */
function saidInTranscript(scan: Scan | null, epoch: Epoch, window: number): Said | null {
  const said = (scan?.facts.injections ?? [])
    .filter((each) => each.offset >= startOf(epoch))
    .flatMap((each) => /<context-monitor>\s*CONTEXT STATUS: ([A-Z]+)/.exec(each.text)?.[1] ?? [])
    .filter((tier): tier is Tier => TIERS.includes(tier as Tier));
  const last = said.at(-1);
  if (last === undefined) return null;
  const top = TIERS.findLast((tier) => said.includes(tier)) ?? last;
  return { epoch: epoch.number, tier: last, top, window, most: 0 };
}

/**
 * Reads the state and takes a snapshot; when the first answer is not known, it reads the transcript's beginning too.
 * @param before assesses the usage before a compaction: only what stands before this offset counts
 */
export function lookAt(call: Call, before?: { to: number }): Look {
  const { transcript } = call.event;
  const state = tryStep(call, 'state', () => readConversation(call.paths, call.event.conversation));
  const isKnown = state !== null && isHeadKnown(state);
  const head =
    isKnown || transcript === null ? null : tryStep(call, 'transcript', () => scanHead(transcript));
  const look = lookWith(call, state, { head, ...(before === undefined ? {} : { before }) });
  if (state !== null) return look;
  return { ...look, said: saidInTranscript(look.scan, look.epoch, look.assessment.window.tokens) };
}
