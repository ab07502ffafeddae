// What is a conversation told of the track that is worked on: at its start, after a compaction, when it goes on?
import type { Part } from '../model/outcome.ts';
import { redact, redactDeep } from '../model/redact.ts';
import { taskFile } from '../model/tracks/layout.ts';
import { recoveryIn, sha256 } from '../store/recovery.ts';
import { toldTo } from '../store/track-told.ts';
import { activeTrack, pinnedTrack } from '../store/tracks.ts';
import { BUDGETS } from '../tags/budget.ts';
import { type TrackFacts, trackContext, trackFault } from '../tags/track-context.ts';
import type { Call } from './look.ts';

/** What the tag is made of, read now, without secrets. */
function factsOf(root: string, track: string, from: TrackFacts['from']): TrackFacts {
  const { files, manifest: _, ...state } = recoveryIn(root, track);
  const plan = files.get(taskFile(track, 'PLAN.md'));
  // A plan that is said as it is must hold no secret: with one, its tasks are said alone.
  const isClean = plan !== undefined && !plan.isCut && redact(plan.text) === plan.text;
  return {
    ...redactDeep(state),
    present: [...files.keys()],
    from,
    plan: isClean ? { text: plan.text, sha256: plan.sha256 } : null,
  };
}

/** @param goesOn its transcript holds what it was told before: only what is new is said */
export function trackParts(call: Call, goesOn: boolean): Part[] {
  const { paths, event, env } = call;
  const { root } = paths;
  if (root === null) return [];
  const { conversation } = event;
  const active = activeTrack(root, env, pinnedTrack(paths, conversation));
  const facts = active.track === null ? null : factsOf(root, active.track, active.from);
  const fault = active.track === null && active.fault !== null ? trackFault(redact(active.fault)) : null;
  if (facts === null && fault === null) return [];
  const words = (budget: number): string => (facts === null ? (fault ?? '') : trackContext(facts, budget));
  const hash = sha256(words(BUDGETS.track));
  if (goesOn && toldTo(paths, conversation) === hash) return [];
  return [
    {
      name: 'track-context',
      say: ({ tokens }) => ({ context: words(Math.min(BUDGETS.track, BUDGETS.start - tokens())) }),
      mark: [{ do: 'note-track-told', conversation, hash }],
    },
  ];
}
