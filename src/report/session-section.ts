// The section of one session: its figures, its chart, its compactions, what it was told, its subagents and events.

import { formatThousands, shortenId } from '../text/lines.ts';
import { NARROW, thinIndexes, WIDE } from './charts/drawing.ts';
import { drawSession } from './charts/usage-chart.ts';
import { buildCompaction } from './compaction-section.ts';
import { breakPath, buildTable, figure, heading, html, type Markup, type TableRow } from './html.ts';
import {
  findWorstFraction,
  formatMoment,
  formatSpan,
  type ReportedSession,
  type ReportInput,
} from './report-data.ts';
import { type ColourName, colour } from './style.ts';

export interface SectionOptions {
  /** The level of the section's own heading. */
  level: 1 | 2;
  /** Rows of the table behind the chart. */
  rows: number;
  /** Whether it stands alone: then it is drawn in full. */
  isAlone: boolean;
}

export const nameSession = ({ replay: { session }, path }: ReportedSession): string =>
  session.title ?? (session.id === null ? path : `Session ${shortenId(session.id)}`);

const percent = (fraction: number | null): string =>
  fraction === null ? '-' : `${Math.round(fraction * 100)}%`;

const count = (number: number, one: string): string =>
  `${formatThousands(number)} ${one}${number === 1 ? '' : 's'}`;

function buildFacts({ path, replay, eventsFrom }: ReportedSession): Markup {
  const { session, models, calls, compactions, messages, agents } = replay;
  const span = formatSpan(session.started, session.ended);
  const tokens = messages.reduce((sum, each) => sum + each.tokens, 0);
  const rows: [string, string | null][] = [
    ['Project', session.cwd],
    ['Session', session.id],
    ['Transcript', path],
    ['Client', session.client],
    ['Models', models.join(', ')],
    ['Began', session.started === null ? null : `${formatMoment(session.started)} UTC`],
    ['Lasted', span],
    ['Main-chain calls', formatThousands(calls.length)],
    [
      'Highest usage',
      replay.peak === null
        ? 'no call was measured'
        : `${formatThousands(replay.peak)} tokens, ${percent(findWorstFraction(replay))} of the limit`,
    ],
    ['Compactions', formatThousands(compactions.length)],
    ['Warnings without one after', formatThousands(replay.false_alarms)],
    ['Messages', `${formatThousands(messages.length)}, ${count(tokens, 'token')} together`],
    ['Copied from another session', replay.copied_calls === 0 ? null : count(replay.copied_calls, 'call')],
    ['Subagents', agents.length === 0 ? null : formatThousands(agents.length)],
    ['Events from', eventsFrom === 'log' ? 'the log of this session' : 'the transcript, replayed'],
  ];
  return html`<dl class="facts">${rows
    .filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
    .map(
      ([name, value]) =>
        html`<div><dt>${name}</dt><dd>${/^[~/]/.test(value) ? breakPath(value) : value}</dd></div>`,
    )}</dl>`;
}

const line = (name: ColourName, dashes: string): Markup =>
  html`<svg width="28" height="14" aria-hidden="true"><path d="M1 7H27" fill="none" stroke="${colour(name)}" stroke-width="2" stroke-dasharray="${dashes}"/></svg>`;

const sign = (name: ColourName, path: string): Markup =>
  html`<svg width="14" height="14" aria-hidden="true"><path d="${path}" fill="none" stroke="${colour(name)}" stroke-width="1.6"/></svg>`;

/** The lines and symbols that this session's chart holds. */
function drawKey({ replay: { compactions, messages, events, agents } }: ReportedSession): Markup {
  const has = (type: string): boolean => events.some((event) => event.type === type);
  const entries: [boolean, Markup, string][] = [
    [true, line('usage', 'none'), 'context usage'],
    [true, line('limit', '8 4'), 'effective limit'],
    [true, line('window', '2 3'), 'context window'],
    [compactions.length > 0, sign('compaction', 'M7 2L13 12H1Z'), 'compaction'],
    [messages.length > 0, sign('message', 'M7 1L13 7L7 13L1 7Z'), 'message to the agent'],
    [has('CheckpointCreated'), sign('checkpoint', 'M2 2H12V12H2Z'), 'checkpoint'],
    [has('GateScored'), sign('limit', 'M5 1H9V5H13V9H9V13H5V9H1V5H5Z'), 'gate'],
    [agents.length > 0, line('agent', 'none'), 'subagent, in its own lane'],
  ];
  return html`<ul class="key">${entries
    .filter(([isThere]) => isThere)
    .map(([, drawn, name]) => html`<li>${drawn}${name}</li>`)}</ul>`;
}

function describeChart(session: ReportedSession): string {
  const { calls, compactions, messages, agents, peak } = session.replay;
  return `Context usage of ${nameSession(session)}: ${count(calls.length, 'call')}, highest ${peak === null ? 'unknown' : formatThousands(peak)} tokens, ${count(compactions.length, 'compaction')}, ${count(messages.length, 'message')}, ${count(agents.length, 'subagent')}`;
}

