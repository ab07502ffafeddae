// Computes the auto-compact threshold of the client from its settings and from the compactions seen so far.
import type { ClientCompaction } from '../hosts/host.ts';
import { findLowerMedian, LEAST_LEARNED } from './learned.ts';
import type { Confidence } from './usage.ts';

export interface AutoCompactThreshold {
  /** Expected usage at compaction, in tokens; null when the client never compacts by itself. */
  tokens: number | null;
  source: 'config' | 'learned' | 'client' | 'off' | 'reactive' | 'default';
  confidence: Confidence;
}

/** Tokens that the client keeps free: min(max output, 20,000) for the answer and 13,000 for the summary. */
export const AUTO_COMPACT_RESERVE = 33_000;
/** Of these, what the percentage override leaves out: the answer. */
const ANSWER_RESERVE = 20_000;
/** Where a client that compacts only when the API refuses ends: just below the window. */
const REACTIVE_RESERVE = 4_000;
/** A model has grown up to a compaction when its largest usage comes to this fraction of it. */
const GROWN = 0.9;
/** A usage this far above an assumed point, without a compaction, disproves the point. */
const DISPROOF = 8_000;

/** The window less the reserve; a window that is hardly larger than the reserve keeps half of itself. */
const belowWindow = (window: number, reserve = AUTO_COMPACT_RESERVE): number =>
  Math.max(window - reserve, Math.round(window / 2));

/**
 * The point that the evidence supports, first that answers: configured; what the client says; the median of at least three
 * automatic boundaries with this window; the client's settings (W − 33,000, or the percentage of W − 20,000 if lower); the
 * last automatic compaction of this session and model, where it is far below what is assumed; window − 33,000. A peak above
 * such a point + 8,000 shows that the client compacts reactively, for the session: window − 4,000.
 *
 * @param peak largest usage of the session under these settings, in tokens
 * @param lastAuto `preTokens` of the session's last automatic compaction: one near the point confirms it again
 * @param learned `preTokens` of automatic compactions with the same window
 */
export function findAutoCompactThreshold(evidence: {
  configured?: number | null;
  /** What the client itself says; null: never. */
  told?: number | null | undefined;
  window: number;
  peak: number;
  client: ClientCompaction;
  learned?: readonly number[];
  lastAuto?: number | null;
  /** The same where it was the present model that was compacted, and has not grown past it since; else null. */
  ownAuto?: number | null;
}): AutoCompactThreshold {
  const { window, client, learned = [] } = evidence;
  if (evidence.configured) {
    return { tokens: Math.min(evidence.configured, window), source: 'config', confidence: 'certain' };
  }
  if (evidence.told != null)
    return { tokens: Math.min(evidence.told, window), source: 'client', confidence: 'certain' };
  if (evidence.told === null || !client.enabled)
    return { tokens: null, source: 'off', confidence: 'certain' };
  const point = expected();
  const isConfirmed =
    point.tokens !== null && evidence.lastAuto != null && evidence.lastAuto <= point.tokens + DISPROOF;
  return point.tokens !== null && !isConfirmed && evidence.peak > point.tokens + DISPROOF
    ? { tokens: Math.max(window - REACTIVE_RESERVE, 0), source: 'reactive', confidence: 'inferred' }
    : point;

  function expected(): AutoCompactThreshold {
    const seen = learned.filter((tokens) => tokens > 0 && tokens <= window);
    if (seen.length >= LEAST_LEARNED)
      return { tokens: findLowerMedian(seen), source: 'learned', confidence: 'inferred' };
    if (client.window !== null) {
      const w = Math.min(client.window, window);
      const byPercent =
        client.percent === null
          ? Infinity
          : Math.ceil((belowWindow(w, ANSWER_RESERVE) * client.percent) / 100);
      return { tokens: Math.min(belowWindow(w), byPercent), source: 'client', confidence: 'inferred' };
    }
    const assumed = belowWindow(window);
    const own = evidence.ownAuto ?? null;
    // Far below what is assumed: the window is smaller than its model's name says, or the client compacts earlier.
    return own !== null && own < assumed - DISPROOF
      ? { tokens: own, source: 'learned', confidence: 'inferred' }
      : { tokens: assumed, source: 'default', confidence: 'assumed' };
  }
}

/**
 * The model that an automatic compaction has stopped, as the largest usages up to that moment tell: it had grown up to it.
 * @param maxTokensByModel largest usage per model id, in tokens
 */
export function findCompactedModel(tokens: number, maxTokensByModel: Record<string, number>): string | null {
  const grown = Object.entries(maxTokensByModel).filter(
    ([, most]) => most >= GROWN * tokens && most <= tokens + DISPROOF,
  );
  return grown.length === 1 ? (grown[0]?.[0] ?? null) : null;
}

/** Whether a usage has grown past a compaction: then it says nothing of the threshold any more. */
export const isPastCompaction = (usedTokens: number, compaction: number): boolean =>
  usedTokens > compaction + DISPROOF;

/**
 * The key under which a compaction is remembered: the window, and the client's compaction settings then. A threshold
 * learned under one setting says nothing about another.
 */
export const buildLearningKey = (window: number, client: ClientCompaction): string =>
  client.window === null && client.percent === null
    ? String(window)
    : `${window} of ${client.window ?? 'auto'} at ${client.percent ?? 'full'}`;
