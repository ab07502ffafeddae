// Decides what is announced of the context usage at an event, or why nothing is.
import type { Event } from '../hosts/host.ts';
import type { SessionPatch, SessionState } from '../sessions/session-state.ts';
import { isCompactionDue } from './assessment.ts';
import type { SessionSnapshot } from './context-status.ts';
import { isAbove, isAtLeast, type Tier } from './tier.ts';

/** Why the usage is announced. */
export type SaidReason =
  | 'first-report'
  | 'tier-rose'
  | 'tier-changed'
  | 'window-unconfirmed'
  | 'every-prompt';

/** Why nothing is announced; `claimed` and `failed` are only known once the hook has run. */
export type SilentReason =
  | 'off'
  | 'subagent'
  | 'usage-unknown'
  | 'monitor-off'
  | 'emit-setting'
  | 'unchanged'
  | 'client-notice'
  | 'below-lowest-tier'
  | 'already-said'
  | 'estimate'
  | 'estimate-by-text'
  | 'compaction-due'
  | 'claimed'
  | 'failed';

/** The name of the action that gives the message. */
export const MONITOR = 'context-monitor';

export interface Announcement {
  /** The full message of the tier, the short line, or nothing. */
  said: 'full' | 'line' | null;
  reason: SaidReason | SilentReason;
  tier: Tier | null;
  /** The tier that was announced before in this context, or null. */
  from: Tier | null;
  fractionOfLimit: number | null;
  /** Whether a measurement reaches this tier for the first time in this context. */
  isRise: boolean;
  /** Whether the "if the window is 200,000" warning is due. */
  warnStandard: boolean;
  /** Whether the state has to keep the tier as announced. */
  isKept: boolean;
}

/** The events at which the usage may be announced. */
export type AnnouncementEvent =
  | Pick<Extract<Event, { kind: 'prompt' }>, 'kind' | 'agent' | 'isNotice'>
  | Pick<Extract<Event, { kind: 'after-tool' }>, 'kind' | 'agent'>;

export interface AnnouncementSettings {
  enabled: boolean;
  'context_monitor.enabled': boolean;
  'context_monitor.emit': 'always' | 'on-change' | 'off';
}

/** Whether the "if the window is 200,000" warning is due: once per segment, from WARNING on. */
function isStandardWarningDue({ assessment, state, epoch }: SessionSnapshot): boolean {
  const tier = assessment.tierIfStandardWindow;
  return tier !== null && isAtLeast(tier, 'WARNING') && state?.warned_for_200k !== epoch.number;
}

/** Why nothing is due, where the settings let the monitor speak. */
function whyNotDue(event: AnnouncementEvent, tier: Tier, isAboveTop: boolean): SilentReason {
  if (event.kind === 'prompt') return event.isNotice ? 'client-notice' : 'unchanged';
  // An estimate neither interrupts nor suppresses a later measurement.
  if (isAboveTop) return 'estimate';
  return tier === 'NOMINAL' ? 'below-lowest-tier' : 'already-said';
}

function whySaid(due: {
  isFirst: boolean;
  isAboveTop: boolean;
  warnStandard: boolean;
  hasChanged: boolean;
}): SaidReason {
  if (due.isFirst) return 'first-report';
  if (due.isAboveTop) return 'tier-rose';
  if (due.warnStandard) return 'window-unconfirmed';
  return due.hasChanged ? 'tier-changed' : 'every-prompt';
}

/**
 * At a prompt the usage is reported as `emit` says, at a notice of the client only when something has changed, and in the
 * middle of a turn only on a tier rise. A tier is reported in full when it is reached; one announced before in this context
 * gets one line. Where the monitor is switched off, the tier counts as announced.
 *
 * @param snapshot null where none is taken, as in a subagent
 */
