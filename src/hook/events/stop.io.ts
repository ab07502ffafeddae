// The actions at the end of a turn: saves what the transcript does not show yet, and may block the end.

import { buildAddonActions, WORKFLOW } from '../../addons/addon.ts';
import { shortAnswer } from '../../compaction/work.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { isHeadless } from '../../handoff/decide-handoff.ts';
import type { Event } from '../../hosts/host.ts';
import { tryStepAsync } from '../../platform/project/try-step.ts';
import type { SessionPatch } from '../../sessions/session-state.ts';
import { buildClientPatch } from '../../sessions/update-state.io.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';

type Stop = Extract<Event, { kind: 'stop' }>;

/** Saves the first lines of the last answer, which the client writes some 100 ms later, or never when it is killed. */
function statePart(hook: HookContext, event: Stop, snapshot: SessionSnapshot): Action {
  const stopped = {
    at: new Date(hook.now).toISOString(),
    offset: snapshot.scan?.end ?? 0,
    answer: event.answer === null ? null : shortAnswer(event.answer),
  };
  const patch: SessionPatch = {
    ...buildClientPatch(hook, snapshot.state),
    active: true,
    ended: null,
    last_stop: stopped,
  };
  return { name: 'state', effects: [{ do: 'patch-conversation', conversation: event.conversation, patch }] };
}

/** Blocks the end only if the project wants it, CRITICAL was reached, and nothing blocked this turn or segment before. */
async function holdParts(hook: HookContext, event: Stop, snapshot: SessionSnapshot): Promise<Action[]> {
  const { said } = snapshot;
  const since = said?.critical_at;
  if (!hook.resolved.settings['orchestration.hold_stop'] || event.isHeld || said === null) return [];
  if (since === undefined || said.held || isHeadless(hook.env.HOST_ENTRYPOINT)) return [];
  return (await tryStepAsync(hook, 'stop gate', async () => WORKFLOW?.holdStop(hook, said, since))) ?? [];
}

export async function handleStop(
  hook: HookContext,
  event: Stop,
  snapshot: SessionSnapshot,
): Promise<HookResult> {
  return [
    statePart(hook, event, snapshot),
    ...(await holdParts(hook, event, snapshot)),
    ...((await tryStepAsync(hook, 'ledger', async () =>
      (await import('../../compaction/checkpoint/keep-checkpoint.io.ts')).buildLedgerAction(hook),
    )) ?? []),
    ...(await buildAddonActions('stop', hook, snapshot)),
  ];
}
