// The `<quality-reinforcement>` message: the project's rules that are repeated at every prompt, within a budget.

import { BUDGETS, estimateTokens } from '../../text/budget.ts';
import { quotedLine } from '../../text/escape.ts';
import type { Marker } from './reinforcement.ts';

export interface Reinforcement {
  /** The tag, or null when there is no rule for it. */
  text: string | null;
  /** Rules that did not fit. */
  left: Marker[];
}

const tagged = (lines: readonly string[]): string =>
  `<quality-reinforcement>\nThe project's own rules, not the user's words:\n${lines.join('\n')}\n</quality-reinforcement>`;

/**
 * The `<quality-reinforcement>` tag: rules by rank, whole ones, until one does not fit into 600 tokens; that one and all
 * of a higher rank number are left out. A rule longer than the whole budget is left out without stopping the others.
 * The same rules give the same bytes.
 */
export function qualityReinforcement(markers: readonly Marker[]): Reinforcement {
  const budget = BUDGETS.reinforcement;
  const lines: string[] = [];
  const left: Marker[] = [];
  let isFull = false;
  for (const marker of markers) {
    const line = quotedLine(marker.content);
    const isTooLong = estimateTokens(tagged([line])) > budget;
    if (!isTooLong && !isFull && estimateTokens(tagged([...lines, line])) <= budget) lines.push(line);
    else {
      left.push(marker);
      isFull ||= !isTooLong;
    }
  }
  return { text: lines.length === 0 ? null : tagged(lines), left };
}
