// Reports context usage in one line: full when a tier is first reached, minimal at the prompts after it.

import { formatThousands } from '../text/lines.ts';
import type { Assessment } from './assessment.ts';
import { isAtLeast } from './tier.ts';

/** One decimal, without a trailing zero: 0.7 → "70%". */
export const formatFraction = (fraction: number): string => `${Number((fraction * 100).toFixed(1))}%`;

/** Rounded to 5 points, so that equal state gives equal bytes. */
const roughly = (fraction: number): string => `~${Math.round(fraction * 20) * 5}%`;

/** The usage as a share of the threshold and of the window, each named; `say` formats a fraction. */
export function formatShares(assessment: Assessment, say: (fraction: number) => string): string {
  const { fractionOfLimit, fractionOfWindow, window, autoCompactAt } = assessment;
  if (assessment.thresholdBase === 'window') return `${say(fractionOfWindow ?? 0)} filled`;
  const ofWindow = `${say(fractionOfWindow ?? 0)} of the ${formatThousands(window.tokens)} window`;
  return autoCompactAt.tokens === null
    ? `${ofWindow}; auto-compaction is off`
    : (fractionOfLimit ?? 0) > 1
      ? `past the expected auto-compaction at ${formatThousands(autoCompactAt.tokens)}; ${ofWindow}`
      : `${say(fractionOfLimit ?? 0)} of the way to auto-compaction at ${formatThousands(autoCompactAt.tokens)}; ${ofWindow}`;
}

/** The status line for NOMINAL and LOW, without its tag; null when the usage is unknown. */
export function shortStatus(assessment: Assessment): string | null {
  const { tier, reading } = assessment;
  if (tier === null || reading.tokens === null) return null;
  const estimated = reading.estimated ? '; est.' : '';
  return `CONTEXT STATUS: ${tier} (${formatShares(assessment, roughly)}${estimated})`;
}

/** The headroom in rounded tokens, or that the threshold is passed. */
function headroomText({ headroom, autoCompactAt, thresholdBase }: Assessment): string {
  if (headroom === 0 && thresholdBase !== 'window' && autoCompactAt.tokens !== null)
    return 'past the expected auto-compaction';
  return `~${formatThousands(Math.round((headroom ?? 0) / 1_000) * 1_000)} tokens left`;
}

/**
 * The line at every prompt after the one that named the tier in full: at most 40 tokens, below WARNING at most 25.
 * Equal state gives equal bytes. Null when the usage is unknown.
 */
export function minimalMonitor(assessment: Assessment): string | null {
  const { tier, reading, thresholdBase, fractionOfLimit, fractionOfWindow } = assessment;
  if (tier === null || reading.tokens === null) return null;
  const rounded = roughly((thresholdBase === 'window' ? fractionOfWindow : fractionOfLimit) ?? 0);
  const share = reading.estimated ? rounded.replace('~', 'est ') : rounded;
  const left = isAtLeast(tier, 'WARNING') ? ` (${headroomText(assessment)})` : '';
  return `<context-monitor>CONTEXT STATUS: ${tier} ${share}${left}</context-monitor>`;
}

/** The line with which NOMINAL and LOW are named for the first time. */
export function shortMonitor(assessment: Assessment): string | null {
  const status = shortStatus(assessment);
  return status === null ? null : `<context-monitor>${status}</context-monitor>`;
}
