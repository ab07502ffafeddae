// Actions still due from earlier events: the alert, the handoff, and changes of the workflow.

import { WORKFLOW } from '../../addons/addon.ts';
import { type Delivery, findDelivery, findEndedSegment } from '../../compaction/delivery.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { holdsAll } from '../../hosts/transcript.io.ts';
import { tryStep, tryStepAsync } from '../../platform/project/try-step.ts';
import { readStates } from '../../sessions/session-states.io.ts';
import type { Action } from '../action.ts';
import { type HookContext, isWorkflowSame } from '../snapshot.io.ts';

/**
 * The checkpoint of the session that was compacted, where the compaction goes on in a session of another id: the one whose
 * transcript ends with the entry that the boundary follows.
 */
function findCheckpointBefore(hook: HookContext, { state, scan }: SessionSnapshot): string | null {
  const follows = scan?.facts.boundary?.follows ?? null;
  if (state !== null || follows === null) return null;
  const [before] = readStates(hook.paths, {
    most: 1,
    wanted: ({ session_id, transcript, pending_compaction }) =>
      session_id !== hook.event.session &&
      pending_compaction?.checkpoint != null &&
      transcript !== null &&
      holdsAll(transcript, [`"${follows}"`]),
  });
  return before?.state.pending_compaction?.checkpoint ?? null;
}

/** The alert if it is due, or the note about its arrival; usually nothing. */
export async function buildPendingActions(
  hook: HookContext,
  snapshot: SessionSnapshot,
  channel: string,
): Promise<Action[]> {
  const { event } = hook;
  const { state, scan, epoch } = snapshot;
  const isGone = event.kind === 'session-start' && event.source === 'resume';
  const delivery = findDelivery(state, scan?.facts ?? null, epoch, isGone);
  if (delivery.step === 'say') {
    const part = await tryStepAsync(hook, 'compaction-alert', async () => {
      const { buildAlertAction } = await import('../../compaction/alert.io.ts');
      return buildAlertAction(hook, snapshot, {
        epoch: epoch.number,
        unflushed: epoch.unflushed,
        tries: delivery.tries,
        checkpoint:
          delivery.checkpoint ?? tryStep(hook, 'checkpoint', () => findCheckpointBefore(hook, snapshot)),
        channel,
        end: findEndedSegment(epoch).to,
      });
    });
    return part === null ? [] : [part];
  }
  return settleAlert(hook, snapshot, delivery);
}

/** The note that an alert has arrived, or that this cannot be proved. */
export function settleAlert(
  { event }: HookContext,
  { state }: SessionSnapshot,
  delivery: Delivery,
): Action[] {
  if (delivery.step !== 'settle' || state?.alert == null) return [];
  const { alert } = state;
  const isTold = delivery.status !== 'undelivered' && alert.checkpoint !== null;
  return [
    {
      name: 'delivery',
      effects: [
        {
          do: 'patch-session',
          session: event.session,
          patch: { alert: { ...alert, status: delivery.status } },
        },
        ...(isTold && alert.checkpoint !== null
          ? [
              {
                do: 'acknowledge',
                session: event.session,
                checkpoint: alert.checkpoint,
                evidence: `${delivery.status}: ${delivery.evidence}`,
              } as const,
            ]
          : []),
      ],
    },
  ];
}

/** Follows up the handoff that this session was given at its start, until it is known whether it arrived. */
export async function followUpHandoff(
  hook: HookContext,
  snapshot: SessionSnapshot,
  channel: string,
): Promise<Action[]> {
  if (snapshot.state?.received_handoff?.status !== 'leased') return [];
  const parts = await tryStepAsync(hook, 'resumption', async () => {
    const { followHandoff } = await import('../../handoff/give-handoff.io.ts');
    return followHandoff(hook, snapshot, channel);
  });
  return parts ?? [];
}

/** Notes, after the reply is written, that the handoff of the previous session is no longer due. */
export const buildHandedOffAction = (session: string): Action => ({
  name: 'handoff',
  afterReply: [{ do: 'patch-session', session, patch: { handoff_due: null } }],
});

/** Gives the handoff that a start left out because its hook died or never ran. */
export async function giveMissedHandoff(
  hook: HookContext,
  snapshot: SessionSnapshot,
  channel: string,
): Promise<Action[]> {
  const { state, scan } = snapshot;
  if (state !== null && (state.handoff_due === null || state.received_handoff !== null)) return [];
  const parts = await tryStepAsync(hook, 'resumption', async () => {
    const { giveHandoffLate } = await import('../../handoff/give-handoff.io.ts');
    return giveHandoffLate(hook, snapshot, channel);
  });
  // Nothing is saved yet for a session without a state and a transcript.
  const isKept = state !== null || scan !== null;
  return [...(parts ?? []), ...(isKept ? [buildHandedOffAction(hook.event.session)] : [])];
}

/** Notes or reports an ORCHESTRATION.yaml that is new or has changed, and subagents that finished. */
export async function buildWorkflowActions(hook: HookContext, snapshot: SessionSnapshot): Promise<Action[]> {
  const { state } = snapshot;
  if (state?.workflow_file && state.finished_subagents === null && isWorkflowSame(state)) return [];
  return (await tryStepAsync(hook, 'orchestration file', async () => WORKFLOW?.watch(hook, snapshot))) ?? [];
}
