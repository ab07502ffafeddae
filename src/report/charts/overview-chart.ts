// Draws how full sessions became, by the day on which they began.

import { axisX, axisY, dot, gridY, ruleY, text } from '@observablehq/plot';
import type { Markup } from '../html.ts';
import { findWorstFraction, formatMoment, type ReportedSession } from '../report-data.ts';
import { colour } from '../style.ts';
import { type ChartSize, drawPlot, stackDrawings } from './drawing.ts';

/** Projects that are drawn in strips of their own, and how high each is. */
const MOST_STRIPS = 8;
const STRIP = 82;

const DAY_MS = 86_400_000;

/** From the beginning of the first day to the end of the last one. */
const findDays = (times: readonly number[]): Date[] => [
  new Date(Math.floor(Math.min(...times) / DAY_MS) * DAY_MS),
  new Date((Math.floor(Math.max(...times) / DAY_MS) + 1) * DAY_MS),
];

/** One sign for each session: its highest usage against its effective limit; null where none has a time and a call. */
export function drawOverview(
  sessions: readonly ReportedSession[],
  size: ChartSize,
  label: string,
): Markup | null {
  const signs = sessions.flatMap(({ replay }) => {
    const worst = findWorstFraction(replay);
    const at = Date.parse(replay.session.started ?? '');
    if (worst === null || Number.isNaN(at)) return [];
    const title = `${replay.session.title ?? replay.session.id ?? ''}\n${replay.session.cwd ?? ''}, ${formatMoment(replay.session.started)}\n${Math.round(worst * 100)}% of the limit, ${replay.compactions.length} compactions`;
    const project = replay.session.cwd ?? 'unknown project';
    return [
      { at: new Date(at), worst: worst * 100, isCompacted: replay.compactions.length > 0, title, project },
    ];
  });
  if (signs.length === 0) return null;
  const found = [...new Set(signs.map(({ project }) => project))].sort();
  // With many projects their strips would be too low to read.
  const projects = found.length > MOST_STRIPS ? [] : found;
  const fy = projects.length > 1 ? { fy: 'project' } : {};
  const marks = (isCompacted: boolean) =>
    dot(
      signs.filter((sign) => sign.isCompacted === isCompacted),
      {
        ...{ ...fy, x: 'at', y: 'worst', r: isCompacted ? 5 : 4, title: 'title' },
        symbol: isCompacted ? 'triangle2' : 'circle',
        ...{ fill: colour('page'), stroke: colour(isCompacted ? 'compaction' : 'usage'), strokeWidth: 1.6 },
        className: isCompacted ? 'compacted' : 'uncompacted',
      },
    );
  const most = Math.max(110, ...signs.map(({ worst }) => worst * 1.06));
  const drawn = drawPlot({
    width: size.width,
    height: projects.length > 1 ? 46 + projects.length * STRIP : size.isNarrow ? 210 : 260,
    ...{ marginLeft: 52, marginRight: size.isNarrow ? 16 : 96, marginTop: 16, marginBottom: 30 },
    x: { type: 'utc', domain: findDays(signs.map(({ at }) => at.getTime())), label: null },
    y: { domain: [0, most], label: null },
    fy: { label: null, axis: null, padding: 0.22 },
    marks: [
      gridY({ ticks: projects.length > 1 ? 2 : 5, stroke: colour('line') }),
      ruleY([0], { stroke: colour('line') }),
      ruleY([100], { stroke: colour('limit'), strokeDasharray: '8 4', className: 'limit' }),
      ...(projects.length > 1
        ? [
            text(projects, {
              fy: (name: string) => name,
              frameAnchor: 'bottom-left',
              text: (name: string) => name,
              ...{ textAnchor: 'start', dx: 4, dy: -3, fill: colour('soft') },
            }),
          ]
        : []),
      ...(size.isNarrow || projects.length > 1
        ? []
        : [
            text(['effective limit'], {
              ...{ frameAnchor: 'right', y: () => 100, dx: 6, textAnchor: 'start', fill: colour('limit') },
            }),
          ]),
      marks(false),
      marks(true),
      axisY({
        ticks: projects.length > 1 ? 2 : 5,
        tickSize: 0,
        tickFormat: (value: number) => `${value}%`,
        label: null,
        color: colour('soft'),
      }),
      axisX({ ticks: size.isNarrow ? 3 : 8, tickSize: 4, label: null, color: colour('soft') }),
    ],
  });
  return stackDrawings([drawn], size, label);
}
