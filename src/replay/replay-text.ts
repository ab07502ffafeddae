// Formats replayed sessions: a table for people, comma-separated values and JSON for programs.

import { formatThousands } from '../text/lines.ts';
import {
  CHANNELS,
  type Channel,
  isOwnCompaction,
  type Lead,
  type ReplayedCompaction,
  type ReplayedSession,
} from './replayed.ts';
import { alignCells, findMedian, formatCsv } from './tables.ts';

/** Needed facts after a compaction, and how many of them were told: by the host's summary, and with our text. */
export interface CompactionRetention {
  needed: number;
  by_summary: number;
  with_plimsoll: number;
  /** Tokens of our text. */
  tokens: number;
}

/** A file as it is shown: its name, what was replayed, and where it was measured the retention of each compaction. */
export interface ShownFile extends ReplayedSession {
  name: string;
  path: string;
  retention: (CompactionRetention | null)[] | null;
}

/** Compactions that people are shown one by one. */
const MOST_LINES = 40;
const LEAD_PARTS = ['calls', 'minutes', 'tokens', 'prompts'] as const;
const OTHERS = ['input_only', 'summed', 'bytes_by_4'] as const;
const RETENTION = ['needed', 'by_summary', 'with_plimsoll', 'tokens'] as const;

const CHANNEL_NAMES: Record<Channel, string> = {
  prompt_only: 'prompts only',
  with_tool_use: 'prompts and tools',
  status_line: 'status line',
};
const OTHER_NAMES = {
  input_only: 'input tokens alone',
  summed: 'all calls added up',
  bytes_by_4: 'bytes / 4',
} as const;

/** Compactions of a file that are its own, not copied from another one, each with its number in the file. */
const ownCompactions = (file: ShownFile) =>
  file.compactions
    .map((compaction, index) => ({
      compaction,
      number: index + 1,
      retention: file.retention?.[index] ?? null,
    }))
    .filter(({ compaction }) => isOwnCompaction(file, compaction));

export function replayCsv(files: readonly ShownFile[]): string {
  const isMeasured = files.some(({ retention }) => retention !== null);
  const head = [
    ...['file', 'compaction', 'trigger', 'pre_tokens', 'next_tokens'],
    ...CHANNELS.flatMap((channel) => LEAD_PARTS.map((part) => `${channel}_${part}`)),
    ...OTHERS,
    'rework',
    ...(isMeasured ? RETENTION.map((part) => `retention_${part}`) : []),
  ];
  const rows = files.flatMap((file) =>
    ownCompactions(file).map(({ compaction, number, retention }) => [
      ...[file.name, number, compaction.trigger, compaction.pre_tokens, compaction.next_tokens],
      ...CHANNELS.flatMap((channel) => LEAD_PARTS.map((part) => compaction.lead[channel]?.[part] ?? null)),
      ...OTHERS.map((method) => compaction.other_methods[method]),
      compaction.rework,
      ...(isMeasured ? RETENTION.map((part) => retention?.[part] ?? null) : []),
    ]),
  );
  return formatCsv([head, ...rows]);
}

export const replayData = (files: readonly ShownFile[]) => ({
  schema_version: '1.0.0',
  files: files.map(({ path, name: _, call_keys: __, detail: ___, retention, compactions, ...file }) => ({
    file: path,
    ...file,
    compactions: compactions.map((each, index) => ({
      ...each,
      ...(retention === null ? {} : { retention: retention[index] ?? null }),
    })),
  })),
});

const WIDTHS = [18, 10, 7, 9, 9, 9];
const row = (cells: readonly string[]): string => alignCells(cells, WIDTHS);
const figure = (tokens: number | null): string => (tokens === null ? '?' : formatThousands(tokens));
const count = (number: number, one: string): string =>
  `${formatThousands(number)} ${one}${number === 1 ? '' : 's'}`;

/** One channel in a line: in how many compactions it warned before, and the medians of its leads. */
function channelRow(channel: Channel, compactions: readonly ReplayedCompaction[]): string {
  // Before a compaction that no measured call precedes, nobody can warn.
  const leads = compactions
    .filter(({ last_tokens }) => last_tokens !== null)
    .map(({ lead }) => lead[channel]);
  const given = leads.filter((lead): lead is Lead => lead !== null);
  const middle = (part: keyof Lead): string => {
    const value = findMedian(given.flatMap((lead) => lead[part] ?? []));
    return value === null ? '-' : formatThousands(value);
  };
  return row([CHANNEL_NAMES[channel], `${given.length} of ${leads.length}`, ...LEAD_PARTS.map(middle)]);
}

