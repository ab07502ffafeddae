// Draws a session: its usage against window, limit and tiers, the moments below it, and a lane for each subagent.

import { areaY, axisX, axisY, dot, gridY, lineY, rect, ruleX, ruleY, text } from '@observablehq/plot';
import type { Tier } from '../../context/tier.ts';
import { formatThousands } from '../../text/lines.ts';
import type { Markup } from '../html.ts';
import {
  findLimitStretches,
  formatMoment,
  formatShort,
  type LimitStretch,
  type ReportedSession,
  type ReportInput,
} from '../report-data.ts';
import { type ColourName, colour } from '../style.ts';
import { type ChartSize, type Drawn, drawPlot, findMargins, stackDrawings, thinIndexes } from './drawing.ts';
import { drawLanes, drawMoments } from './moments-chart.ts';

const BANDS: Partial<Record<Tier, ColourName>> = {
  LOW: 'low',
  WARNING: 'warning',
  CRITICAL: 'critical',
  EMERGENCY: 'emergency',
};

interface Band {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  tier: Tier;
}

/** The tiers as rectangles from where each begins to where the next one does; the last one ends at the limit. */
function findBands(stretches: readonly LimitStretch[]): Band[] {
  return stretches.flatMap(({ from, to, limit, begins }) =>
    begins.flatMap(({ tier, tokens }, index) => {
      const top = begins[index + 1]?.tokens ?? Math.max(limit, tokens);
      return top > tokens ? [{ x1: from + 0.5, x2: to + 0.5, y1: tokens, y2: top, tier }] : [];
    }),
  );
}

/** Moves labels apart that stand closer than `least`: up from the lowest, and down again from the top. */
function spreadLabels<T extends { y: number }>(
  labels: readonly T[],
  least: number,
  top: number,
): (T & { shown: number })[] {
  let below = Number.NEGATIVE_INFINITY;
  const up = [...labels]
    .sort((a, b) => a.y - b.y)
    .map((label) => {
      below = Math.max(label.y, below + least);
      return { ...label, shown: below };
    });
  let above = top + least;
  for (const label of up.reverse()) {
    label.shown = Math.min(label.shown, above - least);
    above = label.shown;
  }
  return up;
}

interface Point {
  x: number;
  y: number;
  segment: number;
}

function findPoints({ replay }: ReportedSession, most: number): Point[] {
  const ends = replay.compactions.map(({ call }) => call);
  const { calls } = replay;
  const points: Point[] = [];
  let from = 0;
  for (const [segment, to] of [...ends, calls.length].entries()) {
    const part = calls.slice(from, to).map(({ tokens }) => tokens);
    const share = Math.max(2, Math.round((most * part.length) / Math.max(1, calls.length)));
    for (const index of thinIndexes(part, share))
      points.push({ x: from + index + 1, y: part[index] ?? 0, segment });
    from = Math.max(from, to);
  }
  return points;
}

/** Pixels that the number of a compaction needs. */
const NUMBER_WIDTH = 16;

/** The numbers of the compactions, left out where they would stand on each other. */
function findNumbers({ replay: { calls, compactions } }: ReportedSession, size: ChartSize) {
  const { marginLeft, marginRight } = findMargins(size);
  const pixels = (size.width - marginLeft - marginRight) / Math.max(1, calls.length);
  let last = Number.NEGATIVE_INFINITY;
  return compactions.flatMap(({ call }, index) => {
    if ((call - last) * pixels < NUMBER_WIDTH) return [];
    last = call;
    return [{ x: call + 0.5, number: String(index + 1) }];
  });
}

/** Invisible stretches of the chart that say their figures when pointed at. */
function findTips({ replay: { calls } }: ReportedSession, most: number) {
  const count = Math.min(most, calls.length);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * calls.length) / count);
    const to = Math.floor(((index + 1) * calls.length) / count);
    const part = calls.slice(from, to);
    const [first] = part;
    const high = Math.max(...part.map(({ tokens }) => tokens));
    const low = Math.min(...part.map(({ tokens }) => tokens));
    const top = part.find(({ tokens }) => tokens === high);
    const name = part.length > 1 ? `Calls ${from + 1} to ${to}` : `Call ${to}`;
    const tokens =
      low === high ? formatThousands(high) : `${formatThousands(low)} to ${formatThousands(high)}`;
    const share = Math.round((100 * high) / (top?.limit ?? high));
    return {
      x1: from + 0.5,
      x2: to + 0.5,
      title: `${name}, ${formatMoment(first?.at ?? null)}\n${tokens} tokens, ${share}% of the limit${top?.tier == null ? '' : `, ${top.tier}`}\n${first?.model ?? ''}`,
    };
  });
}

