// The report as one page: everything in it, nothing loaded, and no script but the one that a live view brings.

import { WIDE } from './charts/drawing.ts';
import { drawSession } from './charts/usage-chart.ts';
import { html, type Markup, trustMarkup } from './html.ts';
import { buildOverview } from './overview-section.ts';
import { formatMoment, type ReportedSession, type ReportInput } from './report-data.ts';
import { buildSession } from './session-section.ts';
import { STYLE, withOwnColours } from './style.ts';

/** Rows of the table behind a chart: of one session, and of each of many. */
const ROWS = { alone: 1_500, among: 60 };

/** What stands in the page, without its frame. */
export function renderMain(input: ReportInput): string {
  const { sessions, title, made, leftOut, isOverview } = input;
  const [only] = sessions;
  const body: Markup =
    !isOverview && only !== undefined
      ? buildSession(only, input, { level: 1, rows: ROWS.alone, isAlone: true })
      : html`<h1>${title}</h1>${buildOverview(sessions, leftOut)}${sessions.map((session) =>
          buildSession(session, input, { level: 2, rows: ROWS.among, isAlone: false }),
        )}`;
  return html`<main id="main" tabindex="-1">${body}<p class="soft">Made by plimsoll report, ${formatMoment(made)} UTC. Tokens are those of the main chain; tiers by the settings of that moment.</p></main>`
    .markup;
}

/** What makes a page live: a script with a nonce, and where it may ask. */
export interface LiveScript {
  nonce: string;
  script: string;
}

/** The whole page. */
export function renderPage(input: ReportInput, live: LiveScript | null = null): string {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    ...(live === null ? [] : [`script-src 'nonce-${live.nonce}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `${
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${input.title}</title>
<link rel="icon" href="data:,">
<style>${trustMarkup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${trustMarkup(renderMain(input))}
${live === null ? null : html`<script nonce="${live.nonce}">${trustMarkup(live.script)}</script>`}
</body>
</html>`.markup
  }\n`;
}

/** The chart of a session by itself, with its colours. */
export function renderUsageSvg(session: ReportedSession, input: ReportInput): string {
  return `${withOwnColours(drawSession(session, input, WIDE, input.title).markup).replace('<svg ', '<svg font-family="system-ui, sans-serif" style="background:#fcfcfb" ')}\n`;
}
