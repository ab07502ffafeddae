// Probes files, several at a time: splits them into units, runs the hooks on each, and scores what they said.

import { basename } from 'node:path';
import { replayHooks } from '../hosts/claude-code/replay/replay-hooks.io.ts';
import { splitUnits } from '../hosts/claude-code/replay/split-units.ts';
import { countProcessors } from '../platform/process.ts';
import { parseTranscriptLine, readTranscriptLines } from './read-transcripts.io.ts';
import { scoreUnit, type UnitScore } from './score-unit.ts';

export interface ProbeInput {
  /** The hook bundle. */
  hook: string;
  /** How many checks the text holds that shows what is within reach. */
  checks: number;
}

const MOST_AT_ONCE = 4;

async function probeFile(path: string, { hook, checks }: ProbeInput): Promise<UnitScore[]> {
  const lines = readTranscriptLines(path);
  const units = splitUnits(lines.map(parseTranscriptLine));
  const name = basename(path).replace(/\.jsonl(?:\.gz)?$/, '');
  const scores: UnitScore[] = [];
  for (const [index, unit] of units.entries()) {
    const { linesBefore, trigger } = unit;
    const { said } = await replayHooks({ hook, lines: lines.slice(0, linesBefore), trigger });
    const names = { name: units.length > 1 ? `${name}#${index + 1}` : name, session: unit.session ?? name };
    scores.push(scoreUnit(unit, said, { ...names, checks }));
  }
  return scores;
}

/** The scores of all units, in the order of the files. */
export async function probeFiles(paths: readonly string[], input: ProbeInput): Promise<UnitScore[]> {
  const scores: UnitScore[][] = paths.map(() => []);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++)
      scores[at] = await probeFile(paths[at] ?? '', input);
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, countProcessors()) }, work));
  return scores.flat();
}
