// Takes a full snapshot of a session: reads its state, and the transcript's beginning when that is not known yet.

import { type Epoch, findSegmentStart } from '../compaction/delivery.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { TIERS, type Tier } from '../context/tier.ts';
import type { TranscriptScan } from '../context/usage.ts';
import { scanHead } from '../hosts/transcript.io.ts';
import { tryStep } from '../platform/project/try-step.ts';
import type { LastAnnounced } from '../sessions/session-state.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import { type HookContext, isHeadKnown, snapshotFromState } from './snapshot.io.ts';

/** Reads from the transcript which tier was announced, for when no state file can tell: so nothing is repeated. */
function saidInTranscript(scan: TranscriptScan | null, epoch: Epoch, window: number): LastAnnounced | null {
  const said = (scan?.facts.injections ?? [])
    .filter((each) => each.offset >= findSegmentStart(epoch))
    .flatMap((each) => /<context-monitor>\s*CONTEXT STATUS: ([A-Z]+)/.exec(each.text)?.[1] ?? [])
    .filter((tier): tier is Tier => TIERS.includes(tier as Tier));
  const last = said.at(-1);
  if (last === undefined) return null;
  const top = TIERS.findLast((tier) => said.includes(tier)) ?? last;
  return { epoch: epoch.number, tier: last, highest_tier: top, window, max_tokens: 0 };
}

/**
 * Reads the state and takes a snapshot; when the first answer is not known, it reads the transcript's beginning too.
 * @param before assesses the usage before a compaction: only what stands before this offset counts
 */
export function readSnapshot(hook: HookContext, before?: { to: number }): SessionSnapshot {
  const { transcript } = hook.event;
  const state = tryStep(hook, 'state', () => readSessionState(hook.paths, hook.event.conversation));
  const isKnown = state !== null && isHeadKnown(state);
  const head =
    isKnown || transcript === null
      ? null
      : tryStep(hook, 'transcript', () => scanHead(transcript, hook.host.facts));
  const snapshot = snapshotFromState(hook, state, { head, ...(before === undefined ? {} : { before }) });
  if (state !== null) return snapshot;
  return {
    ...snapshot,
    said: saidInTranscript(snapshot.scan, snapshot.epoch, snapshot.assessment.window.tokens),
  };
}
