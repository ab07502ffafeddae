// Assesses a transcript's facts: usage reading, window, auto-compact threshold, tier and headroom in one judgement.

import type { ClientCompaction, HostLimits } from '../hosts/host.ts';
import {
  type AutoCompactThreshold,
  buildLearningKey,
  findAutoCompactThreshold,
  isPastCompaction,
} from './auto-compact.ts';
import { type Learned, refineEstimate } from './learned.ts';
import { findTier, PRESETS, type Sensitivity, type Thresholds, type Tier } from './tier.ts';
import type { UsageReading } from './usage.ts';
import { type ContextWindow, findWindow, STANDARD_WINDOW } from './window.ts';

/** The settings by which context usage is assessed. */
export interface AssessmentSettings {
  thresholdBase: 'limit' | 'window';
  mode: 'static' | 'dynamic';
  thresholds: Thresholds;
  /** The thresholds that are set one by one, where nobody has set a preset: then the work's criticality picks one. */
  ownThresholds?: Partial<Thresholds>;
  windowTokens: number | null;
  autoCompactAt: number | null;
  typicalStepTokens: number;
  modelWindows: Record<string, number>;
}

/** The settings with the preset of a workflow's criticality, unless a preset is set. */
export function withCriticality(
  settings: AssessmentSettings,
  criticality: Sensitivity | null | undefined,
): AssessmentSettings {
  const { ownThresholds } = settings;
  const preset = criticality == null ? undefined : PRESETS[criticality];
  return ownThresholds === undefined || preset === undefined
    ? settings
    : { ...settings, thresholds: { ...preset, ...ownThresholds } };
}

export interface Assessment {
  reading: UsageReading;
  window: ContextWindow;
  autoCompactAt: AutoCompactThreshold;
  /** What the usage is measured against, in tokens. */
  effectiveLimit: number;
  thresholdBase: 'limit' | 'window';
  /** Usage as a fraction of the effective limit, or null when it is unknown. */
  fractionOfLimit: number | null;
  /** Usage as a fraction of the window, or null when it is unknown. */
  fractionOfWindow: number | null;
  /** Tokens left before compaction, never below 0; null when the usage is unknown. */
  headroom: number | null;
  tier: Tier | null;
  /** The tier after one more step of `typicalStepTokens`; null when the usage is unknown. */
  tierAfterNextStep: Tier | null;
  /**
   * The tier if the window were 200,000, where only the model table says that it is larger: a warning is given
   * once in that case, until something confirms the larger window. Null in every other case.
   */
  tierIfStandardWindow: Tier | null;
}

/**
 * Whether the host is expected to compact before its next request: a message about
 * the usage would arrive after the compaction, when it no longer holds. A threshold that a person has set says when to warn,
 * not when the host compacts.
 */
