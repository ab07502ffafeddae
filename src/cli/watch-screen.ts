// Lays out the live view of `plimsoll watch`: the sessions, the course of their context usage, and the last events.
import type { LoggedEvent } from '../model/log-event.ts';
import { ago } from '../tags/ago.ts';
import { columns, cutTo } from '../tags/columns.ts';
import { thousands } from '../tags/short-monitor.ts';
import { sparkline } from '../tags/sparkline.ts';
import { TIER_COLOURS } from '../tags/status-line.ts';
import { eventLine } from './events.ts';
import { count, printable } from './output.ts';
import type { Watched } from './watch-conversation.ts';

/** A piece of a line, with its colour code. */
export interface Piece {
  text: string;
  colour?: string;
}
export type Line = Piece[];

const DIM = '2';
const BOLD = '1';
const GREEN = '32';

/** Shortens an id: its beginning is enough to tell it from others. */
export const briefId = (id: string): string => printable(id).slice(0, 8).padEnd(8);

const share = (fraction: number | null): string =>
  fraction === null ? '?' : `${Math.floor(fraction * 100 + 1e-9)}%`;

/** Formats the figures in words, the same for plain text and the screen. */
export function figures({ assessment }: Watched): string {
  const { reading, headroom, usable } = assessment;
  if (reading.tokens === null) return 'fill unknown';
  const about = reading.estimated ? 'about ' : '';
  return `${about}${thousands(reading.tokens)} of ${thousands(usable)}, ${thousands(headroom ?? 0)} left`;
}

function remarks({ state, compactions, calls, section }: Watched, now: number): string {
  const last = state?.last_checkpoint ?? null;
  return [
    count(compactions, 'compaction'),
    last === null ? 'no checkpoint' : `${printable(last.id)} ${ago((now - Date.parse(last.at)) / 1000)}`,
    ...(calls === null ? [] : [`${count(calls, 'call')} since`]),
    ...(section === null ? [] : [`section ${section}`]),
    ...(state?.pending ? ['compacting'] : []),
    ...(state?.alert?.status === 'leased' ? ['alert not proved yet'] : []),
    ...(state?.off ? ['silenced'] : []),
  ].join(' · ');
}

const SPARK = 40;

function conversationLines(each: Watched, now: number, width: number): Line[] {
  const { tier, usable_fill: fill } = each.assessment;
  const colour = tier === null ? {} : { colour: TIER_COLOURS[tier] };
  const spark = sparkline(each.fills, Math.max(8, Math.min(SPARK, width - 60)));
  return [
    [
      { text: each.isUnderWay ? '●' : '○', ...(each.isUnderWay ? { colour: GREEN } : {}) },
      { text: ` ${briefId(each.id)}  `, colour: BOLD },
      { text: `${(tier ?? 'unknown').padEnd(9)} ${share(fill).padStart(4)}`, ...colour },
      { text: `  ${figures(each)}` },
      { text: each.isUnderWay ? '' : `  ended or silent ${ago((now - each.at) / 1000)}`, colour: DIM },
    ],
    [
      { text: '  ' },
      { text: spark, ...colour },
      { text: `${spark === '' ? '' : '  '}${remarks(each, now)}`, colour: DIM },
    ],
  ];
}

/**
 * Lays out the whole view.
 * @param options.rows the lines that fit; infinity where nothing limits them
 */
export function screen(
  view: { title: string; conversations: readonly Watched[]; events: readonly LoggedEvent[] },
  options: { now: number; rows: number; width: number; foot: string | null },
): Line[] {
  const { conversations, events } = view;
  const { now, rows, width, foot } = options;
  const underWay = conversations.filter((each) => each.isUnderWay).length;
  const head: Line[] = [
    [
      { text: view.title, colour: BOLD },
      { text: `  ${count(underWay, 'conversation')} under way`, colour: DIM },
    ],
    [],
  ];
  const feet: Line[] = foot === null ? [] : [[], [{ text: foot, colour: DIM }]];
  // A line of events is worth more than a session that has ended.
  const room = Math.max(2, rows - head.length - feet.length - 3);
  const blocks: Line[] = [];
  let hidden = 0;
  for (const each of conversations) {
    if (blocks.length > 0 && blocks.length + 3 > room) hidden++;
    else blocks.push(...conversationLines(each, now, width), []);
  }
  if (conversations.length === 0) blocks.push([{ text: 'No conversation of Claude Code here yet.' }], []);
  if (hidden > 0) blocks.push([{ text: `${hidden} more, for which there is no room`, colour: DIM }], []);
  const left = Math.max(0, rows - head.length - blocks.length - feet.length - 1);
  const last = left === 0 ? [] : events.slice(-Math.min(left, 12));
  const eventLines: Line[] = [
    [{ text: events.length === 0 ? 'No events yet.' : 'Events', colour: DIM }],
    ...last.map((event): Line => [{ text: eventLine(event, event.conversation ?? event.stream) }]),
  ];
  return [...head, ...blocks, ...eventLines, ...feet].slice(0, rows);
}

/** Formats a line for output: at most `width` columns, with or without colours. */
export function written(line: Line, width: number, hasColours: boolean): string {
  let left = width;
  return line
    .map(({ text: given, colour }) => {
      const text = printable(given).replace(/[\n\t]/g, ' ');
      const cut = columns(text) <= left ? text : cutTo(text, left);
      left -= columns(cut);
      return cut === '' || colour === undefined || !hasColours ? cut : `\u001b[${colour}m${cut}\u001b[0m`;
    })
    .join('')
    .trimEnd();
}
