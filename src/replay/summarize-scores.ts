// Adds up what was needed and told over many compactions, with an interval over their sessions.
import { FACT_KINDS, type FactKind } from './probe-fact.ts';
import { ARMS, type Arm, type UnitScore } from './score-unit.ts';

export interface RetentionCount {
  facts: number;
  needed: number;
  told: Record<Arm, number>;
}

export interface ProbeSummary {
  units: number;
  sessions: number;
  kinds: Record<FactKind, RetentionCount>;
  all: RetentionCount;
  /** Share of needed facts told, 0 to 1, or null where nothing was needed. */
  retention: Record<Arm, number | null>;
  /** The same as the mean of the kinds of which anything was needed. */
  meanOfKinds: Record<Arm, number | null>;
  /** 95 % of 1,000 samples of the sessions lie between these. */
  interval: Record<Arm, [number, number] | null>;
  /** The share of the facts told by our text that was needed. */
  precision: number | null;
  /** Points of needed retention gained for 100 tokens of our text. */
  pointsPer100Tokens: number | null;
  tokens: { mean: number; median: number; most: number; over500: number };
  /** Mean of reads of files that were known before. */
  readAgain: number;
  /** Median of the calls to the first edit, where one came. */
  callsToEdit: number | null;
}

const SAMPLES = 1_000;
const SEED = 0x9e3779b9;
const ALERT_TOKENS = 500;

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const eachArm = <T>(make: (arm: Arm) => T): Record<Arm, T> =>
  Object.fromEntries(ARMS.map((arm) => [arm, make(arm)])) as Record<Arm, T>;

function countFacts(units: readonly UnitScore[], kind: FactKind | null): RetentionCount {
  const facts = units.flatMap((unit) => unit.facts).filter((fact) => kind === null || fact.kind === kind);
  const needed = facts.filter((fact) => fact.needed);
  return {
    facts: facts.length,
    needed: needed.length,
    told: eachArm((arm) => needed.filter((fact) => fact.told[arm]).length),
  };
}

const share = (told: number, needed: number): number | null => (needed === 0 ? null : told / needed);
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Draws the sessions again and again, each as a whole. */
function sampleSessions(units: readonly UnitScore[]): Record<Arm, [number, number] | null> {
  const bySession = new Map<string, UnitScore[]>();
  for (const unit of units) bySession.set(unit.session, [...(bySession.get(unit.session) ?? []), unit]);
  const counts = [...bySession.values()].map((each) => countFacts(each, null));
  const next = seededNumbers(SEED);
  const samples = Array.from({ length: SAMPLES }, () => {
    const drawn = counts.map(() => counts[Math.floor(next() * counts.length)]);
    const needed = drawn.reduce((sum, each) => sum + (each?.needed ?? 0), 0);
    return eachArm((arm) =>
      share(
        drawn.reduce((sum, each) => sum + (each?.told[arm] ?? 0), 0),
        needed,
      ),
    );
  });
  return eachArm((arm) => {
    const values = samples.flatMap((sample) => sample[arm] ?? []).sort((a, b) => a - b);
    const low = values[Math.floor(values.length * 0.025)];
    const high = values[Math.ceil(values.length * 0.975) - 1];
    return low === undefined || high === undefined ? null : [low, high];
  });
}

export function summarizeScores(units: readonly UnitScore[]): ProbeSummary {
  const kinds = Object.fromEntries(FACT_KINDS.map((kind) => [kind, countFacts(units, kind)])) as Record<
    FactKind,
    RetentionCount
  >;
  const all = countFacts(units, null);
  const retention = eachArm((arm) => share(all.told[arm], all.needed));
  const used = Object.values(kinds).filter(({ needed }) => needed > 0);
  const ours = units.flatMap(({ facts }) => facts).filter((fact) => fact.told.alone);
  const tokens = units.map((unit) => unit.tokens);
  const gained = (retention.with ?? 0) - (retention.summary ?? 0);
  return {
    units: units.length,
    sessions: new Set(units.map(({ session }) => session)).size,
    kinds,
    all,
    retention,
    meanOfKinds: eachArm((arm) =>
      used.length === 0 ? null : mean(used.map(({ needed, told }) => told[arm] / needed)),
    ),
    interval: sampleSessions(units),
    precision: share(ours.filter((fact) => fact.needed).length, ours.length),
    pointsPer100Tokens: mean(tokens) === 0 ? null : (gained * 10_000) / mean(tokens),
    tokens: {
      mean: mean(tokens),
      median: median(tokens) ?? 0,
      most: Math.max(0, ...tokens),
      over500: tokens.filter((each) => each > ALERT_TOKENS).length,
    },
    readAgain: mean(units.map((unit) => unit.readAgain)),
    callsToEdit: median(units.flatMap((unit) => unit.callsToEdit ?? [])),
  };
}
