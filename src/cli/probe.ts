// Runs `plimsoll probe`: measures what was needed after compactions and how much of it the agent was told.
import { join, resolve } from 'node:path';
import { redact } from '../model/redact.ts';
import { FACT_KINDS } from '../replay/probe-fact.ts';
import { probeFiles } from '../replay/probe-files.io.ts';
import { findTranscripts } from '../replay/read-transcripts.io.ts';
import type { UnitScore } from '../replay/score-unit.ts';
import { summarizeScores } from '../replay/summarize-scores.ts';
import { newestHere } from './conversation.ts';
import { type Output, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';
import { probeText } from './probe-text.ts';

export interface ProbeOptions {
  json?: boolean;
  csv?: boolean;
  checks?: string;
}

const IDEAL_CHECKS = 5;

function filesOf(place: Place, paths: readonly string[]): string[] {
  if (paths.length > 0) return paths.flatMap((path) => findTranscripts(resolve(place.cwd, path)));
  const newest = newestHere(place);
  if (newest !== null) return [newest.path];
  throw new UserError(`No conversation of Claude Code was found for "${place.cwd}"`, {
    hint: 'name a transcript, or a folder of them: plimsoll probe PATH',
  });
}

function checksOf(given: string | undefined): number {
  if (given === undefined) return IDEAL_CHECKS;
  if (/^\d{1,2}$/.test(given)) return Number(given);
  throw new UserError(`--checks "${given}" is no number from 0 to 99`, {
    hint: 'plimsoll probe --checks 5',
    code: 2,
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
  place: Place,
  paths: readonly string[],
  options: ProbeOptions,
  output: Output,
  dist: string,
): Promise<void> {
  const files = filesOf(place, paths);
  const checks = checksOf(options.checks);
  const units = await probeFiles(files, { hook: join(dist, 'hook.cjs'), checks });
  if (units.length === 0)
    throw new UserError(
      `No compaction in ${files.length === 1 ? 'this transcript' : `these ${files.length} transcripts`}`,
      {
        hint: 'name transcripts of conversations that were compacted: plimsoll probe PATH',
      },
    );
  if (options.csv) return output.print(toCsv(units));
  const summary = summarizeScores(units);
  if (options.json)
    return output.print(toJson({ schema_version: '1.0.0', ...summary, each: units.map(unitInJson) }));
  output.print(probeText(summary, checks));
}
