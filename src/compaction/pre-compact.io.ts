// The actions before a compaction: writes a checkpoint, gives facts to the summariser, and lets add-ons keep theirs.

import { buildAddonActions } from '../addons/addon.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action, HookResult } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import type { Event } from '../hosts/host.ts';
import { tryStep } from '../platform/project/try-step.ts';
import type { PendingCompaction } from '../sessions/session-state.ts';
import { buildSeenPatch } from '../sessions/update-state.io.ts';
import type { CheckpointDraft } from './checkpoint/checkpoint.ts';
import { readCheckpoint } from './checkpoint/checkpoint-store.io.ts';
import { buildLedgerAction, takeCheckpoint } from './checkpoint/keep-checkpoint.io.ts';
import { composeSummary, composeSummaryHint } from './messages.ts';

type CompactionEvent = Extract<Event, { kind: 'pre-compact' }>;

/** Whether this event repeats the last one: same trigger, and nothing was written since. */
function isRepeat(
  pending: PendingCompaction | null,
  event: CompactionEvent,
  end: number,
): pending is PendingCompaction & { checkpoint: string } {
  return pending?.checkpoint != null && pending.offset === end && pending.trigger === event.trigger;
}

function checkpointPart(
  hook: HookContext,
  event: CompactionEvent,
  snapshot: SessionSnapshot,
  draft: CheckpointDraft,
): Action {
  const end = snapshot.scan?.end ?? 0;
  return {
    name: 'checkpoint',
    claim: {
      name: `e${snapshot.epoch.number}-o${end}-${event.trigger}-pre`,
      isLeased: (newest) =>
        newest.pending_compaction?.offset === end && newest.pending_compaction.trigger === event.trigger,
    },
    effects: [
      { do: 'write-checkpoint', draft },
      ({ checkpoint }) => ({
        do: 'patch-session',
        session: event.session,
        patch: {
          ...buildSeenPatch(hook, snapshot),
          pending_compaction: {
            checkpoint: checkpoint?.id ?? null,
            offset: end,
            trigger: event.trigger,
            at: new Date(hook.now).toISOString(),
          },
          ...(checkpoint === null ? {} : { last_checkpoint: { ...checkpoint, offset: end } }),
        },
      }),
    ],
  };
}

/** One checkpoint per compaction, but the summariser's facts every time: an aborted compaction may be tried again. */
export async function handlePreCompact(
  hook: HookContext,
  event: CompactionEvent,
  snapshot: SessionSnapshot,
  name: string,
): Promise<HookResult> {
  const pending = snapshot.state?.pending_compaction ?? null;
  const repeated = isRepeat(pending, event, snapshot.scan?.end ?? 0) ? pending.checkpoint : null;
  const earlier =
    repeated === null ? null : tryStep(hook, 'checkpoint', () => readCheckpoint(hook.paths, repeated));
  const draft =
    earlier ??
    (await takeCheckpoint(hook, snapshot, {
      trigger: { type: event.trigger, source: `${name} hook`, custom_instructions: event.instructions },
      assessment: snapshot.assessment,
      epoch: snapshot.epoch.number,
    }));
  const facts: Action = {
    name: 'summariser facts',
    render: ({ checkpoint }) => {
      if (!hook.resolved.settings['checkpoint.summariser_hints']) return null;
      // What is printed at `/compact` is shown to the person, unless our module hears it.
      if (event.trigger === 'manual' && hook.module === undefined)
        return { context: composeSummaryHint(draft) };
      const id = checkpoint?.id ?? (earlier === null ? null : repeated);
      const text = composeSummary(draft, id, hook.paths.root);
      return text === null ? null : { context: text };
    },
  };
  return [
    ...(earlier === null ? [checkpointPart(hook, event, snapshot, draft)] : []),
    facts,
    ...(await buildLedgerAction(hook)),
    ...(await buildAddonActions('before-compaction', hook, snapshot)),
  ];
}
