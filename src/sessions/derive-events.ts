// Derives the events of a session from what a hook has kept: the same for a hook that runs and for a replay.

import type { TriggerType } from '../compaction/checkpoint/checkpoint.ts';
import { ownBoundaries } from '../compaction/delivery.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { isAbove } from '../context/tier.ts';
import type { AppliedEffect, AuditInput } from '../hook/action.ts';
import { type LogEvent, redactOneLine } from './log-event.ts';
import type { Alert, LastAnnounced, SessionPatch, SessionState } from './session-state.ts';

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

export function buildAlertEvents(alert: Alert, snapshot: SessionSnapshot): LogEvent[] {
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
export function buildRiseEvents(
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

const isBeforeCompaction = (trigger: TriggerType): boolean => trigger === 'auto' || trigger === 'manual';

/** A tier that only the answer before a compaction has reached: it was not said, because the message would have come too late. */
export function buildUnsaidRiseEvents(snapshot: SessionSnapshot): LogEvent[] {
  const { tier, reading, window } = snapshot.assessment;
  if (tier === null || reading.estimated) return [];
  return buildRiseEvents(
    { epoch: snapshot.epoch.number, highest_tier: tier, window: window.tokens },
    snapshot,
  );
}

function ofPatch(patch: SessionPatch, snapshot: SessionSnapshot): LogEvent[] {
  const { last_announced: said, alert, received_handoff: resumption } = patch;
  return [
    ...(said ? buildRiseEvents(said, snapshot) : []),
    ...(alert ? buildAlertEvents(alert, snapshot) : []),
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

export const buildCheckpointEvent = (checkpoint: string, trigger: TriggerType, epoch: number): LogEvent => ({
  type: 'CheckpointCreated',
  id: `checkpoint:${checkpoint}`,
  checkpoint,
  trigger,
  epoch,
});

/** What one thing that was kept means; what it did to another session is that one's. */
function ofDone(
  session: string,
  { effect, checkpoint }: AppliedEffect,
  snapshot: SessionSnapshot,
): LogEvent[] {
  if (effect.do === 'patch-session') return effect.session === session ? ofPatch(effect.patch, snapshot) : [];
  if (effect.do === 'note-violations')
    return effect.violations.map((each) => ({ type: 'GuardrailViolated', ...each }));
  if (effect.do !== 'write-checkpoint' || !checkpoint) return [];
  const { trigger, conversation: of } = effect.draft;
  const kept = buildCheckpointEvent(checkpoint.id, trigger.type, of.epoch);
  return isBeforeCompaction(trigger.type) ? [...buildUnsaidRiseEvents(snapshot), kept] : [kept];
}

/** The events of a hook, in order. */
export function buildEvents({ session, done, snapshot, agent }: AuditInput): LogEvent[] {
  const kept = snapshot === null ? [] : done.flatMap((each) => ofDone(session, each, snapshot));
  return agent === undefined ? kept : [...kept, buildAgentEvent(agent)];
}

/** A subagent has ended. */
export function buildAgentEvent(agent: { id: string; type: string }): LogEvent {
  const [id, agent_type] = [redactOneLine(agent.id), redactOneLine(agent.type)];
  return { type: 'AgentCompleted', id: `agent:${id}`, agent: id, agent_type };
}

/** The end of the session, where that is what was kept. */
export function findSessionEnd({ session, done }: AuditInput): { reason: string } | null {
  const ends = done.map(({ effect }) =>
    effect.do === 'patch-session' && effect.session === session ? effect.patch.ended : null,
  );
  return ends.find((each) => each != null) ?? null;
}

export const buildStartEvent = ({
  entrypoint,
  forked_at,
}: Pick<SessionState, 'entrypoint' | 'forked_at'>): LogEvent => ({
  type: 'SessionStarted',
  entrypoint: entrypoint === null ? null : redactOneLine(entrypoint),
  forked: forked_at !== null,
});
