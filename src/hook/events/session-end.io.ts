// The actions at a session's end: a checkpoint of unsaved work, the note that it ended, and retention.

import { buildAddonActions } from '../../addons/addon.ts';
import {
  buildLedgerAction,
  ledgerIn,
  takeCheckpoint,
} from '../../compaction/checkpoint/keep-checkpoint.io.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import type { Event } from '../../hosts/host.ts';
import { tryStep } from '../../platform/project/try-step.ts';
import { buildRetentionAction } from '../../sessions/retention/schedule-gc.io.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';

/** How many times the intended number of files may exist: at a session's end retention runs as soon as it is exceeded. */
const AT_END = 1;

type EndEvent = Extract<Event, { kind: 'session-end' }>;

/** Writes a checkpoint when tools were used, or a turn was left open, since the last one. */
async function checkpointPart(hook: HookContext, snapshot: SessionSnapshot, name: string): Promise<Action[]> {
  const { event, resolved } = hook;
  const { state, scan, epoch } = snapshot;
  if (!resolved.settings['checkpoint.on_session_end'] || scan === null) return [];
  const since = state?.last_checkpoint?.offset ?? 0;
  const ledger = await ledgerIn(hook, snapshot);
  if (ledger === null || !(ledger.isTurnOpen || (ledger.position?.lastCall ?? -1) >= since)) return [];
  const draft = await takeCheckpoint(hook, snapshot, {
    trigger: { type: 'session-end', source: `${name} hook`, custom_instructions: null },
    assessment: snapshot.assessment,
    epoch: epoch.number,
  });
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `e${epoch.number}-o${scan.end}-end`,
        isLeased: (newest) => (newest.last_checkpoint?.offset ?? -1) >= scan.end,
      },
      effects: [
        { do: 'write-checkpoint', draft },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-conversation',
            conversation: event.conversation,
            patch: { last_checkpoint: { ...checkpoint, offset: scan.end } },
          },
      ],
    },
  ];
}

export async function handleSessionEnd(
  hook: HookContext,
  event: EndEvent,
  snapshot: SessionSnapshot,
  name: string,
): Promise<HookResult> {
  const { state } = snapshot;
  // A session that was only started leaves neither work nor a state file.
  if (state === null && snapshot.scan === null) return [];
  const ended = { at: new Date(hook.now).toISOString(), reason: event.reason };
  return [
    ...(state === null || state.active ? await checkpointPart(hook, snapshot, name) : []),
    ...(state === null || state.active ? await buildLedgerAction(hook) : []),
    {
      name: 'state',
      effects: [{ do: 'patch-conversation', conversation: event.conversation, patch: { ended } }],
    },
    ...(await buildAddonActions('session-end', hook, snapshot)),
    ...(tryStep(hook, 'retention', () => buildRetentionAction(hook, AT_END)) ?? []),
  ];
}
