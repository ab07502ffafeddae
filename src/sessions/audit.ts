// Derives the audit events of a hook run from what the hook kept, using the same transitions.

import { ownBoundaries } from '../compaction/delivery.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { isAbove } from '../context/tier.ts';
import type { AppliedEffect, AuditInput } from '../hook/action.ts';
import { type LogEvent, redactOneLine } from './log-event.ts';
import type { Alert, LastAnnounced, SessionPatch } from './session-state.ts';

/** The compactions that an alert brings to light: all since the last one that was told of. Usually there is one. */
function compactions({ state, scan, epoch }: SessionSnapshot, newest: number): LogEvent[] {
  const first = state === null ? newest : Math.min(newest, state.epoch + 1);
  const boundaries = ownBoundaries(state, scan?.facts ?? null);
  return Array.from({ length: newest - first + 1 }, (_, index): LogEvent => {
    const number = first + index;
    // Its boundary, where the file shows it already; the newest one is usually announced only.
    const boundary = number > epoch.boundaries ? null : boundaries.at(number - epoch.boundaries - 1);
    const isNewest = number === newest;
    const fill = isNewest && !boundary ? (scan?.facts.usage?.tokens ?? state?.last_seen?.tokens) : null;
    return {
      type: 'CompactionDetected',
      id: `compaction:e${number}`,
      epoch: number,
      trigger: boundary?.trigger ?? (isNewest ? state?.pending_compaction?.trigger : null) ?? null,
      tokens: boundary?.preTokens ?? fill ?? null,
    };
  });
}

function ofAlert(alert: Alert, snapshot: SessionSnapshot): LogEvent[] {
  const { epoch, checkpoint, channel, tries, status } = alert;
  const id = `alert:e${epoch}`;
  if (status !== 'leased')
    return [{ type: 'AlertDelivered', id: `${id}:settled`, epoch, checkpoint, status, tries }];
  const said = { epoch, checkpoint, channel };
  return tries > 1
    ? [{ type: 'AlertRepeated', id: `${id}:${tries}`, ...said, tries }]
    : [...compactions(snapshot, epoch), { type: 'AlertLeased', id: `${id}:1`, ...said }];
}

/** A tier that was reached for the first time in this segment and window. */
function ofRise(
  { epoch, highest_tier: top, window }: Pick<LastAnnounced, 'epoch' | 'highest_tier' | 'window'>,
  snapshot: SessionSnapshot,
): LogEvent[] {
  if (!isAbove(top, snapshot.said?.highest_tier ?? 'NOMINAL')) return [];
  const { reading, fractionOfWindow: fill } = snapshot.assessment;
  return [
    {
      type: 'ContextThresholdReached',
      id: `tier:e${epoch}:w${window}:${top}`,
      tier: top,
      tokens: reading.tokens,
      window,
      fill: fill === null ? null : Number(fill.toFixed(4)),
      epoch,
    },
  ];
}

function ofPatch(patch: SessionPatch, snapshot: SessionSnapshot): LogEvent[] {
  const { last_announced: said, alert, received_handoff: resumption } = patch;
  return [
    ...(said ? ofRise(said, snapshot) : []),
    ...(alert ? ofAlert(alert, snapshot) : []),
    ...(resumption && resumption.status !== 'leased'
      ? [
          {
            type: 'ResumptionDelivered',
            id: `resumption:${resumption.from}`,
            from: resumption.from,
            status: resumption.status,
            tries: resumption.tries,
          } as const,
        ]
      : []),
  ];
}

/** What one thing that was kept means; what it did to another session is that one's. */
function ofDone(
  conversation: string,
  { effect, checkpoint }: AppliedEffect,
  snapshot: SessionSnapshot,
): LogEvent[] {
  if (effect.do === 'patch-conversation')
    return effect.conversation === conversation ? ofPatch(effect.patch, snapshot) : [];
  if (effect.do === 'note-rise') {
    const { epoch, assessment } = snapshot;
    return ofRise(
      { epoch: epoch.number, highest_tier: effect.tier, window: assessment.window.tokens },
      snapshot,
    );
  }
  if (effect.do === 'note-violations')
    return effect.violations.map((each) => ({ type: 'GuardrailViolated', ...each }));
  if (effect.do !== 'write-checkpoint' || !checkpoint) return [];
  const { trigger, conversation: of } = effect.draft;
  const id = `checkpoint:${checkpoint.id}`;
  const written = { checkpoint: checkpoint.id, trigger: trigger.type, epoch: of.epoch };
  return [{ type: 'CheckpointCreated', id, ...written }];
}

/** The events of a hook, in order. */
export function buildEvents({ conversation, done, snapshot, agent }: AuditInput): LogEvent[] {
  const kept = snapshot === null ? [] : done.flatMap((each) => ofDone(conversation, each, snapshot));
  if (agent === undefined) return kept;
  const [id, agent_type] = [redactOneLine(agent.id), redactOneLine(agent.type)];
  return [...kept, { type: 'AgentCompleted', id: `agent:${id}`, agent: id, agent_type }];
}

/** The end of the session, where that is what was kept. */
export function findSessionEnd({ conversation, done }: AuditInput): { reason: string } | null {
  const ends = done.map(({ effect }) =>
    effect.do === 'patch-conversation' && effect.conversation === conversation ? effect.patch.ended : null,
  );
  return ends.find((each) => each != null) ?? null;
}
