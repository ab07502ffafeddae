// Computes the tier of a context usage: five tiers, compared with >= from the top.

export const TIERS = ['NOMINAL', 'LOW', 'WARNING', 'CRITICAL', 'EMERGENCY'] as const;
export type Tier = (typeof TIERS)[number];

/** Where each tier begins, as fractions of the effective limit. */
export interface Thresholds {
  low: number;
  warning: number;
  critical: number;
  emergency: number;
}

export type Sensitivity = 'C1' | 'C2' | 'C3' | 'C4';

/** Thresholds by criticality of the work: the more is at stake, the earlier the warning. */
export const PRESETS: Record<Sensitivity, Thresholds> = {
  C1: { low: 0.7, warning: 0.8, critical: 0.9, emergency: 0.95 },
  C2: { low: 0.55, warning: 0.7, critical: 0.8, emergency: 0.88 },
  C3: { low: 0.45, warning: 0.6, critical: 0.72, emergency: 0.82 },
  C4: { low: 0.35, warning: 0.5, critical: 0.65, emergency: 0.78 },
};

/** What one large step (a quality gate iteration, a big read) costs, in tokens, unless configured. */
export const TYPICAL_STEP_TOKENS = 29_000;
/** Above this window a fraction of the limit is no measure of urgency: the headroom must be short as well. */
const LARGE = 300_000;
const HEADROOM_OPERATIONS: Partial<Record<Tier, number>> = { WARNING: 4, CRITICAL: 2, EMERGENCY: 1 };
const DYNAMIC_OPERATIONS: Partial<Record<Tier, number>> = { WARNING: 2, CRITICAL: 1, EMERGENCY: 0.5 };

export const isAtLeast = (tier: Tier, than: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf(than);

export const isAbove = (tier: Tier, than: Tier): boolean => tier !== than && isAtLeast(tier, than);

export interface TierInput {
  /** Tokens in the context. */
  usedTokens: number;
  /** What the usage is measured against, in tokens. */
  effectiveLimit: number;
  /** The model's window, in tokens. */
  window: number;
  thresholds: Thresholds;
  /** `static`: fractions of the effective limit. `dynamic`: headroom in steps (2, 1, ½) from WARNING on. */
  mode: 'static' | 'dynamic';
  typicalStepTokens: number;
}

/** The highest tier whose conditions hold. */
export function findTier(input: TierInput): Tier {
  const { usedTokens, effectiveLimit, thresholds, typicalStepTokens } = input;
  const fraction = usedTokens / effectiveLimit;
  const headroom = Math.max(effectiveLimit - usedTokens, 0);
  const begins: Record<Tier, number> = {
    NOMINAL: 0,
    LOW: thresholds.low,
    WARNING: thresholds.warning,
    CRITICAL: thresholds.critical,
    EMERGENCY: thresholds.emergency,
  };
  const holds = (tier: Tier): boolean => {
    const dynamic = input.mode === 'dynamic' ? DYNAMIC_OPERATIONS[tier] : undefined;
    if (dynamic !== undefined) return headroom < dynamic * typicalStepTokens;
    const needed = input.window > LARGE ? HEADROOM_OPERATIONS[tier] : undefined;
    return fraction >= begins[tier] && (needed === undefined || headroom <= needed * typicalStepTokens);
  };
  return [...TIERS].reverse().find(holds) ?? 'NOMINAL';
}

/**
 * The lowest usage, in tokens, at which a tier or a higher one holds; null where none does up to the window. Found by asking
 * `findTier`, so that both always agree.
 */
export function findTierStart(tier: Tier, input: Omit<TierInput, 'usedTokens'>): number | null {
  const holdsAt = (usedTokens: number): boolean => isAtLeast(findTier({ ...input, usedTokens }), tier);
  let low = 0;
  // A transcript may tell of any number: beyond these, one more token is the same number, and the search has no end.
  let high = Math.min(Math.max(input.window, input.effectiveLimit), Number.MAX_SAFE_INTEGER);
  if (!holdsAt(high)) return null;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (holdsAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many steps may be left at most for a tier to hold, and whether a fraction of the limit counts as well. */
export function findHeadroomRule(
  tier: Tier,
  input: Pick<TierInput, 'mode' | 'window'>,
): { operations: number; isAlone: boolean } | null {
  const dynamic = input.mode === 'dynamic' ? DYNAMIC_OPERATIONS[tier] : undefined;
  if (dynamic !== undefined) return { operations: dynamic, isAlone: true };
  const needed = input.window > LARGE ? HEADROOM_OPERATIONS[tier] : undefined;
  return needed === undefined ? null : { operations: needed, isAlone: false };
}