function drawUsage(session: ReportedSession, input: ReportInput, size: ChartSize): Drawn {
  const { calls, compactions } = session.replay;
  const stretches = findLimitStretches(calls, input.assessment);
  const last = stretches.at(-1);
  const bands = findBands(stretches);
  const top = Math.max(1_000, ...stretches.map(({ window }) => window), session.replay.peak ?? 0) * 1.04;
  const height = size.isNarrow ? 230 : 330;
  const points = findPoints(session, size.points);
  const lines = (name: 'window' | 'limit') =>
    stretches.flatMap((stretch, index) => [
      { x: stretch.from + 0.5, y: stretch[name], z: index },
      { x: stretch.to + 0.5, y: stretch[name], z: index },
    ]);
  const named =
    last === undefined
      ? []
      : [
          ...last.begins.map(({ tier, tokens }) => ({
            y: tokens,
            label: size.isNarrow ? tier : `${tier} from ${formatShort(tokens)}`,
            name: 'ink' as ColourName,
          })),
          { y: last.limit, label: `limit ${formatShort(last.limit)}`, name: 'limit' as ColourName },
          ...(last.window === last.limit
            ? []
            : [
                { y: last.window, label: `window ${formatShort(last.window)}`, name: 'window' as ColourName },
              ]),
        ];
  const labels = spreadLabels(named, (top * 13) / (height - 48), top);
  return drawPlot({
    width: size.width,
    height,
    ...findMargins(size),
    marginTop: 18,
    marginBottom: 30,
    x: { domain: [0.5, calls.length + 0.5], label: null },
    y: { domain: [0, top], label: null },
    marks: [
      rect(bands, {
        x1: 'x1',
        x2: 'x2',
        y1: 'y1',
        y2: 'y2',
        fill: ({ tier }: Band) => colour(BANDS[tier] ?? 'low'),
        className: 'tiers',
      }),
      gridY({ ticks: 5, stroke: colour('line'), strokeOpacity: 0.7 }),
      ruleY([0], { stroke: colour('line') }),
      ...bands.map((band, index) =>
        lineY([band.x1, band.x2], {
          x: (x: number) => x,
          y: () => band.y1,
          stroke: colour('soft'),
          strokeWidth: 0.6,
          strokeDasharray: `1 ${2 + (index % 4) * 2}`,
          className: 'begins',
        }),
      ),
      areaY(points, { x: 'x', y: 'y', z: 'segment', fill: colour('fill') }),
      lineY(lines('window'), {
        x: 'x',
        y: 'y',
        z: 'z',
        stroke: colour('window'),
        strokeDasharray: '2 3',
        className: 'window',
      }),
      lineY(lines('limit'), {
        x: 'x',
        y: 'y',
        z: 'z',
        stroke: colour('limit'),
        strokeDasharray: '8 4',
        className: 'limit',
      }),
      ruleX(compactions, {
        x: ({ call }) => call + 0.5,
        stroke: colour('compaction'),
        strokeDasharray: '4 2',
        className: 'compaction',
      }),
      lineY(points, {
        x: 'x',
        y: 'y',
        z: 'segment',
        stroke: colour('usage'),
        strokeWidth: 1.8,
        className: 'usage',
      }),
      ...(points.length === 1 ? [dot(points, { x: 'x', y: 'y', fill: colour('usage') })] : []),
      text(findNumbers(session, size), {
        x: 'x',
        frameAnchor: 'top',
        dy: -14,
        text: 'number',
        fill: colour('compaction'),
        fontWeight: 600,
      }),
      text(labels, {
        x: calls.length + 0.5,
        y: 'shown',
        text: 'label',
        fill: ({ name }: { name: ColourName }) => colour(name),
        textAnchor: 'start',
        dx: size.isNarrow ? 4 : 6,
      }),
      axisY({ ticks: 5, tickFormat: formatShort, tickSize: 0, label: null, color: colour('soft') }),
      axisX({
        tickSize: 4,
        color: colour('soft'),
        label: null,
        ticks: size.isNarrow ? 4 : 10,
        tickFormat: (x: number) => (Number.isInteger(x) ? formatThousands(x) : ''),
      }),
      rect(findTips(session, size.tips), {
        x1: 'x1',
        x2: 'x2',
        y1: 0,
        y2: top,
        fill: 'transparent',
        title: 'title',
        ariaHidden: 'true',
        className: 'tips',
      }),
    ],
  });
}

/** The chart of a session in one drawing: its usage, the moments below it, and a lane for each subagent. */
export function drawSession(
  session: ReportedSession,
  input: ReportInput,
  size: ChartSize,
  label: string,
): Markup {
  const parts = [
    drawUsage(session, input, size),
    drawMoments(session, size),
    drawLanes(session, size),
  ].filter((part) => part !== null);
  return stackDrawings(parts, size, label);
}
