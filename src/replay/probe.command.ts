// Runs `plimsoll probe`: measures what was needed after compactions and how much of it the agent was told.

import { join, resolve } from 'node:path';
import { formatCount, type Output, toJson } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { findNewestHere } from '../sessions/commands/find-session.io.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { redact } from '../text/redact.ts';
import { FACT_KINDS, type FactKind } from './probe-fact.ts';
import { findTranscripts, type LeaveOut, probeFiles } from './read-transcripts.io.ts';
import { ARMS, type Arm, type UnitScore } from './score-unit.ts';
import { alignCells, formatCsv } from './tables.ts';

// Adds up what was needed and told over many compactions, with an interval over their sessions.
interface RetentionCount {
  facts: number;
  needed: number;
  told: Record<Arm, number>;
}

interface ProbeSummary {
  units: number;
  sessions: number;
  kinds: Record<FactKind, RetentionCount>;
  all: RetentionCount;
  /** Share of needed facts told, 0 to 1, or null where nothing was needed. */
  retention: Record<Arm, number | null>;
  /** The same as the mean of the kinds of which anything was needed. */
  meanOfKinds: Record<Arm, number | null>;
  /** 95% of 1,000 samples of the sessions lie between these. */
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

const WIDTHS = [18, 6, 7, 9, 9, 7, 7];
const row = (cells: readonly string[]): string => alignCells(cells, WIDTHS);

const points = (share: number | null): string => (share === null ? '-' : (share * 100).toFixed(1));
const one = (value: number): string => value.toFixed(1);

function probeText(summary: ProbeSummary, checks: number): string {
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
    `${formatCount(summary.units, 'compaction')} of ${formatCount(summary.sessions, 'session')}: facts that the work after it needed, and how many of them were told (%)`,
    '',
    row(['', 'facts', 'needed', 'summary', '+Plimsoll', 'alone', '+ideal']),
    ...rows,
    row(['all kinds', String(all.facts), String(all.needed), ...shares(retention)]),
    row(['mean of kinds', '', '', ...shares(meanOfKinds)]),
    row(['95% interval', '', '', ...ends]),
    '',
    `summary: the host's own; +Plimsoll: with what the hooks said; alone: only that; +ideal: also the ${checks} checks run most and the 4 files read last.`,
    '',
    `Plimsoll's text     ${one(tokens.mean)} tokens on average, median ${one(tokens.median)}, at most ${tokens.most}; ${tokens.over500} over 500`,
    `Precision           ${points(precision)}% of the facts that it tells were needed`,
    `Points per 100      ${pointsPer100Tokens === null ? '-' : pointsPer100Tokens.toFixed(2)} gained over the summary for 100 tokens`,
    `Work after it       ${one(summary.readAgain)} reads of files known before; first edit at call ${summary.callsToEdit ?? '-'} (median)`,
  ].join('\n');
}

export interface ProbeOptions {
  json?: boolean;
  csv?: boolean;
  checks?: string;
}

const IDEAL_CHECKS = 5;

function filesOf(place: ProjectContext, paths: readonly string[], leaveOut: LeaveOut): string[] {
  if (paths.length > 0)
    return paths.flatMap((path) => findTranscripts(resolve(place.cwd, path), 'probe', leaveOut));
  const newest = findNewestHere(place);
  if (newest !== null) return [newest.path];
  throw new PlimsollError('not-found', `No session of Claude Code was found for "${place.cwd}"`, {
    hint: 'name a transcript, or a folder of them: plimsoll probe PATH',
  });
}

function checksOf(given: string | undefined): number {
  if (given === undefined) return IDEAL_CHECKS;
  if (/^\d{1,2}$/.test(given)) return Number(given);
  throw new PlimsollError('usage', `--checks "${given}" is no number from 0 to 99`, {
    hint: 'plimsoll probe --checks 5',
  });
}

function toCsv(units: readonly UnitScore[]): string {
  const head = [
    ...['unit', 'session', 'kind', 'facts', 'needed'],
    ...['told_by_summary', 'told_with_plimsoll', 'told_by_plimsoll_alone', 'tokens'],
  ];
  const rows = units.flatMap((unit) =>
    FACT_KINDS.map((kind) => {
      const facts = unit.facts.filter((fact) => fact.kind === kind);
      const needed = facts.filter((fact) => fact.needed);
      const told = (['summary', 'with', 'alone'] as const).map(
        (arm) => needed.filter((fact) => fact.told[arm]).length,
      );
      return [unit.name, unit.session, kind, facts.length, needed.length, ...told, unit.tokens];
    }),
  );
  return formatCsv([head, ...rows]);
}

/** A compaction's scores as JSON, with the needed facts that nobody told, so that readers can act on them. */
const unitInJson = ({ facts, ...unit }: UnitScore) => ({
  ...unit,
  facts: facts.length,
  needed: facts.filter((fact) => fact.needed).length,
  missed: facts
    .filter((fact) => fact.needed && !fact.told.with)
    .map(({ kind, value }) => ({ kind, value: redact(value) })),
});

export async function probe(
  place: ProjectContext,
  paths: readonly string[],
  options: ProbeOptions,
  output: Output,
  dist: string,
): Promise<void> {
  const files = filesOf(place, paths, (why) => output.warn(why));
  const checks = checksOf(options.checks);
  const units = await probeFiles(files, { hook: join(dist, 'hook.cjs'), checks });
  if (units.length === 0)
    throw new PlimsollError(
      'not-found',
      `No compaction in ${files.length === 1 ? 'this transcript' : `these ${files.length} transcripts`}`,
      {
        hint: 'name transcripts of sessions that were compacted: plimsoll probe PATH',
      },
    );
  if (options.csv) return output.print(toCsv(units));
  const summary = summarizeScores(units);
  if (options.json)
    return output.print(toJson({ schema_version: '1.0.0', ...summary, each: units.map(unitInJson) }));
  output.print(probeText(summary, checks));
}
