// Assesses a transcript's facts: usage reading, window, auto-compact threshold, tier and headroom in one judgement.
import {
  type ClientCompaction,
  type CompactionPoint,
  compactionPointOf,
  learningKey,
} from './auto-compact.ts';
import { type Thresholds, type Tier, tierOf } from './tier.ts';
import type { Reading } from './usage.ts';
import { STANDARD_WINDOW, type Window, windowOf } from './window.ts';

/** The settings that judge a fill. */
export interface AssessmentSettings {
  basis: 'usable' | 'window';
  mode: 'static' | 'dynamic';
  thresholds: Thresholds;
  windowTokens: number | null;
  compactionPoint: number | null;
  operationTokens: number;
  modelWindows: Record<string, number>;
}

export interface Assessment {
  reading: Reading;
  window: Window;
  point: CompactionPoint;
  /** What the fill is measured against, in tokens. */
  usable: number;
  basis: 'usable' | 'window';
  /** Fraction of the usable context, or null when the fill is unknown. */
  usable_fill: number | null;
  /** Fraction of the window, or null when the fill is unknown. */
  window_fill: number | null;
  /** Tokens left before compaction, never below 0; null when the fill is unknown. */
  headroom: number | null;
  tier: Tier | null;
  /** The tier after one more operation of `operationTokens`; null when the fill is unknown. */
  tier_ahead: Tier | null;
  /**
   * The tier if the window were 200,000, where only the model table says that it is larger: a warning is given
   * once in that case, until something confirms the larger window. Null in every other case.
   */
  tier_if_standard: Tier | null;
}

/**
 * Whether the host is expected to compact before its next request: what is said of the usage now would arrive behind the
 * compaction, when it is true no more. A threshold that a person has set says when to warn, not when the host compacts.
 */
export function isCompactionDue({ reading, point }: Pick<Assessment, 'reading' | 'point'>): boolean {
  const isExpected = point.source === 'learned' || point.source === 'client' || point.source === 'default';
  return (
    isExpected && !reading.estimated && (reading.tokens ?? 0) >= (point.tokens ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * Judges a reading.
 * Usable context = the compaction point where the client compacts by itself, else the window; with
 * `basis = "window"` always the window. Headroom = usable context − fill.
 *
 * @param fed window that the client itself tells, in tokens, or null
 * @param peaks largest fill per model id over the conversation, in tokens
 * @param highs largest fill per compaction setting, in tokens; null when nothing is remembered: then the peak counts
 * @param lastAuto `preTokens` of the last automatic compaction, or null
 */
export function assess(input: {
  reading: Reading;
  fed?: number | null | undefined;
  peaks: Record<string, number>;
  highs: Record<string, number> | null;
  lastAuto: number | null;
  marked: boolean;
  learned: Record<string, number[]>;
  client: ClientCompaction;
  env: Record<string, string | undefined>;
  settings: AssessmentSettings;
}): Assessment {
  const { reading, settings } = input;
  const fill = reading.tokens;
  const peak = Math.max(
    reading.model === null ? 0 : (input.peaks[reading.model] ?? 0),
    reading.estimated ? 0 : (fill ?? 0),
  );
  const window = windowOf({
    configured: settings.windowTokens,
    fed: input.fed,
    model: reading.model,
    peak,
    marked: input.marked,
    table: settings.modelWindows,
    env: input.env,
  });
  const against = (windowTokens: number) => {
    const key = learningKey(windowTokens, input.client);
    const point = compactionPointOf({
      configured: settings.compactionPoint,
      window: windowTokens,
      peak:
        input.highs === null ? peak : Math.max(input.highs[key] ?? 0, reading.estimated ? 0 : (fill ?? 0)),
      client: input.client,
      learned: input.learned[key] ?? [],
      lastAuto: input.lastAuto,
    });
    const usable = settings.basis === 'window' ? windowTokens : (point.tokens ?? windowTokens);
    const tierAt = (tokens: number): Tier =>
      tierOf({
        fill: tokens,
        usable,
        window: windowTokens,
        thresholds: settings.thresholds,
        mode: settings.mode,
        operationTokens: settings.operationTokens,
      });
    return {
      point,
      usable,
      tier: fill === null ? null : tierAt(fill),
      tier_ahead: fill === null ? null : tierAt(fill + settings.operationTokens),
    };
  };
  const { point, usable, tier, tier_ahead } = against(window.tokens);
  const isUnconfirmed = window.source === 'table' && window.tokens > STANDARD_WINDOW;
  return {
    reading,
    window,
    point,
    usable,
    basis: settings.basis,
    usable_fill: fill === null ? null : fill / usable,
    window_fill: fill === null ? null : fill / window.tokens,
    headroom: fill === null ? null : Math.max(usable - fill, 0),
    tier,
    tier_ahead,
    tier_if_standard: isUnconfirmed ? against(STANDARD_WINDOW).tier : null,
  };
}
