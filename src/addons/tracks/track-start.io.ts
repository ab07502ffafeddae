// The message about the active track at a session's start, after a compaction, and when the session continues.
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { sha256 } from '../../platform/sha256.ts';
import { BUDGETS } from '../../text/budget.ts';
import { redact } from '../../text/redact.ts';
import { readActiveTrack } from './files/find-tracks.io.ts';
import { readInjectedHash } from './files/injected-hash.io.ts';
import { recoveryIn } from './files/track-inputs.io.ts';
import { trackContext, trackFacts, trackFault } from './track-context.ts';
import { ofTracks } from './work-log/track-effect.io.ts';

/** @param goesOn the session continues, with the last message in its transcript: an unchanged one is not repeated */
export function buildTrackActions(hook: HookContext, goesOn: boolean): Action[] {
  const { paths, event, env } = hook;
  const { root } = paths;
  if (root === null) return [];
  const { conversation } = event;
  const active = readActiveTrack({ root, env, paths, conversation });
  const facts = active.track === null ? null : trackFacts(recoveryIn(root, active.track), active.from);
  const fault = active.track === null && active.fault !== null ? trackFault(redact(active.fault)) : null;
  if (facts === null && fault === null) return [];
  const words = (budget: number): string => (facts === null ? (fault ?? '') : trackContext(facts, budget));
  const all = words(BUDGETS.track);
  const hash = sha256(all);
  if (goesOn && readInjectedHash(paths, conversation) === hash) return [];
  return [
    {
      name: 'track-context',
      render: ({ tokens }) => {
        const room = BUDGETS.start - tokens();
        return { context: room < BUDGETS.track ? words(room) : all };
      },
      afterReply: [ofTracks({ keep: 'told', conversation, hash })],
    },
  ];
}
