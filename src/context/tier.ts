// Computes the tier of a context usage: five tiers, compared with >= from the top.

export const TIERS = ['NOMINAL', 'LOW', 'WARNING', 'CRITICAL', 'EMERGENCY'] as const;
export type Tier = (typeof TIERS)[number];

/** Where each tier begins, as fractions of the usable context. */
export interface Thresholds {
  low: number;
  warning: number;
  critical: number;
  emergency: number;
}

export type Criticality = 'C1' | 'C2' | 'C3' | 'C4';

/** Thresholds by criticality of the work: the more is at stake, the earlier the warning. */
export const PRESETS: Record<Criticality, Thresholds> = {
  C1: { low: 0.7, warning: 0.8, critical: 0.9, emergency: 0.95 },
  C2: { low: 0.55, warning: 0.7, critical: 0.8, emergency: 0.88 },
  C3: { low: 0.45, warning: 0.6, critical: 0.72, emergency: 0.82 },
  C4: { low: 0.35, warning: 0.5, critical: 0.65, emergency: 0.78 },
};

/** What one large operation (a quality gate iteration, a big read) costs, in tokens, unless configured. */
export const OPERATION_TOKENS = 29_000;
/** Above this window a share of the context is no measure of urgency: the headroom must be short as well. */
const LARGE = 300_000;
const HEADROOM_OPERATIONS: Partial<Record<Tier, number>> = { WARNING: 4, CRITICAL: 2, EMERGENCY: 1 };
const DYNAMIC_OPERATIONS: Partial<Record<Tier, number>> = { WARNING: 2, CRITICAL: 1, EMERGENCY: 0.5 };

export const isAtLeast = (tier: Tier, than: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf(than);

export const isAbove = (tier: Tier, than: Tier): boolean => tier !== than && isAtLeast(tier, than);

export interface TierInput {
  /** Tokens in the context. */
  fill: number;
  /** What the fill is measured against, in tokens. */
  usable: number;
  /** The model's window, in tokens. */
  window: number;
  thresholds: Thresholds;
  /** `static`: fractions of the usable context. `dynamic`: headroom in operations (2, 1, ½) from WARNING on. */
  mode: 'static' | 'dynamic';
  operationTokens: number;
}

/** The highest tier whose conditions hold. */
export function tierOf(input: TierInput): Tier {
  const { fill, usable, thresholds, operationTokens } = input;
  const fraction = fill / usable;
  const headroom = Math.max(usable - fill, 0);
  const begins: Record<Tier, number> = {
    NOMINAL: 0,
    LOW: thresholds.low,
    WARNING: thresholds.warning,
    CRITICAL: thresholds.critical,
    EMERGENCY: thresholds.emergency,
  };
  const holds = (tier: Tier): boolean => {
    const dynamic = input.mode === 'dynamic' ? DYNAMIC_OPERATIONS[tier] : undefined;
    if (dynamic !== undefined) return headroom < dynamic * operationTokens;
    const needed = input.window > LARGE ? HEADROOM_OPERATIONS[tier] : undefined;
    return fraction >= begins[tier] && (needed === undefined || headroom <= needed * operationTokens);
  };
  return [...TIERS].reverse().find(holds) ?? 'NOMINAL';
}

/**
 * The least fill, in tokens, at which a tier or a higher one holds; null where none does up to the window. Found by asking
 * `tierOf`, so that it is never another figure than the one that counts.
 */
export function beginOf(tier: Tier, input: Omit<TierInput, 'fill'>): number | null {
  const holdsAt = (fill: number): boolean => isAtLeast(tierOf({ ...input, fill }), tier);
  let low = 0;
  let high = Math.max(input.window, input.usable);
  if (!holdsAt(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holdsAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many operations may be left at the most for a tier to hold, and whether a share of the context counts as well. */
export function headroomRule(
  tier: Tier,
  input: Pick<TierInput, 'mode' | 'window'>,
): { operations: number; isAlone: boolean } | null {
  const dynamic = input.mode === 'dynamic' ? DYNAMIC_OPERATIONS[tier] : undefined;
  if (dynamic !== undefined) return { operations: dynamic, isAlone: true };
  const needed = input.window > LARGE ? HEADROOM_OPERATIONS[tier] : undefined;
  return needed === undefined ? null : { operations: needed, isAlone: false };
}
