// What does a hook see of a conversation that it knows nothing of yet, or looks at again?

import type { Said } from '../model/conversation.ts';
import { type Epoch, startOf } from '../model/delivery.ts';
import { TIERS, type Tier } from '../model/tier.ts';
import { readConversation } from '../store/conversations.ts';
import { type Scan, scanHead } from '../store/transcript.ts';
import { attempt } from './attempt.ts';
import { type Call, type Look, lookWith } from './look.ts';

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
 * Reads the state, looks, and at a conversation without state reads the transcript's beginning too.
 * @param before true to judge the fill as it was before a compaction that has just happened
 */
export function lookAt(call: Call, before = false): Look {
  const { transcript } = call.event;
  const state = attempt(call, 'state', () => readConversation(call.paths, call.event.conversation));
  if (state !== null || transcript === null) return lookWith(call, state, { before });
  const head = attempt(call, 'transcript', () => scanHead(transcript));
  const look = lookWith(call, null, { head, before });
  return { ...look, said: saidInTranscript(look.scan, look.epoch) };
}
