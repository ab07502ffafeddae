// Runs `plimsoll replay`: what would have been announced in past sessions, and how early before each compaction.

import { basename, resolve } from 'node:path';
import { formatCount, type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { readLearned } from '../context/learned-thresholds.io.ts';
import { listTranscripts } from '../hosts/claude-code/install/files.io.ts';
import { forEachLine, parseLine, reading } from '../hosts/transcript.io.ts';
import { formatThousands } from '../text/lines.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { findTranscripts } from './read-transcripts.io.ts';
import { createReplay, type Lead, type ReplayedSession, type ReplayInput } from './replay-session.ts';
import { alignCells, formatCsv } from './tables.ts';

export interface ReplayOptions {
  all?: boolean;
  csv?: boolean;
  json?: boolean;
}

interface ReplayedFile extends ReplayedSession {
  path: string;
}

/** Replays one file, line by line, in the memory of one block and one line. */
function replayFile(path: string, input: ReplayInput): ReplayedFile {
  return reading<ReplayedFile>(path, { path, ...createReplay(input).finish(0) }, (descriptor, size) => {
    const replayed = createReplay(input);
    forEachLine(descriptor, size, (line, offset) => {
      replayed.add(line, offset);
      return true;
    });
    return { path, ...replayed.finish(size) };
  });
}

function filesOf(place: ProjectContext, paths: readonly string[], isAll: boolean): string[] {
  if (paths.length > 0) return paths.flatMap((path) => findTranscripts(resolve(place.cwd, path), 'replay'));
  const found = listTranscripts(isAll ? null : (place.root ?? place.cwd), place.env).map(({ path }) => path);
  if (found.length > 0) return found;
  throw new PlimsollError('not-found', `No session of Claude Code was found for "${place.cwd}"`, {
    hint: 'name a transcript or a folder of them: plimsoll replay PATH; or take all projects: plimsoll replay --all',
  });
}

const CHANNELS = ['prompt_only', 'with_tool_use'] as const;

function toCsv(files: readonly ReplayedFile[]): string {
  const parts = ['calls', 'minutes', 'tokens', 'prompts'] as const;
  const head = [
    ...['file', 'compaction', 'trigger', 'pre_tokens', 'next_tokens'],
    ...CHANNELS.flatMap((channel) => parts.map((part) => `${channel}_${part}`)),
    'rework',
  ];
  const rows = files.flatMap(({ path, compactions }) =>
    compactions.map(({ trigger, pre_tokens, next_tokens, lead, rework }, index) => [
      ...[basename(path), index + 1, trigger, pre_tokens, next_tokens],
      ...CHANNELS.flatMap((channel) => parts.map((part) => lead[channel]?.[part] ?? null)),
      rework,
    ]),
  );
  return formatCsv([head, ...rows]);
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** One channel in a line: in how many compactions it warned before, and the medians of its leads. */
function channelRow(name: string, leads: readonly (Lead | null)[]): string[] {
  const given = leads.filter((lead) => lead !== null);
  const middle = (part: keyof Lead): string => {
    const value = median(given.flatMap((lead) => lead[part] ?? []));
    return value === null ? '-' : formatThousands(value);
  };
  const parts = (['calls', 'minutes', 'tokens', 'prompts'] as const).map(middle);
  return [name, `${given.length} of ${leads.length}`, ...parts];
}

const WIDTHS = [18, 10, 7, 9, 9, 9];
const row = (cells: readonly string[]): string => alignCells(cells, WIDTHS);

function replayText(files: readonly ReplayedFile[], place: ProjectContext): string {
  const compactions = files.flatMap((file) => file.compactions);
  const calls = files.reduce((sum, { series }) => sum + series.length, 0);
  const alarms = files.reduce((sum, each) => sum + each.false_alarms, 0);
  const rework = compactions.reduce((sum, each) => sum + each.rework, 0);
  const compacted = files.filter((file) => file.compactions.length > 0);
  const figure = (tokens: number | null): string => (tokens === null ? '?' : formatThousands(tokens));
  return [
    `${formatCount(files.length, 'session')}, ${formatCount(calls, 'call')}, ${formatCount(compactions.length, 'compaction')}: the first warning (WARNING or above) before each, by who hears of the usage`,
    '',
    row(['', 'warned', 'calls', 'minutes', 'tokens', 'prompts']),
    row(
      channelRow(
        'prompts only',
        compactions.map(({ lead }) => lead.prompt_only),
      ),
    ),
    row(
      channelRow(
        'prompts and tools',
        compactions.map(({ lead }) => lead.with_tool_use),
      ),
    ),
    '',
    'warned: before how many compactions; the rest are medians of what was left from the warning to the compaction.',
    `Warnings without a compaction after them: ${alarms} of ${formatCount(files.length, 'session')}. Files known before and read again within 20 calls: ${rework}.`,
    ...(compacted.length === 0 ? [] : ['']),
    ...compacted.flatMap(({ path, compactions: each }) =>
      each.map(
        ({ trigger, pre_tokens, last_tokens, next_tokens, lead }, index) =>
          `${displayPath(path, place)} #${index + 1}: ${trigger ?? 'unknown trigger'}, ${figure(pre_tokens ?? last_tokens)} → ${figure(next_tokens)}; ${CHANNELS.map((channel) => `${channel === 'prompt_only' ? 'prompts' : 'tools too'}: ${lead[channel] === null ? 'no warning' : `${formatCount(lead[channel].calls, 'call')} before`}`).join(', ')}`,
      ),
    ),
  ].join('\n');
}

const fileInJson = ({ path, ...file }: ReplayedFile) => ({ file: path, ...file });

export async function replay(
  place: ProjectContext,
  paths: readonly string[],
  options: ReplayOptions,
  output: Output,
): Promise<void> {
  const { host, resolved } = place;
  const input: ReplayInput = {
    facts: host.facts,
    parse: (line) => parseLine(line as Buffer),
    entries: host.entries,
    limits: host.limits,
    assessment: resolved.assessment,
    settings: { ...resolved.settings, enabled: true },
    client: resolved.client,
    learned: readLearned(place.env),
  };
  const files = filesOf(place, paths, options.all === true).map((path) => replayFile(path, input));
  if (files.every(({ series, compactions }) => series.length === 0 && compactions.length === 0))
    throw new PlimsollError('not-found', 'Nothing in it is a call of a model, or a compaction', {
      hint: 'name transcripts of sessions: plimsoll replay PATH',
    });
  if (options.json) return output.print(toJson({ schema_version: '1.0.0', files: files.map(fileInJson) }));
  output.print(options.csv ? toCsv(files) : replayText(files, place));
}
