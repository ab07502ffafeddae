// Formats the status of a session for people, on one screen.

import { formatCount, formatPercent, formatTable, stripControls } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { describeDecision } from '../../context/describe-decision.io.ts';
import { exists } from '../../platform/look.ts';
import { describeOutside } from '../../platform/project/state-place.ts';
import { listNotFollowed } from '../../settings/resolved.ts';
import { formatThousands } from '../../text/lines.ts';
import { formatAge } from '../../text/time.ts';
import { readDecisions } from '../last-runs.io.ts';
import type { SessionReport } from './find-session.io.ts';
import type { SessionHistory } from './session-history.io.ts';

export const WINDOW: Record<SessionReport['assessment']['window']['source'], string> = {
  config: 'from your configuration',
  client: 'told by the client',
  usage: 'proved by the usage',
  mark: 'named by the model id',
  table: 'from the model table',
  default: 'assumed: the model is unknown',
};
export const POINT: Record<SessionReport['assessment']['autoCompactAt']['source'], string> = {
  config: 'from your configuration',
  learned: 'from earlier automatic compactions',
  client: "from the client's settings",
  off: 'automatic compaction is off',
  reactive: 'the client compacts only when the API refuses',
  default: 'assumed: window − 33,000',
};

const agoAt = (place: ProjectContext, at: string | null): string =>
  at === null ? 'at an unknown time' : formatAge((place.now - Date.parse(at)) / 1000);

/** Formats a compaction: `2  20 min ago, automatic: 166,400 → 34,800, cx-004 (told to the agent)`. */
function compactionLine(
  place: ProjectContext,
  compaction: SessionHistory['compaction_history'][number],
): string {
  const { number, at, trigger, tokens_before: before, tokens_after: after, checkpoint, told } = compaction;
  const cause = trigger === 'auto' ? 'automatic' : trigger === 'manual' ? 'by /compact' : 'compacted';
  const usages = [before, after]
    .map((tokens) => (tokens === null ? '?' : formatThousands(tokens)))
    .join(' → ');
  const kept =
    checkpoint === null ? 'no checkpoint' : `${checkpoint} (${told ? 'told to the agent' : 'not told yet'})`;
  return `${number}  ${agoAt(place, at)}, ${cause}: ${usages}, ${kept}`;
}

/** The most compactions that are shown, the newest last; the earlier ones are only counted. */
const MOST_COMPACTIONS = 5;

function compactionRows(
  place: ProjectContext,
  compactions: SessionHistory['compaction_history'],
  total: number,
): [string, string | null][] {
  const shownOnes = compactions.slice(-MOST_COMPACTIONS);
  const earlier = compactions.length - shownOnes.length;
  const first = `${total}${earlier > 0 ? `, the last ${shownOnes.length} of them:` : ''}`;
  const rows = shownOnes.map((each): [string, string] => ['', compactionLine(place, each)]);
  return [['Compactions', first], ...rows];
}

function sinceText({ since_checkpoint: since }: SessionHistory, place: ProjectContext): string {
  if (since === null) return 'none';
  const calls = since.tool_calls;
  return `${since.id}, ${agoAt(place, since.at)}${calls === null ? '' : `, ${formatCount(calls, 'tool call')} since`}`;
}

function workflowText({ workflow, undecided_workflows: several }: SessionHistory): string | null {
  if (workflow === null && several.length > 0)
    return `${several.length} are active, and none is taken: ${several.join(', ')}; "plimsoll config set orchestration.path FILE" names the one that is meant`;
  if (workflow === null) return null;
  const { path, id, status, phase, phase_name: name, section } = workflow;
  const where = [
    `${id ?? 'without an id'}${status === null ? '' : ` ${status}`}`,
    ...(phase === null ? [] : [`phase ${phase}${name === null ? '' : ` (${name})`}`]),
    `section ${section.freshness}: ${section.why}`,
  ].join(', ');
  return `${where} (${path})`;
}

/** Formats the delivery of alert and handoff, and a compaction that was announced and has not come yet. */
function deliveryRows(
  place: ProjectContext,
  { state }: SessionReport,
  story: SessionHistory,
): [string, string | null][] {
  const alert = state?.alert ?? null;
  const pending = state?.pending_compaction ?? null;
  const { received_handoff: handoff, resumed_by: by } = story;
  const said = (each: { status: string; tries: number; channel: string; at: string }): string =>
    `${each.status}, said by ${each.channel} ${agoAt(place, each.at)}${each.tries > 1 ? `, ${each.tries} times` : ''}`;
  return [
    ['Alert', alert === null ? null : `about compaction ${alert.epoch}: ${said(alert)}`],
    ['Handoff', handoff === null ? null : `of ${handoff.from}: ${said(handoff)}`],
    [
      'Pending',
      pending === null
        ? null
        : `a compaction (${pending.trigger}) was announced ${agoAt(place, pending.at)}; ${pending.checkpoint ?? 'no checkpoint'} was written for it`,
    ],
    ['Continued', by === null ? null : `in ${by.session_id} (${by.status}), ${agoAt(place, by.at)}`],
  ];
}

