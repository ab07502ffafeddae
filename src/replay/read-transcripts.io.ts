// Reads transcripts for the probe: whole files, plain or gzipped, line by line.

import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { splitUnits } from '../hosts/claude-code/replay/read-talk.ts';
import { replayHooks } from '../hosts/claude-code/replay/replay-hooks.io.ts';
import { exists, isFolder, listNames } from '../platform/look.ts';
import { countProcessors } from '../platform/process.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { LOG_FILE, readBytes, withFile } from '../platform/read.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { scoreUnit, type UnitScore } from './score-unit.ts';

// Probes files, several at a time: splits them into units, runs the hooks on each, and scores what they said.
interface ProbeInput {
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
    const { linesBefore, trigger, compaction } = unit;
    const { said } = await replayHooks({ hook, lines: lines.slice(0, linesBefore), trigger });
    const names = { name: units.length > 1 ? `${name}#${index + 1}` : name, session: unit.session ?? name };
    scores.push(scoreUnit(unit, said, { ...names, compaction, checks }));
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

const NEWLINE = 0x0a;
/** Names of transcripts that the probe reads, and those that are read line by line from their file. */
const PACKED = /\.jsonl(?:\.gz)?$/;
const PLAIN = /\.jsonl$/;

/** Hears why a file is left out. */
export type LeaveOut = (why: string) => void;

/** Those of the files that can be read, among others that nobody named: one that cannot must not cost the rest. */
export const keepReadable = (paths: readonly string[], leaveOut: LeaveOut): string[] =>
  paths.filter((path) => {
    try {
      return withFile(path, LOG_FILE, () => true) ?? false;
    } catch (error) {
      leaveOut(`Left out: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  });

/**
 * Transcripts among the files of a folder, by name; a file stands for itself.
 * @param command that reads them: only the probe unpacks what is gzipped
 * @throws PlimsollError `not-found` where there is none
 */
export function findTranscripts(
  path: string,
  command: 'probe' | 'replay' | 'calibrate' | 'report',
  leaveOut: LeaveOut = () => {},
): string[] {
  const isTranscript = command === 'probe' ? PACKED : PLAIN;
  const kinds = command === 'probe' ? '.jsonl, .jsonl.gz' : '.jsonl';
  const hint = `name a transcript (${kinds}), or a folder of them: plimsoll ${command} PATH`;
  if (!exists(path)) throw new PlimsollError('not-found', `Nothing is there: "${path}"`, { hint });
  if (!isFolder(path)) {
    if (isTranscript.test(path)) return [path];
    throw new PlimsollError('not-found', `No transcript by its name: "${path}"`, { hint });
  }
  const names = listNames(path).filter((name) => isTranscript.test(name) && !isFolder(join(path, name)));
  const paths = names.sort().map((name) => join(path, name));
  const found = keepReadable(paths, leaveOut);
  if (found.length > 0) return found;
  throw new PlimsollError('not-found', `There is no transcript in "${path}"`, { hint });
}

function unpack(path: string, file: Buffer): Buffer {
  try {
    return gunzipSync(file);
  } catch {
    throw new PlimsollError('invalid', `No whole gzip file: "${path}"`, {
      hint: 'pack it anew, or name the .jsonl',
    });
  }
}

/** Lines as they stand in the file, without empty ones. */
export function readTranscriptLines(path: string): string[] {
  const file = readBytes(path, LOG_FILE) ?? Buffer.alloc(0);
  const bytes = path.endsWith('.gz') ? unpack(path, file) : file;
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, from);
    const end = found < 0 ? bytes.length : found;
    if (end > from) lines.push(bytes.toString('utf8', from, end));
    from = end + 1;
  }
  return lines;
}

/** The object on a line, or null where it is torn. */
export const parseTranscriptLine = (line: string): unknown => tryOrNull(() => JSON.parse(line));
