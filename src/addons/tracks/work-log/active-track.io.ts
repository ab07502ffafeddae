// Returns the active track if its work is recorded, and finds its failed calls that no hook was told of.

import type { SessionSnapshot } from '../../../context/context-status.ts';
import type { Action } from '../../../hook/action.ts';
import type { HookContext } from '../../../hook/snapshot.io.ts';
import { readStamp } from '../../../platform/look.ts';
import { tryStepAsync } from '../../../platform/project/try-step.ts';
import type { SessionState } from '../../../sessions/session-state.ts';
import type { SubagentTranscript } from '../../addon.ts';
import { readActiveTrack } from '../files/find-tracks.io.ts';
import type { Written } from './unreported-failures.io.ts';

/** The track whose work is recorded; null when none is active or recording is off. */
export function findTrackWorkedOn({
  paths,
  event,
  env,
  resolved,
}: Pick<HookContext, 'paths' | 'event' | 'env' | 'resolved'>): string | null {
  if (paths.root === null || !resolved.settings['tracks.capture']) return null;
  return readActiveTrack({ root: paths.root, env, paths, session: event.session }).track;
}

/** Records failed calls that no hook was told of; reads nothing when no track is active. */
async function buildMissedActions(
  hook: HookContext,
  state: SessionState | null,
  written: Written | null,
): Promise<Action[]> {
  if (written === null) return [];
  const parts = await tryStepAsync(hook, 'missed calls', async () => {
    const track = findTrackWorkedOn(hook);
    if (track === null) return [];
    const { findUnreportedFailures } = await import('./unreported-failures.io.ts');
    return findUnreportedFailures(hook, state, written, track);
  });
  return parts ?? [];
}

/** Like `buildMissedActions`, for what the main session has written since its last turn ended. */
export function findMissedInTurn(hook: HookContext, { state, scan }: SessionSnapshot): Promise<Action[]> {
  const { transcript } = hook.event;
  const from = state?.last_stop?.offset ?? 0;
  const isAny = transcript !== null && scan !== null;
  return buildMissedActions(hook, state, isAny ? { transcript, end: scan.end, from, agent: null } : null);
}

/** Like `buildMissedActions`, for what a subagent has written, as far as it is. */
export const findMissedOfSubagent = (
  hook: HookContext,
  state: SessionState,
  wrote: SubagentTranscript | null,
): Promise<Action[]> => {
  if (wrote === null) return Promise.resolve([]);
  const { path: transcript, agent } = wrote;
  const end = Math.max(0, readStamp(transcript).size);
  return buildMissedActions(hook, state, { transcript, end, from: 0, agent });
};
