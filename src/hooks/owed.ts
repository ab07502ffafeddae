// Actions still due from earlier events: the alert, the handoff, and changes of the workflow.

import { deliveryOf, endedStretch } from '../model/delivery.ts';
import type { Part } from '../model/outcome.ts';
import { tryStepAsync } from '../model/try-step.ts';
import { type Call, isWorkflowSame, type Look } from './look.ts';

/** The alert if it is due, or the note that it arrived (or that its arrival cannot be proved); usually nothing. */
export async function owedParts(call: Call, look: Look, channel: string): Promise<Part[]> {
  const { event } = call;
  const { state, scan, epoch } = look;
  const delivery = deliveryOf(state, scan?.facts ?? null, epoch);
  if (delivery.step === 'say') {
    const part = await tryStepAsync(call, 'compaction-alert', async () => {
      const { alertPart } = await import('./alert.ts');
      return alertPart(call, look, {
        epoch: epoch.number,
        unflushed: epoch.unflushed,
        tries: delivery.tries,
        checkpoint: delivery.checkpoint,
        channel,
        end: endedStretch(epoch).to,
      });
    });
    return part === null ? [] : [part];
  }
  if (delivery.step !== 'settle' || state?.alert == null) return [];
  const { alert } = state;
  const isTold = delivery.status !== 'undelivered' && alert.checkpoint !== null;
  return [
    {
      name: 'delivery',
      keep: [
        {
          do: 'patch-conversation',
          conversation: event.conversation,
          patch: { alert: { ...alert, status: delivery.status } },
        },
        ...(isTold && alert.checkpoint !== null
          ? [
              {
                do: 'acknowledge',
                conversation: event.conversation,
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
export async function resumptionOwed(call: Call, look: Look, channel: string): Promise<Part[]> {
  if (look.state?.resumption?.status !== 'leased') return [];
  const parts = await tryStepAsync(call, 'resumption', async () => {
    const { resumptionAfter } = await import('./resume.ts');
    return resumptionAfter(call, look, channel);
  });
  return parts ?? [];
}

/** Notes, after the reply is written, that the handoff of the previous session is no longer due. */
export const handedOff = (conversation: string): Part => ({
  name: 'handoff',
  mark: [{ do: 'patch-conversation', conversation, patch: { handoff_due: null } }],
});

/** Gives the handoff that a start left out because its hook died or never ran. */
export async function handoffOwed(call: Call, look: Look, channel: string): Promise<Part[]> {
  const { state, scan } = look;
  if (state !== null && (state.handoff_due === null || state.resumption !== null)) return [];
  const parts = await tryStepAsync(call, 'resumption', async () => {
    const { resumptionLate } = await import('./resume.ts');
    return resumptionLate(call, look, channel);
  });
  // Nothing is saved yet for a session without a state and a transcript.
  const isKept = state !== null || scan !== null;
  return [...(parts ?? []), ...(isKept ? [handedOff(call.event.conversation)] : [])];
}

/** Notes or reports an ORCHESTRATION.yaml that is new or has changed, and subagents that finished. */
export async function workflowOwed(call: Call, look: Look): Promise<Part[]> {
  const { state } = look;
  if (state?.workflow_file && state.finished === null && isWorkflowSame(state)) return [];
  const parts = await tryStepAsync(call, 'orchestration file', async () => {
    const { workflowParts } = await import('./workflow.ts');
    return workflowParts(call, look);
  });
  return parts ?? [];
}
