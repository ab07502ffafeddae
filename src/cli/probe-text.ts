// The table that `plimsoll probe` prints for people.
import { FACT_KINDS } from '../replay/probe-fact.ts';
import { ARMS, type Arm } from '../replay/score-unit.ts';
import type { ProbeSummary } from '../replay/summarize-scores.ts';
import { count } from './output.ts';

const WIDTHS = [18, 6, 7, 9, 9, 7, 7];
const row = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[index] ?? 0)))
    .join('  ')
    .trimEnd();

const points = (share: number | null): string => (share === null ? '-' : (share * 100).toFixed(1));
const one = (value: number): string => value.toFixed(1);

export function probeText(summary: ProbeSummary, checks: number): string {
  const { kinds, all, retention, meanOfKinds, interval, tokens, precision, pointsPer100Tokens } = summary;
  const shares = (of: Record<Arm, number | null>): string[] => ARMS.map((arm) => points(of[arm]));
  const rows = FACT_KINDS.filter((kind) => kinds[kind].facts > 0).map((kind) => {
    const { facts, needed, told } = kinds[kind];
    const cells = ARMS.map((arm) => points(needed === 0 ? null : told[arm] / needed));
    return row([kind, String(facts), String(needed), ...cells]);
  });
  const ends = ARMS.map((arm) => interval[arm]).map((each) =>
    each === null ? '-' : `${Math.round(each[0] * 100)}-${Math.round(each[1] * 100)}`,
  );
  return [
    `${count(summary.units, 'compaction')} of ${count(summary.sessions, 'session')}: facts that the work after it needed, and how many of them were told (%)`,
    '',
    row(['', 'facts', 'needed', 'summary', '+Plimsoll', 'alone', '+ideal']),
    ...rows,
    row(['all kinds', String(all.facts), String(all.needed), ...shares(retention)]),
    row(['mean of kinds', '', '', ...shares(meanOfKinds)]),
    row(['95 % interval', '', '', ...ends]),
    '',
    `summary: the host's own; +Plimsoll: with what the hooks said; alone: only that; +ideal: also the ${checks} checks run most and the 4 files read last.`,
    '',
    `Plimsoll's text     ${one(tokens.mean)} tokens on average, median ${one(tokens.median)}, at most ${tokens.most}; ${tokens.over500} over 500`,
    `Precision           ${points(precision)} % of the facts that it tells were needed`,
    `Points per 100      ${pointsPer100Tokens === null ? '-' : pointsPer100Tokens.toFixed(2)} gained over the summary for 100 tokens`,
    `Work after it       ${one(summary.readAgain)} reads of files known before; first edit at call ${summary.callsToEdit ?? '-'} (median)`,
  ].join('\n');
}
