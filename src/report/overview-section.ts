// The overview of many sessions: by project and day, and each session with a link to its section.

import { findMedian } from '../replay/tables.ts';
import { NARROW, WIDE } from './charts/drawing.ts';
import { drawOverview } from './charts/overview-chart.ts';
import { breakPath, buildTable, figure, html, type Markup, type TableRow } from './html.ts';
import { countRetention, findWorstFraction, formatMoment, type ReportedSession } from './report-data.ts';
import { nameSession } from './session-section.ts';

const percent = (fraction: number | null): string =>
  fraction === null ? '-' : `${Math.round(fraction * 100)}%`;

const nameProject = ({ replay: { session } }: ReportedSession): string => session.cwd ?? 'unknown project';
const dayOf = ({ replay: { session } }: ReportedSession): string =>
  session.started?.slice(0, 10) ?? 'no date';

/** Sessions, worst usage, compactions, leads and retention of a group of sessions. */
function summarize(sessions: readonly ReportedSession[], hasRetention: boolean): TableRow {
  const compactions = sessions.flatMap(({ replay }) => replay.compactions);
  const worst = sessions.flatMap(({ replay }) => findWorstFraction(replay) ?? []);
  const lead = (channel: 'prompt_only' | 'with_tool_use'): number | string =>
    findMedian(compactions.flatMap((each) => each.lead[channel]?.calls ?? [])) ?? '-';
  const retention = countRetention(sessions.flatMap(({ evidence }) => evidence));
  return [
    sessions.length,
    percent(worst.length === 0 ? null : Math.max(...worst)),
    compactions.length,
    lead('prompt_only'),
    lead('with_tool_use'),
    compactions.reduce((sum, { rework }) => sum + rework, 0),
    ...(hasRetention
      ? retention === null
        ? ['-', '-']
        : [percent(retention.bySummary / retention.needed), percent(retention.withOurs / retention.needed)]
      : []),
  ];
}

const groupBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

/** The overview, and the links to the sections of the sessions. */
export function buildOverview(sessions: readonly ReportedSession[], leftOut: number): Markup {
  if (sessions.length === 0) return html`<p>No session has called a model yet.</p>`;
  const hasRetention = sessions.some(({ evidence }) => evidence.some((each) => each !== null));
  const heads = [
    'worst usage, of the limit',
    'compactions',
    'lead at prompts, calls',
    'lead with tools, calls',
    'files read again',
    ...(hasRetention ? ['retention by the summary', 'with Plimsoll'] : []),
  ];
  const byDay = [...groupBy(sessions, nameProject)].flatMap(([project, ofProject]) =>
    [...groupBy(ofProject, dayOf)]
      .sort(([a], [b]) => b.localeCompare(a))
      .map(([day, ofDay]): TableRow => [breakPath(project), day, ...summarize(ofDay, hasRetention)]),
  );
  const each = sessions.map((session): TableRow => {
    const { key, replay } = session;
    return [
      html`<a href="#${key}">${nameSession(session)}</a>`,
      breakPath(nameProject(session)),
      formatMoment(replay.session.started),
      replay.calls.length,
      ...summarize([session], hasRetention).slice(1),
    ];
  });
  const label = `Highest usage of ${sessions.length} sessions by the day on which they began`;
  const charts = [WIDE, NARROW].flatMap((size) => drawOverview(sessions, size, label) ?? []);
  return html`${
    leftOut === 0
      ? null
      : html`<p>${leftOut} more sessions were found and are not in this page; the newest are.</p>`
  }
${
  charts.length === 0
    ? null
    : html`<h2>Usage by day</h2>${figure(charts, 'Each sign is a session at the day on which it began: a circle was never compacted, a triangle was. The line at 100% is the effective limit.')}`
}
<h2>By project and day</h2>${buildTable('Leads are medians of the calls from the first warning to the compaction', ['project', 'day', 'sessions', ...heads], byDay)}
<h2>Sessions</h2>${buildTable('Each with a link to its section below', ['session', 'project', 'began (UTC)', 'calls', ...heads], each)}`;
}
