// Computes from replayed sessions how a person's client and work behave: where it compacts, what that leaves, how fast the context grows.

import { isOwnCompaction, type ReplayedCompaction, type ReplayedSession } from './replayed.ts';

/** Some values by their ranks; null where there is none. */
export interface Spread {
  n: number;
  least: number | null;
  median: number | null;
  p75: number | null;
  p90: number | null;
  p99: number | null;
  most: number | null;
}

/** The smallest value that this share of all do not exceed (nearest rank): always one of the values. */
export function describeSpread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number | null =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  return {
    ...{ n: sorted.length, least: at(0), median: at(0.5) },
    ...{ p75: at(0.75), p90: at(0.9), p99: at(0.99), most: at(1) },
  };
}

/** Automatic compactions below this say nothing about the client's threshold, as hooks judge it too. */
const LEAST_POINT = 50_000;
/** Fewer turns than these do not tell what nine of ten cost. */
const LEAST_TURNS = 10;
/** A typical step is told in steps of these tokens: the next one up. */
const STEP_UNIT = 1_000;

export interface Calibration {
  sessions: number;
  calls: number;
  compactions: { total: number; automatic: number };
  /** Tokens at which the client compacted by itself, by window, and by window and version of the client. */
  auto_compact: ({ window: number } & Spread)[];
  auto_compact_by_client: ({ window: number; client: string | null } & Spread)[];
  /** Tokens that a call, and all calls of a prompt, add; `falls`: calls after which the context was smaller. */
  growth: { per_call: Spread; per_prompt: Spread; falls: number };
  /** Tokens that nine of ten prompts do not exceed, rounded up; null where there are too few of them. */
  typical_step: number | null;
  /** Tokens of the first call after a compaction, by window. */
  after_compaction: ({ window: number } & Spread)[];
  /** What the client counted before a compaction, as a fraction of the last call's usage. */
  counted_by_client: Spread;
  /** What `input_tokens` alone says, as a fraction of the last call's usage. */
  input_only: Spread;
  /** Compactions after which known files were read again, and the usage before, as a fraction of the window. */
  rework: { compactions: number; files: number; usage_with: Spread; usage_without: Spread };
}

/** A fraction to six decimal places. */
const toFraction = (part: number, whole: number): number => Math.round((part / whole) * 1e6) / 1e6;

/** An automatic compaction before which something was measured: one that could have been warned of. */
export const isForeseeable = ({ trigger, last_tokens }: ReplayedCompaction): boolean =>
  trigger === 'auto' && last_tokens !== null;

const listOwn = (sessions: readonly ReplayedSession[]): ReplayedCompaction[] =>
  sessions.flatMap((each) => each.compactions.filter((one) => isOwnCompaction(each, one)));

/** What each call, and each prompt, added to the context of a session; calls right after a compaction add to nothing known. */
function listGrowth({ series, prompts, compactions, copied_calls }: ReplayedSession) {
  const first = new Set(compactions.map(({ call }) => call));
  const calls: number[] = [];
  const byPrompt = new Map<number, number>();
  let falls = 0;
  let prompt = -1;
  for (let index = Math.max(1, copied_calls); index < series.length; index++) {
    while ((prompts[prompt + 1] ?? Number.POSITIVE_INFINITY) <= index) prompt++;
    if (first.has(index)) continue;
    const added = (series[index] ?? 0) - (series[index - 1] ?? 0);
    if (added < 0) {
      falls++;
      continue;
    }
    calls.push(added);
    if (prompt >= 0) byPrompt.set(prompt, (byPrompt.get(prompt) ?? 0) + added);
  }
  return { calls, prompts: [...byPrompt.values()], falls };
}

function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/** Tokens of the first calls after compactions, by window, as the estimate right after one learns them. */
export function collectSizes(sessions: readonly ReplayedSession[]): Record<string, number[]> {
  const known = listOwn(sessions).filter(
    ({ window, next_tokens }) => window !== null && next_tokens !== null && next_tokens <= window,
  );
  const inTime = known.sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''));
  return Object.fromEntries(
    [...groupBy(inTime, ({ window }) => String(window))].map(([window, list]) => [
      window,
      list.map(({ next_tokens }) => next_tokens ?? 0),
    ]),
  );
}

/** Usages at automatic compactions, as far as they tell of the client's threshold. */
const listPoints = (compactions: readonly ReplayedCompaction[]): Point[] =>
  compactions.flatMap(({ trigger, pre_tokens: tokens, window, client }) =>
    trigger === 'auto' && tokens !== null && window !== null && tokens >= LEAST_POINT && tokens <= window
      ? [{ tokens, window, client }]
      : [],
  );

interface Point {
  tokens: number;
  window: number;
  client: string | null;
}

function describePoints(points: readonly Point[], client: (point: Point) => string | null) {
  return [...groupBy(points, (each) => `${each.window} ${client(each)}`).values()]
    .flatMap((list) => {
      const [first] = list;
      const spread = describeSpread(list.map(({ tokens }) => tokens));
      return first === undefined ? [] : [{ window: first.window, client: client(first), ...spread }];
    })
    .sort(
      (a, b) =>
        a.window - b.window || (a.client ?? '').localeCompare(b.client ?? '', 'en', { numeric: true }),
    );
}

export function calibrateSessions(sessions: readonly ReplayedSession[]): Calibration {
  const own = listOwn(sessions);
  const points = listPoints(own);
  const growth = sessions.map(listGrowth);
  const perPrompt = describeSpread(growth.flatMap(({ prompts }) => prompts));
  const hasTurns = perPrompt.n >= LEAST_TURNS && perPrompt.p90 !== null && perPrompt.p90 > 0;
  const shares = (of: (each: ReplayedCompaction) => number | null): Spread =>
    describeSpread(
      own.flatMap((each) => {
        const value = of(each);
        return value === null || !each.last_tokens ? [] : [toFraction(value, each.last_tokens)];
      }),
    );
  const usageOf = (list: readonly ReplayedCompaction[]): Spread =>
    describeSpread(
      list.flatMap(({ last_tokens, window }) =>
        last_tokens === null || window === null ? [] : [toFraction(last_tokens, window)],
      ),
    );
  const again = own.filter(({ rework }) => rework > 0);
  return {
    sessions: sessions.length,
    calls: sessions.reduce((sum, { series, copied_calls }) => sum + series.length - copied_calls, 0),
    compactions: { total: own.length, automatic: own.filter(isForeseeable).length },
    auto_compact: describePoints(points, () => null).map(({ client: _, ...each }) => each),
    auto_compact_by_client: describePoints(points, ({ client }) => client),
    growth: {
      per_call: describeSpread(growth.flatMap(({ calls }) => calls)),
      per_prompt: perPrompt,
      falls: growth.reduce((sum, { falls }) => sum + falls, 0),
    },
    typical_step: hasTurns ? Math.ceil((perPrompt.p90 ?? 0) / STEP_UNIT) * STEP_UNIT : null,
    after_compaction: Object.entries(collectSizes(sessions)).map(([window, sizes]) => ({
      window: Number(window),
      ...describeSpread(sizes),
    })),
    counted_by_client: shares(({ pre_tokens }) => pre_tokens),
    input_only: shares(({ other_methods }) => other_methods.input_only),
    rework: {
      compactions: again.length,
      files: again.reduce((sum, { rework }) => sum + rework, 0),
      usage_with: usageOf(again),
      usage_without: usageOf(own.filter(({ rework }) => rework === 0)),
    },
  };
}
