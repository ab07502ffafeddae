// Draws what happened in a session below its usage: a row for each kind of moment, and a lane for each subagent.

import { areaY, axisY, dot, lineY, ruleX, ruleY, text } from '@observablehq/plot';
import { formatThousands } from '../../text/lines.ts';
import { formatMoment, formatShort, type ReportedSession } from '../report-data.ts';
import { type ColourName, colour } from '../style.ts';
import { type ChartSize, type Drawn, drawPlot, findMargins } from './drawing.ts';

/** Rows of subagents that are drawn; the table has all. */
const MOST_LANES = 12;
const ROW = 22;
const LANE = 26;

interface Mark {
  row: string;
  x: number;
  title: string;
}

const SYMBOLS: Record<
  string,
  { symbol: 'diamond2' | 'square2' | 'triangle2' | 'cross' | 'circle'; name: ColourName }
> = {
  compactions: { symbol: 'triangle2', name: 'compaction' },
  messages: { symbol: 'diamond2', name: 'message' },
  checkpoints: { symbol: 'square2', name: 'checkpoint' },
  gates: { symbol: 'cross', name: 'limit' },
};

function findMarks({ replay }: ReportedSession): Mark[] {
  const { compactions, messages, events } = replay;
  const ofType = (type: string, row: string, say: (event: (typeof events)[number]) => string): Mark[] =>
    events
      .filter((event) => event.type === type)
      .map((event) => ({ row, x: event.call + 0.5, title: `${say(event)}, ${formatMoment(event.at)}` }));
  return [
    ...compactions.map(({ call, trigger, at }, index) => ({
      row: 'compactions',
      x: call + 0.5,
      title: `Compaction ${index + 1}, ${trigger ?? 'unknown trigger'}, ${formatMoment(at)}`,
    })),
    ...messages.map(({ call, name, tokens, at }) => ({
      row: 'messages',
      x: call + 0.5,
      title: `${name}, ${tokens} tokens, ${formatMoment(at)}`,
    })),
    ...ofType(
      'CheckpointCreated',
      'checkpoints',
      ({ checkpoint, trigger }) => `Checkpoint ${checkpoint ?? ''} (${trigger ?? ''})`,
    ),
    ...ofType('GateScored', 'gates', ({ gate, score, verdict }) => `Gate ${gate}: ${score ?? ''} ${verdict}`),
  ];
}

/** Draws a row of signs for each kind of moment that the session had; null where it had none. */
export function drawMoments(session: ReportedSession, size: ChartSize): Drawn | null {
  const marks = findMarks(session);
  const rows = Object.keys(SYMBOLS).filter((row) => marks.some((mark) => mark.row === row));
  if (rows.length === 0) return null;
  return drawPlot({
    width: size.width,
    height: rows.length * ROW + 6,
    ...findMargins(size),
    marginTop: 2,
    marginBottom: 4,
    x: { domain: [0.5, session.replay.calls.length + 0.5], axis: null },
    y: { type: 'point', domain: rows, label: null },
    marks: [
      ruleY(rows, { y: (row: string) => row, stroke: colour('line') }),
      axisY({
        anchor: size.isNarrow ? 'right' : 'left',
        ...{ tickSize: 0, tickPadding: 6, label: null, color: colour('soft') },
      }),
      ...rows.map((row) => {
        const { symbol, name } = SYMBOLS[row] ?? { symbol: 'circle' as const, name: 'ink' as const };
        return dot(
          marks.filter((mark) => mark.row === row),
          {
            x: 'x',
            y: 'row',
            symbol,
            r: 4.5,
            fill: colour('page'),
            stroke: colour(name),
            strokeWidth: 1.6,
            title: 'title',
            className: row,
          },
        );
      }),
    ],
  });
}

/** Where a time lies among the main-chain calls; null where the times do not tell. */
function placeAmong(times: readonly number[], at: string | null): number | null {
  const time = Date.parse(at ?? '');
  if (Number.isNaN(time) || times.length === 0) return null;
  const next = times.findIndex((each) => each >= time);
  if (next < 0) return times.length + 0.5;
  if (next === 0) return 0.5;
  const [before = time, after = time] = [times[next - 1], times[next]];
  return next + (after > before ? (time - before) / (after - before) : 0);
}

const cutName = (name: string, most: number): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name;

/** Draws a lane for each subagent, as high as its usage; null where there was none. */
export function drawLanes(session: ReportedSession, size: ChartSize): Drawn | null {
  const { agents, calls } = session.replay;
  let latest = 0;
  const times = calls.map(({ at }) => {
    const time = Date.parse(at ?? '');
    latest = Number.isNaN(time) ? latest : Math.max(latest, time);
    return latest;
  });
  const lanes = agents.slice(0, MOST_LANES).map((agent, index) => ({
    name: cutName(`${index + 1} ${agent.id.replace(/^agent-/, '')}`, size.isNarrow ? 10 : 12),
    index,
    peak: Math.max(0, ...agent.calls.map(({ tokens }) => tokens)),
    points: agent.calls.flatMap(({ at, tokens }) => {
      const x = placeAmong(times, at);
      return x === null ? [] : [{ x, tokens }];
    }),
  }));
  if (lanes.length === 0) return null;
  const most = Math.max(1, ...lanes.map(({ peak }) => peak));
  const base = (index: number): number => index + 1;
  const points = lanes.flatMap(({ index, name, points: own }) =>
    own.map(({ x, tokens }) => ({
      ...{ x, lane: index, y: base(index), top: base(index) - 0.8 * (tokens / most) },
      title: `Subagent ${name}: ${formatThousands(tokens)} tokens`,
    })),
  );
  return drawPlot({
    width: size.width,
    height: lanes.length * LANE + 8,
    ...findMargins(size),
    marginTop: 4,
    marginBottom: 4,
    x: { domain: [0.5, calls.length + 0.5], axis: null },
    y: { domain: [lanes.length, 0], axis: null },
    marks: [
      ruleY(lanes, { y: ({ index }) => base(index), stroke: colour('line') }),
      areaY(points, { x: 'x', y1: 'y', y2: 'top', z: 'lane', fill: colour('agent'), fillOpacity: 0.25 }),
      lineY(points, { x: 'x', y: 'top', z: 'lane', stroke: colour('agent'), strokeWidth: 1.2 }),
      ruleX(points, {
        x: 'x',
        y1: 'y',
        y2: 'top',
        stroke: colour('agent'),
        title: 'title',
        className: 'subagent',
      }),
      text(lanes, {
        frameAnchor: size.isNarrow ? 'right' : 'left',
        textAnchor: size.isNarrow ? 'start' : 'end',
        dx: size.isNarrow ? 6 : -8,
        y: ({ index }) => base(index) - 0.35,
        text: 'name',
        fill: colour('soft'),
      }),
      ...(size.isNarrow
        ? []
        : [
            text(lanes, {
              frameAnchor: 'right',
              y: ({ index }) => base(index) - 0.35,
              text: ({ peak }) => `peak ${formatShort(peak)}`,
              textAnchor: 'start',
              dx: 6,
              fill: colour('soft'),
            }),
          ]),
    ],
  });
}