export function isCompactionDue({
  reading,
  autoCompactAt,
}: Pick<Assessment, 'reading' | 'autoCompactAt'>): boolean {
  const isExpected =
    autoCompactAt.source === 'learned' ||
    autoCompactAt.source === 'client' ||
    autoCompactAt.source === 'default';
  return (
    isExpected &&
    !reading.estimated &&
    (reading.tokens ?? 0) >= (autoCompactAt.tokens ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * Judges a reading.
 * The effective limit is the auto-compact threshold where the client compacts by itself, else the window; with
 * `threshold_base = "window"` always the window. Headroom = effective limit − usage.
 *
 * @param fed window that the client itself tells, in tokens, or null
 * @param toldCompactsAt usage above which the client says that it compacts; null: never
 * @param maxTokensByModel largest usage per model id in the session, in tokens
 * @param maxTokensByCompactSetting largest usage per compaction setting, in tokens; null when nothing is remembered: then the peak counts
 * @param lastAuto `preTokens` of the last automatic compaction, or null; `lastAutoModel`: the model that it has stopped, or null
 * @param learned what was seen of the client on this machine
 */
export function assessUsage(input: {
  reading: UsageReading;
  fed?: number | null | undefined;
  toldCompactsAt?: number | null | undefined;
  maxTokensByModel: Record<string, number>;
  maxTokensByCompactSetting: Record<string, number> | null;
  lastAuto: number | null;
  lastAutoModel: string | null;
  marked: boolean;
  learned: Learned;
  client: ClientCompaction;
  env: Record<string, string | undefined>;
  limits: HostLimits;
  settings: AssessmentSettings;
}): Assessment {
  const { settings } = input;
  const { model, estimated } = input.reading;
  const measured = estimated ? 0 : (input.reading.tokens ?? 0);
  const peak = Math.max(model === null ? 0 : (input.maxTokensByModel[model] ?? 0), measured);
  const window = findWindow({
    configured: settings.windowTokens,
    fed: input.fed,
    model,
    peak,
    marked: input.marked,
    table: settings.modelWindows,
    env: input.env,
    limits: input.limits,
  });
  // What a client tells about itself may be another host's: what was learned is not about that.
  const sizes = input.toldCompactsAt === undefined ? input.learned.sizes[String(window.tokens)] : undefined;
  const reading = refineEstimate(input.reading, sizes ?? []);
  const usedTokens = reading.tokens;
  // Nobody is alarmed by an estimate of what a compaction has left: the next answer measures it.
  const isAfterCompaction = reading.source === 'after-compaction';
  const { lastAuto } = input;
  const isOwn = input.lastAutoModel !== null && input.lastAutoModel === reading.model;
  const ownAuto = isOwn && lastAuto !== null && !isPastCompaction(peak, lastAuto) ? lastAuto : null;
  const against = (windowTokens: number) => {
    const key = buildLearningKey(windowTokens, input.client);
    const autoCompactAt = findAutoCompactThreshold({
      configured: settings.autoCompactAt,
      told: input.toldCompactsAt,
      window: windowTokens,
      peak:
        input.maxTokensByCompactSetting === null
          ? peak
          : Math.max(input.maxTokensByCompactSetting[key] ?? 0, measured),
      client: input.client,
      learned: input.learned.points[key] ?? [],
      lastAuto,
      ownAuto,
    });
    const effectiveLimit =
      settings.thresholdBase === 'window' ? windowTokens : (autoCompactAt.tokens ?? windowTokens);
    const tierAt = (tokens: number): Tier => {
      const tier = findTier({
        usedTokens: tokens,
        effectiveLimit,
        window: windowTokens,
        thresholds: settings.thresholds,
        mode: settings.mode,
        typicalStepTokens: settings.typicalStepTokens,
      });
      return isAfterCompaction && tier === 'EMERGENCY' ? 'CRITICAL' : tier;
    };
    return {
      autoCompactAt,
      effectiveLimit,
      tier: usedTokens === null ? null : tierAt(usedTokens),
      tierAfterNextStep: usedTokens === null ? null : tierAt(usedTokens + settings.typicalStepTokens),
    };
  };
  const { autoCompactAt, effectiveLimit, tier, tierAfterNextStep } = against(window.tokens);
  const isUnconfirmed = window.source === 'table' && window.tokens > STANDARD_WINDOW;
  return {
    reading,
    window,
    autoCompactAt,
    effectiveLimit,
    thresholdBase: settings.thresholdBase,
    fractionOfLimit: usedTokens === null ? null : usedTokens / effectiveLimit,
    fractionOfWindow: usedTokens === null ? null : usedTokens / window.tokens,
    headroom: usedTokens === null ? null : Math.max(effectiveLimit - usedTokens, 0),
    tier,
    tierAfterNextStep,
    // Where compactions have shown the threshold, nothing hangs on the window.
    tierIfStandardWindow:
      isUnconfirmed && autoCompactAt.source !== 'learned' ? against(STANDARD_WINDOW).tier : null,
  };
}

/** An assessment as JSON gives it: tokens, fractions and seconds; unknown is null, never 0. */
export function buildAssessmentData(assessment: Assessment) {
  const { model, ...usage } = assessment.reading;
  return {
    model,
    usage,
    window: assessment.window,
    auto_compact: assessment.autoCompactAt,
    effective_limit: assessment.effectiveLimit,
    fraction_of_limit: assessment.fractionOfLimit,
    fraction_of_window: assessment.fractionOfWindow,
    headroom: assessment.headroom,
    tier: assessment.tier,
    tier_if_window_is_200000: assessment.tierIfStandardWindow,
  };
}