function buildUsageTable({ replay: { calls } }: ReportedSession, most: number): Markup {
  const kept = thinIndexes(
    calls.map(({ tokens }) => tokens),
    most,
  );
  const rows: TableRow[] = kept.flatMap((index) => {
    const call = calls[index];
    if (call === undefined) return [];
    const { at, tokens, window, limit, tier, model } = call;
    return [
      [index + 1, formatMoment(at), tokens, percent(tokens / limit), limit, window, tier ?? '-', model],
    ];
  });
  const caption =
    kept.length < calls.length
      ? `${kept.length} of ${formatThousands(calls.length)} calls: the lowest and highest of each stretch`
      : 'Every main-chain call';
  return html`<details><summary>The figures behind the chart</summary>${buildTable(
    caption,
    ['call', 'time (UTC)', 'tokens', 'of the limit', 'limit', 'window', 'tier', 'model'],
    rows,
  )}</details>`;
}

function buildMessages({ key, replay: { messages } }: ReportedSession, level: number): Markup {
  if (messages.length === 0)
    return html`${heading(level, 'Messages')}<p>Nothing was said to the agent, and nothing would have been.</p>`;
  const told = messages.filter(({ from }) => from === 'transcript').length;
  const origin =
    told === messages.length
      ? 'As the transcript has them.'
      : told === 0
        ? 'What Plimsoll would have said, with the present settings: the transcript holds no message of its own.'
        : `${told} as the transcript has them; the others are what would have been said.`;
  return html`${heading(level, 'Messages')}<p class="soft">${origin}</p>${messages.map(
    ({ at, call, name, text, tokens, from }, index) =>
      html`<details id="${key}-m${index + 1}"><summary>${name}<span class="soft">after call ${call}, ${formatMoment(at)}, ${count(tokens, 'token')}${from === 'replay' && told > 0 ? ', replayed' : ''}</span></summary><pre>${text}</pre></details>`,
  )}`;
}

function buildAgents({ replay: { agents } }: ReportedSession, level: number): Markup | null {
  if (agents.length === 0) return null;
  const rows: TableRow[] = agents.map(({ id, calls }, index) => [
    index + 1,
    id,
    calls.length,
    Math.max(0, ...calls.map(({ tokens }) => tokens)),
    formatMoment(calls[0]?.at ?? null),
    formatSpan(calls[0]?.at ?? null, calls.at(-1)?.at ?? null) ?? '-',
  ]);
  return html`${heading(level, 'Subagents')}<p class="soft">Each has a context of its own, which fills nothing of the main one.</p>${buildTable(
    count(agents.length, 'subagent'),
    ['lane', 'id', 'calls', 'highest usage', 'began (UTC)', 'lasted'],
    rows,
  )}`;
}

const OWN_FIELDS = new Set(['at', 'call', 'type', 'schema_version', 'session', 'id']);

const describeFields = (event: Record<string, unknown>): string =>
  Object.entries(event)
    .filter(([name, value]) => !OWN_FIELDS.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toFixed(3)) : String(value)}`)
    .join(', ');

function buildEvents({ replay: { events }, eventsFrom }: ReportedSession, level: number): Markup | null {
  if (events.length === 0) return null;
  const gates = events.filter(({ type }) => type === 'GateScored');
  return html`${
    gates.length === 0
      ? null
      : html`${heading(level, 'Gates')}${buildTable(
          count(gates.length, 'score'),
          ['gate', 'iteration', 'score', 'verdict', 'time (UTC)'],
          gates.map(({ gate, iteration, score, verdict, at }) => [
            String(gate),
            (iteration ?? '-') as number | string,
            (score ?? '-') as number | string,
            String(verdict),
            formatMoment(at),
          ]),
        )}`
  }${heading(level, 'Events')}<details><summary>${count(events.length, 'event')}<span class="soft">${eventsFrom === 'log' ? 'from the log of this session' : 'derived from the transcript'}</span></summary>${buildTable(
    'In the order in which they came',
    ['after call', 'time (UTC)', 'event', 'fields'],
    events.map((event) => [event.call, formatMoment(event.at), event.type, describeFields(event)]),
  )}</details>`;
}

/** Says at how many compactions the hooks were run, where it was not at all of them. */
function noteLeftOut(evidence: readonly unknown[]): Markup | null {
  const looked = evidence.filter((each) => each !== null).length;
  return looked === 0 || looked === evidence.length
    ? null
    : html`<p class="soft">What was known and told stands at ${looked} of ${evidence.length} compactions: the hooks are run once more at the last ones alone.</p>`;
}

/** The section of a session. */
export function buildSession(session: ReportedSession, input: ReportInput, options: SectionOptions): Markup {
  const { level, isAlone } = options;
  const { replay, evidence } = session;
  const label = describeChart(session);
  const wide = isAlone ? WIDE : { ...WIDE, points: 600, tips: 60 };
  const charts = [wide, { ...NARROW, points: isAlone ? 400 : 200 }].map((size) =>
    drawSession(session, input, size, label),
  );
  const chart =
    replay.calls.length === 0
      ? html`<p>No call of a model was measured in it.</p>`
      : html`${figure(charts, 'The number of each main-chain call from left to right, tokens in the context upwards.', drawKey(session))}${buildUsageTable(session, options.rows)}`;
  return html`<section class="${level === 1 ? 'only' : 'session'}" id="${session.key}">${heading(level, nameSession(session))}
${buildFacts(session)}
${heading(level + 1, 'Context usage')}${chart}
${heading(level + 1, 'Compactions')}${
  replay.compactions.length === 0
    ? html`<p>None: the session was never compacted.</p>`
    : html`${noteLeftOut(evidence)}${replay.compactions.map((compaction, index) =>
        buildCompaction(compaction, index, evidence[index] ?? null, level + 2),
      )}`
}
${buildMessages(session, level + 1)}
${buildAgents(session, level + 1)}
${buildEvents(session, level + 1)}</section>`;
}
