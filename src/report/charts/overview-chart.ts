// Draws how full sessions became, by the day on which they began.

import { axisX, axisY, dot, gridY, ruleY, text } from '@observablehq/plot';
import type { Markup } from '../html.ts';
import { findWorstFraction, formatMoment, type ReportedSession } from '../report-data.ts';
import { colour } from '../style.ts';
import { type ChartSize, drawPlot, stackDrawings } from './drawing.ts';

/** One sign for each session: its highest usage against its effective limit. */
export function drawOverview(sessions: readonly ReportedSession[], size: ChartSize, label: string): Markup {
  const signs = sessions.flatMap(({ replay }) => {
    const worst = findWorstFraction(replay);
    const at = Date.parse(replay.session.started ?? '');
    if (worst === null || Number.isNaN(at)) return [];
    const title = `${replay.session.title ?? replay.session.id ?? ''}\n${replay.session.cwd ?? ''}, ${formatMoment(replay.session.started)}\n${Math.round(worst * 100)}% of the limit, ${replay.compactions.length} compactions`;
    return [{ at: new Date(at), worst: worst * 100, isCompacted: replay.compactions.length > 0, title }];
  });
  const marks = (isCompacted: boolean) =>
    dot(
      signs.filter((sign) => sign.isCompacted === isCompacted),
      {
        ...{ x: 'at', y: 'worst', r: isCompacted ? 5 : 4, title: 'title' },
        symbol: isCompacted ? 'triangle2' : 'circle',
        ...{ fill: colour('page'), stroke: colour(isCompacted ? 'compaction' : 'usage'), strokeWidth: 1.6 },
        className: isCompacted ? 'compacted' : 'uncompacted',
      },
    );
  const most = Math.max(110, ...signs.map(({ worst }) => worst * 1.06));
  const drawn = drawPlot({
    width: size.width,
    height: size.isNarrow ? 210 : 260,
    ...{ marginLeft: 52, marginRight: size.isNarrow ? 16 : 96, marginTop: 16, marginBottom: 30 },
    x: { type: 'utc', label: null, insetLeft: 12, insetRight: 12 },
    y: { domain: [0, most], label: null },
    marks: [
      gridY({ ticks: 5, stroke: colour('line') }),
      ruleY([0], { stroke: colour('line') }),
      ruleY([100], { stroke: colour('limit'), strokeDasharray: '8 4', className: 'limit' }),
      ...(size.isNarrow
        ? []
        : [
            text(['effective limit'], {
              ...{ frameAnchor: 'right', y: () => 100, dx: 6, textAnchor: 'start', fill: colour('limit') },
            }),
          ]),
      marks(false),
      marks(true),
      axisY({
        ticks: 5,
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
