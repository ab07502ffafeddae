// One channel of a replay: what it has said so far, what it decides at the next moment, and the events that come of it.

import {
  type Announcement,
  type AnnouncementEvent,
  type AnnouncementSettings,
  decideAnnouncement,
  isCheckpointDue,
  noteAnnouncement,
  noteRisenUsage,
} from '../context/announcement.ts';
import type { Assessment, AssessmentSettings } from '../context/assessment.ts';
import { formatContextMonitor, formatMinimalMonitor } from '../context/context-monitor.ts';
import {
  type ContextStatus,
  compareWithAnnounced,
  findSameUsage,
  type SessionSnapshot,
} from '../context/context-status.ts';
import { findTierStart, type Sensitivity, TIERS, type Tier } from '../context/tier.ts';
import type { TranscriptFacts } from '../context/usage.ts';
import type { BoundaryFact, TranscriptEntry } from '../hosts/entry.ts';
import {
  buildAlertEvents,
  buildCheckpointEvent,
  buildRiseEvents,
  buildStartEvent,
  buildUnsaidRiseEvents,
} from '../sessions/derive-events.ts';
import type { LogEvent } from '../sessions/log-event.ts';
import { type Alert, createSessionState, type SessionState } from '../sessions/session-state.ts';
import { isWarning, type ReplayedMoment } from './replayed.ts';

/** The settings that decide what a channel says and keeps. */
export interface ChannelSettings extends AnnouncementSettings {
  'checkpoint.on_tier_rise': boolean;
  'context_monitor.typical_step_tokens': number;
  'context_monitor.sensitivity': Sensitivity | null;
}

/** The newest checkpoint of a session, as a message names it. */
interface KeptCheckpoint {
  id: string;
  at: number;
}

export interface ChannelDecision {
  announcement: Announcement;
  snapshot: SessionSnapshot;
  checkpoint: KeptCheckpoint | null;
}

/** What was read of a session up to a moment; `end` in bytes, `now` in milliseconds since the epoch. */
interface SeenUsage {
  status: ContextStatus;
  facts: TranscriptFacts;
  end: number;
  now: number;
}

const MOMENTS = {
  prompt: { kind: 'prompt', agent: null, isNotice: false },
  notice: { kind: 'prompt', agent: null, isNotice: true },
  tools: { kind: 'after-tool', agent: null },
} as const satisfies Record<ReplayedMoment['kind'], AnnouncementEvent>;

/**
 * How the hooks are called at an entry before a request: as at a prompt, as at a notice of the host, or not at all. What
 * waits for the agent is handed over later, by another entry: it has no id yet.
 */
export function findPromptKind(entry: TranscriptEntry): 'prompt' | 'notice' | null {
  if (entry.kind === 'notice') return entry.isPrompt ? 'notice' : null;
  if (entry.kind !== 'request') return null;
  const isHandedOver = entry.id !== null && (entry.by === 'queued' || entry.by === 'peer');
  return entry.by === 'person' || entry.by === 'command' || isHandedOver ? 'prompt' : null;
}

/** @param report hears of the events of each moment, in the order in which hooks store them */
export function createChannel(settings: ChannelSettings, report: (events: readonly LogEvent[]) => void) {
  const state: SessionState = createSessionState('replay');
  let checkpoint: KeptCheckpoint | null = null;
  let checkpoints = 0;
  let isBegun = false;

  function snapshotOf(status: ContextStatus, facts: TranscriptFacts, end: number): SessionSnapshot {
    return { ...status, state, scan: { facts, end, from: 0 }, ...compareWithAnnounced(state, status) };
  }

  function keepCheckpoint(trigger: 'auto' | 'manual' | 'tier-rise', epoch: number, now: number): LogEvent {
    checkpoints++;
    checkpoint = { id: `cx-${String(checkpoints).padStart(3, '0')}`, at: now };
    return buildCheckpointEvent(checkpoint.id, trigger, epoch);
  }

  /** The alert that was given after a compaction has arrived by the next event. */
  function settleAlert(snapshot: SessionSnapshot): LogEvent[] {
    if (state.alert?.status !== 'leased') return [];
    state.alert = { ...state.alert, status: 'delivered' };
    return buildAlertEvents(state.alert, snapshot);
  }

  function keepAnnouncement(snapshot: SessionSnapshot, announcement: Announcement, now: number): LogEvent[] {
    if (!announcement.isKept) return [];
    const note = noteAnnouncement(snapshot, announcement, now);
    state.last_announced = note.last_announced ?? null;
    state.warned_for_200k = note.warned_for_200k ?? state.warned_for_200k;
    return state.last_announced === null ? [] : buildRiseEvents(state.last_announced, snapshot);
  }

  /** What lasts of a look at the usage, as hooks keep it between two events. */
  function keepUsage(snapshot: SessionSnapshot): void {
    if (snapshot.hasFallen) {
      state.last_announced = null;
      state.tier_checkpoint = null;
    } else Object.assign(state, noteRisenUsage(snapshot));
  }

  return {
    decide(kind: ReplayedMoment['kind'], seen: SeenUsage & { entrypoint: string | null }): ChannelDecision {
      const { status, facts, end, now, entrypoint } = seen;
      const snapshot = snapshotOf(status, facts, end);
      const announcement = decideAnnouncement(snapshot, MOMENTS[kind], settings);
      const { tier } = announcement;
      const events = settleAlert(snapshot);
      if (!isBegun) events.unshift(buildStartEvent({ entrypoint, forked_at: null }));
      isBegun = true;
      const isDue = tier !== null && isCheckpointDue(snapshot, tier, settings);
      keepUsage(snapshot);
      if (isDue) {
        events.push(keepCheckpoint('tier-rise', status.epoch.number, now));
        state.tier_checkpoint = {
          epoch: status.epoch.number,
          tier,
          window: status.assessment.window.tokens,
        };
      }
      events.push(...keepAnnouncement(snapshot, announcement, now));
      if (events.length > 0) report(events);
      return { announcement, snapshot, checkpoint };
    },

    /** A compaction: the checkpoint before it, and the alert in the next request. */
    compact(boundary: BoundaryFact, seen: SeenUsage & { hook: string }): void {
      const { status, facts, end, now, hook } = seen;
      const before = status.epoch.number;
      const snapshot = snapshotOf(status, facts, end);
      const events = [
        ...buildUnsaidRiseEvents(snapshot),
        keepCheckpoint(boundary.trigger ?? 'auto', before, now),
      ];
      const alert: Alert = {
        ...{ epoch: before + 1, checkpoint: checkpoint?.id ?? null, status: 'leased', tries: 1 },
        ...{ offset: end, at: new Date(now).toISOString(), channel: hook },
      };
      // The hook runs before the boundary is in the file: what it knows of it is what came before.
      state.pending_compaction = {
        ...{ checkpoint: checkpoint?.id ?? null, offset: end },
        ...{ trigger: boundary.trigger ?? 'auto', at: alert.at },
      };
      events.push(...buildAlertEvents(alert, snapshot));
      Object.assign(state, { epoch: before + 1, pending_compaction: null, last_announced: null, alert });
      report(events);
    },
  };
}