function injectedText({ injected, compaction_history: history }: SessionHistory): string {
  if (injected === null) return 'unknown: counted only where Claude Code stores what hooks say';
  if (injected.times === 0) return 'nothing yet';
  const tags = Object.entries(injected.by_tag)
    .sort(([, a], [, b]) => b.tokens - a.tokens)
    .map(([tag, cost]) => `${tag} ${formatThousands(cost.tokens)} (${cost.times})`)
    .join(', ');
  const since =
    history.length === 0 ? '' : `, ${formatThousands(injected.since_compaction.tokens)} since the compaction`;
  return `about ${formatCount(injected.tokens, 'token').replace(/^\d+/, formatThousands(injected.tokens))}${since}: ${tags}`;
}

/** Formats the guardrails' mode; null where they are off and no hook is registered for them. */
function guardText({ guardrails: { mode, missing } }: SessionHistory): string | null {
  if (missing !== null) return `"${mode}", but ${missing}`;
  return mode === 'off' ? null : `"${mode}"`;
}

/** Formats the settings of the project's file that do not count until the user trusts them. */
function notFollowedText({ resolved }: ProjectContext): string | null {
  const keys = listNotFollowed(resolved);
  return keys.length === 0
    ? null
    : `${keys.join(', ')} of the project's settings, until you allow it: plimsoll trust`;
}

/** Formats where the state folder is, when it is not in the project. */
function outsideText(place: ProjectContext): string | null {
  const words = describeOutside(place.paths.place.outside);
  return words && `${displayPath(place.paths.state, place)}: ${words.why}`;
}

export function statusText(place: ProjectContext, standing: SessionReport, story: SessionHistory): string {
  const { assessment, epoch, state } = standing;
  const { reading, window, autoCompactAt } = assessment;
  const share =
    autoCompactAt.tokens === null
      ? `${formatPercent(assessment.fractionOfWindow)} of the window`
      : `${formatPercent(assessment.fractionOfLimit)} of the way to auto-compaction, ${formatPercent(assessment.fractionOfWindow)} of the window`;
  const age = reading.age_s === null ? '' : `, ${formatAge(reading.age_s)}`;
  const tokens = (): string => {
    if (standing.transcript === '') return 'unknown: no answer has come yet';
    if (reading.tokens === null) return 'unknown: the transcript holds no token counts';
    if (reading.source === 'characters')
      return `about ${formatThousands(reading.tokens)}, estimated from the length of the text: the provider reports no usage`;
    if (reading.estimated) {
      return `about ${formatThousands(reading.tokens)}, estimated: the context was compacted and no answer has come since (before: ${formatThousands(reading.last_seen?.tokens ?? 0)})`;
    }
    return `${formatThousands(reading.tokens)} used, ${formatThousands(assessment.headroom ?? 0)} left (${reading.source === 'client' ? 'told by the client' : 'measured'}${age})`;
  };
  const ofSession = state?.off ? `this session; plimsoll on --session ${standing.id}` : null;
  const off = exists(place.paths.off) ? 'this project; plimsoll on' : ofSession;
  const last = readDecisions(place.paths, standing.id).at(-1);
  const rows: [string, string | null][] = [
    ['Context', assessment.tier === null ? 'unknown' : `${assessment.tier}, ${share}`],
    ['Tokens', tokens()],
    ['Window', `${formatThousands(window.tokens)} (${WINDOW[window.source]})`],
    [
      'Auto-compact',
      autoCompactAt.tokens === null
        ? POINT.off
        : `at about ${formatThousands(autoCompactAt.tokens)} (${POINT[autoCompactAt.source]})`,
    ],
    [
      'If 200,000',
      assessment.tierIfStandardWindow === null || assessment.tierIfStandardWindow === 'NOMINAL'
        ? null
        : `${assessment.tierIfStandardWindow}: nothing but the model table says that the window is larger`,
    ],
    [
      'Announced',
      last === undefined ? 'nothing yet: no hook of ours has run here' : describeDecision(last, place.now),
    ],
    ['Checkpoint', sinceText(story, place)],
    ...compactionRows(place, story.compaction_history, epoch.number),
    ['Workflow', workflowText(story)],
    ...deliveryRows(place, standing, story),
    ['Said', injectedText(story)],
    ...story.addons.flatMap(({ rows }) => rows),
    ['Guardrails', guardText(story)],
    ['Model', reading.model || null],
    [
      'Session',
      standing.transcript === '' ? standing.id : `${standing.id}, ${displayPath(standing.transcript, place)}`,
    ],
    ['State', outsideText(place)],
    ['Silenced', off === null ? null : `for ${off} ends it`],
    ['Not followed', notFollowedText(place)],
    ...place.resolved.problems.map((each): [string, string] => [
      'Problem',
      `${displayPath(each.where, place)}: ${each.message}`,
    ]),
    ['Problem', standing.fault],
  ];
  return formatTable(
    rows.map(([label, value]) => [label, value === null ? null : stripControls(value)] as const),
  );
}
