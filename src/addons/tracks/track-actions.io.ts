// What tracks add to the hooks at each moment, and to an alert, a checkpoint and the project's message.
import type { SessionSnapshot } from '../../context/context-status.ts';
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { tryStep, tryStepAsync } from '../../platform/project/try-step.ts';
import { hashSha256 } from '../../platform/sha256.ts';
import type { Settings } from '../../settings/settings.ts';
import { BUDGETS, type RankedLine } from '../../text/budget.ts';
import { fitInline } from '../../text/lines.ts';
import { redact } from '../../text/redact.ts';
import type { Moment, TrackPlace } from '../addon.ts';
import { compactInHook, readCompactionError, readInjectedHash } from './files/compact-in-hook.io.ts';
import { readActiveTrack } from './files/find-tracks.io.ts';
import { readRecovery } from './files/track-inputs.io.ts';
import { composeTrackContext, gatherTrackFacts, trackFault } from './track-context.ts';
import { findMissedInTurn, findTrackWorkedOn } from './work-log/active-track.io.ts';
import { buildTrackEffect } from './work-log/track-effect.io.ts';

/** Writes what was said of the active track into its files, after everything else, so that it delays nothing. */
function compactParts({ paths, env, event, resolved, onFailure }: HookContext): Action[] {
  const { root } = paths;
  if (root === null) return [];
  const { session } = event;
  const active = readActiveTrack({ root, env, paths, session });
  if (active.track === null) {
    if (active.fault !== null) onFailure('track', active.fault);
    return [];
  }
  const coreWrites = resolved.settings['tracks.core_writes'] === 'apply';
  const effect = buildTrackEffect({ keep: 'compaction', root, session, track: active.track, coreWrites });
  return [{ name: 'track', afterReply: [effect] }];
}

/** Keeps git's diff at the end of a turn when a track is worked on. */
function diffParts(hook: HookContext): Action[] {
  const { root } = hook.paths;
  if (root === null || findTrackWorkedOn(hook) === null) return [];
  const { session } = hook.event;
  return [{ name: 'diff', effects: [buildTrackEffect({ keep: 'diff', root, session, env: hook.env })] }];
}

export async function buildActionsAt(
  moment: Moment,
  hook: HookContext,
  snapshot: SessionSnapshot,
): Promise<Action[]> {
  switch (moment) {
    case 'start':
    case 'goes-on':
      return tryStep(hook, 'track', () => buildTrackActions(hook, moment === 'goes-on')) ?? [];
    case 'before-compaction':
      return [
        ...(await findMissedInTurn(hook, snapshot)),
        ...(tryStep(hook, 'track', () => compactParts(hook)) ?? []),
      ];
    case 'checkpoint':
      return tryStep(hook, 'track', () => compactParts(hook)) ?? [];
    case 'stop':
      return [
        ...(await findMissedInTurn(hook, snapshot)),
        ...(tryStep(hook, 'track', () => diffParts(hook)) ?? []),
      ];
    case 'session-end':
      return findMissedInTurn(hook, snapshot);
    default:
      return [];
  }
}

/** In an alert: why the active track was not updated at the compaction; a refusal for another track does not matter here. */
export function buildAlertLines({ paths, env, event }: HookContext): RankedLine[] {
  const { root } = paths;
  const { session } = event;
  const refusal = root === null ? null : readCompactionError(paths, session);
  if (refusal === null || root === null) return [];
  const { track } = readActiveTrack({ root, env, paths, session });
  if (track !== refusal.track) return [];
  return [
    {
      text: `TRACK NOT COMPACTED: ${fitInline(refusal.track, 24)}: ${fitInline(refusal.reason, 80)}. When that is fixed: plimsoll track sync`,
      rank: 1,
      called: 'why the track was not compacted',
    },
  ];
}

/** Compacts the track that a session works on; returns its id, or null where there is none or it failed. */
export async function compactNow(
  place: TrackPlace & { session: string },
  settings: Settings,
  onFailure: (part: string, error: unknown) => void,
): Promise<string | null> {
  return tryStepAsync({ onFailure }, 'track', async () => {
    const { track, ...none } = readActiveTrack(place);
    if (track === null) {
      if ('fault' in none && none.fault !== null) onFailure('track', none.fault);
      return null;
    }
    const coreWrites = settings['tracks.core_writes'] === 'apply';
    const { root, paths, session } = place;
    compactInHook(paths, { root, session, track, coreWrites });
    return track;
  });
}

/** @param goesOn the session continues, with the last message in its transcript: an unchanged one is not repeated */
function buildTrackActions(hook: HookContext, goesOn: boolean): Action[] {
  const { paths, event, env } = hook;
  const { root } = paths;
  if (root === null) return [];
  const { session } = event;
  const active = readActiveTrack({ root, env, paths, session });
  const facts =
    active.track === null ? null : gatherTrackFacts(readRecovery(root, active.track), active.from);
  const fault = active.track === null && active.fault !== null ? trackFault(redact(active.fault)) : null;
  if (facts === null && fault === null) return [];
  const words = (budget: number): string =>
    facts === null ? (fault ?? '') : composeTrackContext(facts, budget);
  const all = words(BUDGETS.track);
  const hash = hashSha256(all);
  if (goesOn && readInjectedHash(paths, session) === hash) return [];
  return [
    {
      name: 'track-context',
      render: ({ tokens }) => {
        const room = BUDGETS.start - tokens();
        return { context: room < BUDGETS.track ? words(room) : all };
      },
      afterReply: [buildTrackEffect({ keep: 'told', session, hash })],
    },
  ];
}