export function decideAnnouncement(
  snapshot: SessionSnapshot | null,
  event: AnnouncementEvent,
  settings: AnnouncementSettings,
): Announcement {
  const tier = snapshot?.assessment.tier ?? null;
  const from = snapshot?.said?.tier ?? null;
  const fractionOfLimit = snapshot?.assessment.fractionOfLimit ?? null;
  const silent = (reason: SilentReason, more: Partial<Announcement> = {}): Announcement => ({
    ...{ said: null, reason, tier, from, fractionOfLimit },
    ...{ isRise: false, warnStandard: false, isKept: false, ...more },
  });
  if (event.agent !== null) return silent('subagent');
  if (!settings.enabled || snapshot?.state?.off) return silent('off');
  if (snapshot === null || tier === null) return silent('usage-unknown');
  const isPrompt = event.kind === 'prompt';
  const isAboveTop = isAbove(tier, snapshot.said?.highest_tier ?? 'NOMINAL');
  const { reading } = snapshot.assessment;
  // Where the provider reports no usage, the length of the text is all there is: good enough to warn, and for nothing else.
  const isByText = reading.source === 'characters';
  if (isByText && !isAtLeast(tier, 'WARNING')) return silent('estimate-by-text');
  const isRise = isAboveTop && (!reading.estimated || isByText);
  const hasChanged = from !== tier;
  if (!settings['context_monitor.enabled'] || settings['context_monitor.emit'] === 'off') {
    const reason = settings['context_monitor.enabled'] ? 'emit-setting' : 'monitor-off';
    return silent(reason, { isRise, isKept: hasChanged && (isPrompt || isRise) });
  }
  const warnStandard = isStandardWarningDue(snapshot);
  const isRepeated = isPrompt && !event.isNotice && settings['context_monitor.emit'] === 'always';
  const isDue = warnStandard || (isPrompt ? isRepeated || hasChanged : isRise);
  if (!isDue) return silent(whyNotDue(event, tier, isAboveTop));
  // Not kept as announced: the hook before the compaction notes the rise, and if none follows, the next event reports it.
  if (isCompactionDue(snapshot.assessment)) return silent('compaction-due');
  const isFirst = snapshot.said === null;
  return {
    said: isFirst || isAboveTop || warnStandard ? 'full' : 'line',
    reason: whySaid({ isFirst, isAboveTop, warnStandard, hasChanged }),
    tier,
    from,
    fractionOfLimit,
    isRise,
    warnStandard,
    isKept: hasChanged || warnStandard,
  };
}

/** What the state keeps of an announcement: the tier, and the figures by which a fall and a rise are known. @param now in ms */
export function noteAnnouncement(
  { epoch, said, assessment }: Pick<SessionSnapshot, 'epoch' | 'said' | 'assessment'>,
  announcement: Announcement,
  now: number,
): SessionPatch {
  const { reading, window } = assessment;
  const { isRise, warnStandard } = announcement;
  const tier = announcement.tier ?? 'NOMINAL';
  return {
    last_announced: {
      ...said,
      epoch: epoch.number,
      tier,
      highest_tier: isRise ? tier : (said?.highest_tier ?? 'NOMINAL'),
      max_tokens: Math.max(said?.max_tokens ?? 0, reading.estimated ? 0 : (reading.tokens ?? 0)),
      window: window.tokens,
      ...(isRise && isAtLeast(tier, 'CRITICAL') && !said?.critical_at
        ? { critical_at: new Date(now).toISOString() }
        : {}),
    },
    ...(warnStandard ? { warned_for_200k: epoch.number } : {}),
  };
}

/** What the state keeps of usage that has risen by so much that a fall is measured from it; null of any other. */
export const noteRisenUsage = ({
  said,
  hasRisen,
  assessment: { reading },
}: SessionSnapshot): Pick<SessionPatch, 'last_announced'> | null =>
  hasRisen && said !== null && reading.tokens !== null
    ? { last_announced: { ...said, max_tokens: reading.tokens } }
    : null;

/** Whether a checkpoint of this segment and window was written at this tier, or at a higher one. */
export const isRiseCovered = (
  state: SessionState | null,
  { epoch, assessment }: Pick<SessionSnapshot, 'epoch' | 'assessment'>,
  tier: Tier,
): boolean =>
  state?.tier_checkpoint?.epoch === epoch.number &&
  state.tier_checkpoint.window === assessment.window.tokens &&
  isAtLeast(state.tier_checkpoint.tier, tier);

/**
 * Whether a checkpoint is due: once per tier and segment, on a rise to WARNING or above; not where the client is about to
 * compact, because its hook before the compaction takes one.
 */
export function isCheckpointDue(
  snapshot: SessionSnapshot,
  tier: Tier,
  settings: { 'checkpoint.on_tier_rise': boolean },
): boolean {
  const { reading } = snapshot.assessment;
  return (
    settings['checkpoint.on_tier_rise'] &&
    isAtLeast(tier, 'WARNING') &&
    !isCompactionDue(snapshot.assessment) &&
    (!reading.estimated || reading.source === 'characters') &&
    (snapshot.hasFallen || !isRiseCovered(snapshot.state, snapshot, tier))
  );
}

/** Whether the event needs only the short line, or nothing: the state stays as it is. */
export const needsShortLineOnly = ({ said, isRise, isKept }: Announcement): boolean =>
  said !== 'full' && !isRise && !isKept;

/** Whether a context is reported for the first time, at NOMINAL: a client that stores what hooks say keeps that itself. */
export const isStoredReport = (
  { said, reason, tier, warnStandard }: Announcement,
  state: SessionState | null,
): boolean =>
  said === 'full' &&
  reason === 'first-report' &&
  tier === 'NOMINAL' &&
  !warnStandard &&
  state?.client_stores_hook_output === true;

/**
 * Whether an answer that is not in the transcript yet may raise the tier to WARNING or above. LOW asks nothing of the
 * agent and may be announced a step late.
 */
export function mayRiseNext({ assessment, said }: SessionSnapshot): boolean {
  const { tierAfterNextStep: ahead } = assessment;
  return ahead !== null && isAtLeast(ahead, 'WARNING') && isAbove(ahead, said?.highest_tier ?? 'NOMINAL');
}
