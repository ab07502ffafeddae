// What does a hook see of a conversation that it knows nothing of yet, or looks at again?

import { attempt } from '../model/attempt.ts';
import type { Said } from '../model/conversation.ts';
import { type Epoch, startOf } from '../model/delivery.ts';
import { TIERS, type Tier } from '../model/tier.ts';
import { readConversation } from '../store/conversations.ts';
import { type Scan, scanHead } from '../store/transcript.ts';
import { type Call, isHeadKnown, type Look, lookWith } from './look.ts';

/** Without a state file the transcript itself shows what was said: nothing is repeated where nothing can be kept. */
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
 * Reads the state and looks; where the first answer is not remembered, the transcript's beginning is read too.
 * @param before to judge the fill as it was before a compaction: what stands before that offset counts
 */
export function lookAt(call: Call, before?: { to: number }): Look {
  const { transcript } = call.event;
  const state = attempt(call, 'state', () => readConversation(call.paths, call.event.conversation));
  const isKnown = state !== null && isHeadKnown(state);
  const head =
    isKnown || transcript === null ? null : attempt(call, 'transcript', () => scanHead(transcript));
  const look = lookWith(call, state, { head, ...(before === undefined ? {} : { before }) });
  if (state !== null) return look;
  return { ...look, said: saidInTranscript(look.scan, look.epoch, look.assessment.window.tokens) };
}