/** What another method would have shown: the median of its figures as a percentage of what the host counted. */
function otherRow(method: (typeof OTHERS)[number], compactions: readonly ReplayedCompaction[]): string {
  const shares = compactions.flatMap(({ other_methods, last_tokens }) => {
    const shown = other_methods[method];
    return last_tokens === null || shown === null ? [] : [(100 * shown) / last_tokens];
  });
  const sorted = [...shares].sort((a, b) => a - b);
  const percent = (share: number | null | undefined): string =>
    share == null ? '-' : share > 0 && share < 1 ? '< 1%' : `${formatThousands(Math.round(share))}%`;
  return row([OTHER_NAMES[method], percent(findMedian(shares)), percent(sorted[0]), percent(sorted.at(-1))]);
}

function retentionText(files: readonly ShownFile[]): string[] {
  const measured = files.flatMap(({ retention }) => retention ?? []).filter((each) => each !== null);
  if (measured.length === 0) return [];
  const sum = (part: keyof CompactionRetention): number =>
    measured.reduce((total, each) => total + each[part], 0);
  const share = (part: 'by_summary' | 'with_plimsoll'): string =>
    sum('needed') === 0 ? '-' : `${((100 * sum(part)) / sum('needed')).toFixed(1)}%`;
  return [
    '',
    `The work after a compaction needed ${count(sum('needed'), 'fact')} of before it: told by the host's summary ${share('by_summary')}, with Plimsoll's text ${share('with_plimsoll')} (${formatThousands(Math.round(sum('tokens') / measured.length))} tokens on average).`,
  ];
}

function compactionLine(name: string, each: ReturnType<typeof ownCompactions>[number]): string {
  const { trigger, pre_tokens, last_tokens, next_tokens, lead, rework } = each.compaction;
  const leads = CHANNELS.map((channel) => {
    const given = lead[channel];
    return `${CHANNEL_NAMES[channel]}: ${given === null ? 'no warning' : `${count(given.calls, 'call')} before`}`;
  });
  const again = rework === 0 ? '' : `; ${count(rework, 'file')} read again`;
  return `${name} #${each.number}: ${trigger ?? 'unknown trigger'}, ${figure(pre_tokens ?? last_tokens)} → ${figure(next_tokens)}; ${leads.join(', ')}${again}`;
}

export function replayText(files: readonly ShownFile[]): string {
  const own = files.flatMap((file) => ownCompactions(file).map((each) => ({ name: file.name, each })));
  const compactions = own.map(({ each }) => each.compaction);
  const calls = files.reduce((sum, { series, copied_calls }) => sum + series.length - copied_calls, 0);
  const copied = files.reduce((sum, { copied_calls }) => sum + copied_calls, 0);
  const alarms = files.reduce((sum, each) => sum + each.false_alarms, 0);
  const rework = compactions.reduce((sum, each) => sum + each.rework, 0);
  const total = `${count(files.length, 'session')}, ${count(calls, 'call')}, ${count(compactions.length, 'compaction')}`;
  const alone = `Warnings without a compaction after them: ${alarms} of ${count(files.length, 'session')}.`;
  return [
    ...(compactions.length === 0
      ? [total, '', alone]
      : [
          `${total}: the first warning (WARNING or above) before each, by who hears of the usage`,
          '',
          row(['', 'warned', 'calls', 'minutes', 'tokens', 'prompts']),
          ...CHANNELS.map((channel) => channelRow(channel, compactions)),
          '',
          'warned: before how many compactions that a measured call precedes; the rest are medians, over these, of what was left from the warning to the compaction.',
          `${alone} Files known before and read again within 20 calls: ${rework}.`,
          '',
          "What other methods would have shown before these compactions, in percent of the last call's context:",
          '',
          row(['', 'median', 'least', 'most']),
          ...OTHERS.map((method) => otherRow(method, compactions)),
          ...retentionText(files),
          '',
          ...own.slice(0, MOST_LINES).map(({ name, each }) => compactionLine(name, each)),
          ...(own.length > MOST_LINES
            ? [
                `… and ${count(own.length - MOST_LINES, 'compaction')} more: plimsoll replay --csv names all of them.`,
              ]
            : []),
        ]),
    ...(copied === 0 ? [] : ['', `${count(copied, 'call')} that forks copied from other files count once.`]),
  ].join('\n');
}
