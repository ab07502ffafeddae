// Runs `plimsoll probe`: measures what was needed after compactions and how much of it the agent was told.

import { join, resolve } from 'node:path';
import { formatCount, type Output, toJson } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { findNewestHere } from '../sessions/commands/find-session.io.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { redact } from '../text/redact.ts';
import { FACT_KINDS } from './probe-fact.ts';
import { probeFiles } from './probe-files.io.ts';
import { findTranscripts } from './read-transcripts.io.ts';
import { ARMS, type Arm, type UnitScore } from './score-unit.ts';
import { type ProbeSummary, summarizeScores } from './summarize-scores.ts';

const WIDTHS = [18, 6, 7, 9, 9, 7, 7];
const row = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[index] ?? 0)))
    .join('  ')
    .trimEnd();

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

export interface ProbeOptions {
  json?: boolean;
  csv?: boolean;
  checks?: string;
}

const IDEAL_CHECKS = 5;

function filesOf(place: ProjectContext, paths: readonly string[]): string[] {
  if (paths.length > 0) return paths.flatMap((path) => findTranscripts(resolve(place.cwd, path)));
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

const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

function toCsv(units: readonly UnitScore[]): string {
  const head =
    'unit,session,kind,facts,needed,told_by_summary,told_with_plimsoll,told_by_plimsoll_alone,tokens';
  const rows = units.flatMap((unit) =>
    FACT_KINDS.map((kind) => {
      const facts = unit.facts.filter((fact) => fact.kind === kind);
      const needed = facts.filter((fact) => fact.needed);
      const told = (['summary', 'with', 'alone'] as const).map(
        (arm) => needed.filter((fact) => fact.told[arm]).length,
      );
      return [unit.name, unit.session, kind, facts.length, needed.length, ...told, unit.tokens]
        .map(cell)
        .join(',');
    }),
  );
  return [head, ...rows].join('\n');
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
  const files = filesOf(place, paths);
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