export const changesState = ({ announcement, snapshot }: ChannelDecision): boolean =>
  announcement.isKept || snapshot.hasFallen || snapshot.hasRisen;

/** Also the warning that is given in case that the window is smaller than the model's name says. */
export const warns = ({ announcement: { said, tier, warnStandard } }: ChannelDecision): boolean =>
  said === 'full' && (warnStandard || isWarning(tier));

/** Tokens, from and below which a look after tools decides what the one before it did. */
export interface QuietRange {
  model: string | null;
  from: number;
  below: number;
}

/** Finds where a tier begins, in tokens, once for each limit. */
export function rememberTierStarts(settings: AssessmentSettings) {
  const starts = new Map<string, number | null>();
  return (tier: Tier, { effectiveLimit, window }: Assessment): number | null => {
    const key = `${tier} ${effectiveLimit} ${window.tokens}`;
    const known = starts.get(key);
    if (known !== undefined) return known;
    const start = findTierStart(tier, { ...settings, effectiveLimit, window: window.tokens });
    starts.set(key, start);
    return start;
  };
}

/**
 * Where the next looks after tools are known to be silent too: below the next tier, and without a fall or rise that counts.
 * Most calls of a session lie in such a range; looking at each of them costs a fifth of a replay.
 */
export function findQuietRange(
  { announcement, snapshot }: ChannelDecision,
  startOf: ReturnType<typeof rememberTierStarts>,
): QuietRange | null {
  const { reading, tier, effectiveLimit, tierIfStandardWindow } = snapshot.assessment;
  const { reason, isKept, isRise } = announcement;
  const isSilent = (reason === 'already-said' || reason === 'below-lowest-tier') && !isKept && !isRise;
  // A rise that is kept moves the place from which a fall is counted.
  const isSame = isSilent && !snapshot.hasRisen;
  if (!isSame || tier === null || reading.estimated || tierIfStandardWindow !== null) return null;
  const next = TIERS[TIERS.indexOf(tier) + 1];
  const above = next === undefined ? null : startOf(next, snapshot.assessment);
  const { from, below } = findSameUsage(snapshot);
  return { model: reading.model, from, below: Math.min(above ?? below, below, effectiveLimit) };
}

/** The words of an announcement, as a hook gives them; null where it says nothing. */
export function formatAnnouncement(
  { announcement, snapshot, checkpoint }: ChannelDecision,
  settings: ChannelSettings,
  now: number,
): string | null {
  if (announcement.said === null) return null;
  if (announcement.said === 'line') return formatMinimalMonitor(snapshot.assessment);
  return formatContextMonitor(
    {
      assessment: snapshot.assessment,
      compactions: snapshot.epoch.number,
      checkpoint: checkpoint && { id: checkpoint.id, age_s: Math.max(0, (now - checkpoint.at) / 1000) },
      hasOrchestration: false,
      operationTokens: settings['context_monitor.typical_step_tokens'],
      sensitivity: settings['context_monitor.sensitivity'] ?? 'C2',
    },
    announcement.warnStandard,
  );
}
