// Writes what a hook has done into the log of its session: the events of what it kept, and the start, end or drop that it comes to.

import { ownBoundaries } from '../compaction/delivery.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { isAbove } from '../context/tier.ts';
import type { AppliedEffect, AuditInput } from '../hook/action.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import type { JsonObject } from '../text/json.ts';
import { appendEvents } from './event-log.io.ts';
import { type LogEvent, redactOneLine } from './log-event.ts';
import type { Alert, LastAnnounced, SessionPatch, SessionState } from './session-state.ts';
import { patchSessionState, readSessionState } from './session-states.io.ts';

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
  session: string,
  { effect, checkpoint }: AppliedEffect,
  snapshot: SessionSnapshot,
): LogEvent[] {
  if (effect.do === 'patch-session') return effect.session === session ? ofPatch(effect.patch, snapshot) : [];
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
export function buildEvents({ session, done, snapshot, agent }: AuditInput): LogEvent[] {
  const kept = snapshot === null ? [] : done.flatMap((each) => ofDone(session, each, snapshot));
  if (agent === undefined) return kept;
  const [id, agent_type] = [redactOneLine(agent.id), redactOneLine(agent.type)];
  return [...kept, { type: 'AgentCompleted', id: `agent:${id}`, agent: id, agent_type }];
}

/** The end of the session, where that is what was kept. */
export function findSessionEnd({ session, done }: AuditInput): { reason: string } | null {
  const ends = done.map(({ effect }) =>
    effect.do === 'patch-session' && effect.session === session ? effect.patch.ended : null,
  );
  return ends.find((each) => each != null) ?? null;
}

/** Why the setting `session.abandon_on` drops the session at one of these events, or null. */
function dropBy(events: readonly LogEvent[], on: AuditInput['abandonOn']) {
  const why = events.find(
    (event) =>
      (on === 'compaction' && event.type === 'CompactionDetected') ||
      (on === 'emergency' && event.type === 'ContextThresholdReached' && event.tier === 'EMERGENCY'),
  );
  if (why === undefined || on === 'none') return null;
  const reason = on === 'compaction' ? 'the context was compacted' : 'the context usage reached EMERGENCY';
  return { id: `dropped:${why.id}`, reason, cause: on };
}

const startOf = ({ entrypoint, forked_at }: SessionState): LogEvent => ({
  type: 'SessionStarted',
  entrypoint: entrypoint === null ? null : redactOneLine(entrypoint),
  forked: forked_at !== null,
});

/** Where a log stands: the last start, end or drop in it; null before its first event. */
function standingIn(last: readonly JsonObject[], isWhole: boolean): string | null {
  const found = last.findLast(({ type }) => /^Session/.test(String(type)))?.type;
  return found === undefined ? (isWhole ? null : 'SessionStarted') : String(found);
}

/**
 * Appends the events of one hook, all in one write. Work begins a session, or resumes one that has ended; a prompt also one
 * that was dropped. A session without saved state has no log, because it cannot be told whether it is a fork.
 */
export function recordEvents(paths: ProjectPaths, input: AuditInput, now: number): void {
  const { session: id, moment, abandonOn } = input;
  const own = readSessionState(paths, id);
  if (own === null) return;
  const events = buildEvents(input);
  // A start that nothing followed is no session.
  if (!own.active && events.length === 0) return;
  const end = findSessionEnd(input);
  const drop = dropBy(events, abandonOn);
  const written = appendEvents(
    paths,
    id,
    (last, isWhole) => {
      const standing = standingIn(last, isWhole);
      const isResumed =
        moment !== 'other' &&
        (standing === 'SessionEnded' || (standing === 'SessionAbandoned' && moment === 'prompt'));
      return [
        ...(standing === null ? [startOf(own)] : []),
        ...(isResumed ? [{ type: 'SessionResumed' } as const] : []),
        ...events,
        ...(drop === null ? [] : [{ type: 'SessionAbandoned', ...drop } as const]),
        ...(end === null || standing === 'SessionEnded'
          ? []
          : [{ type: 'SessionEnded', reason: redactOneLine(end.reason) } as const]),
      ];
    },
    { now },
  );
  if (drop === null || !written.some(({ type }) => type === 'SessionAbandoned')) return;
  const { reason, cause } = drop;
  patchSessionState(paths, id, { dropped: { at: new Date(now).toISOString(), reason, cause } });
}

/** Notes that a tool call was asked about or denied; a session without saved state has no log. */
export function recordViolation(
  paths: ProjectPaths,
  session: string,
  violation: { rule: string; tool: string; verdict: string },
  now: number,
): void {
  if (readSessionState(paths, session) === null) return;
  const event: LogEvent = { type: 'GuardrailViolated', ...violation, tool: redactOneLine(violation.tool) };
  appendEvents(paths, session, [event], { now });
}
