// Formats a calibration for people: what was measured, how thresholds would have done, and what is proposed.

import type { AssessmentSettings } from '../context/assessment.ts';
import { formatThousands } from '../text/lines.ts';
import type { Calibration, Spread } from './calibrate.ts';
import { type Judgement, LEAST_COMPACTIONS } from './candidates.ts';
import { alignCells } from './tables.ts';

/** What a calibration comes to, besides the figures. */
export interface Proposal {
  /** Null where today's thresholds stay. */
  name: string | null;
  reason: 'too-few-compactions' | 'nothing-better' | null;
  settings: Record<string, unknown>;
}

const NONE = '-';
const tokens = (value: number | null): string => (value === null ? NONE : formatThousands(value));
const count = (number: number, one: string, many = `${one}s`): string =>
  `${formatThousands(number)} ${number === 1 ? one : many}`;
/** A fraction as a percentage; small ones keep a decimal place. */
function percent(fraction: number | null): string {
  if (fraction === null) return NONE;
  const value = fraction * 100;
  if (value > 0 && value < 0.1) return '< 0.1%';
  return `${value < 10 ? Number(value.toFixed(1)) : formatThousands(Math.round(value))}%`;
}

const WIDTHS = [30, 7, 9, 9, 9, 9, 9];
const row = (...cells: string[]): string => alignCells(cells, WIDTHS);
const spreadRow = (name: string, { n, median, least, most }: Spread): string =>
  row(name, formatThousands(n), tokens(median), tokens(least), tokens(most));

/** Below this fraction of its window a threshold needs a word. */
const FAR_BELOW = 0.6;

function autoCompactText({ auto_compact, auto_compact_by_client: list }: Calibration): string[] {
  if (list.length === 0) return ['The client has not compacted by itself in these sessions.'];
  return [
    'Where the client compacted by itself, in tokens that it counted:',
    '',
    row('window, version of the client', 'n', 'median', 'least', 'most'),
    ...auto_compact.flatMap((all) => {
      const versions = list.filter(({ window }) => window === all.window);
      const name = formatThousands(all.window);
      return [
        ...versions.map((each) => spreadRow(`${name}, ${each.client ?? 'version unknown'}`, each)),
        ...(versions.length > 1 ? [spreadRow(`${name}, all of them`, all)] : []),
      ];
    }),
    ...(auto_compact.some(({ median, window }) => median !== null && median < FAR_BELOW * window)
      ? ['', 'Far below a window: it was judged larger than it was, or the client is set to compact earlier.']
      : []),
  ];
}

function growthText({ growth, typical_step }: Calibration, inForce: number): string[] {
  const { per_call, per_prompt, falls } = growth;
  const growthRow = (name: string, { n, median, p75, p90, p99, most }: Spread): string =>
    row(name, formatThousands(n), ...[median, p75, p90, p99, most].map(tokens));
  const left =
    falls === 0
      ? ''
      : ` ${count(falls, 'call')} with a smaller context than the call before (another model, a rewind) left out.`;
  const step =
    typical_step === null
      ? 'Too few prompts to tell what a typical step costs (10 are needed)'
      : `A typical step costs ${tokens(typical_step)} tokens: nine of ten prompts add no more (p90 per prompt, rounded up)`;
  return [
    'How fast the context grows, in tokens:',
    '',
    row('', 'n', 'median', 'p75', 'p90', 'p99', 'most'),
    growthRow('each call', per_call),
    growthRow('all calls of a prompt', per_prompt),
    '',
    `p90: nine of ten added no more.${left}`,
    `${step}; the setting is ${formatThousands(inForce)}. The mode "dynamic" warns when two such steps are left.`,
  ];
}

function sizesText({ after_compaction: list }: Calibration): string[] {
  if (list.length === 0) return ['No compaction was followed by a call: what one leaves is not known.'];
  const share = (each: Spread & { window: number }, value: number | null): string =>
    percent(value === null ? null : value / each.window);
  return [
    'What a compaction leaves: context of the first call after it, in tokens, and of the window:',
    '',
    row('window', 'n', 'median', 'least', 'most'),
    ...list.flatMap((each) => [
      spreadRow(formatThousands(each.window), each),
      row('', '', share(each, each.median), share(each, each.least), share(each, each.most)),
    ]),
  ];
}

function countedText({ counted_by_client: counted, input_only: input }: Calibration): string[] {
  if (counted.n === 0) return [];
  const over = (value: number | null): string => percent(value === null ? null : value - 1);
  return [
    '',
    `Does the usage of the last call tell the context? Right before ${count(counted.n, 'compaction')} the client's own count was ${over(counted.median)} above it (median; ${over(counted.least)} to ${over(counted.most)}): what came after that call is not in it.`,
    `The input_tokens of that call alone, without what the cache held, tell ${percent(input.median)} of it (median; at most ${percent(input.most)}).`,
  ];
}

function reworkText({ rework, compactions }: Calibration): string[] {
  if (compactions.total === 0) return [];
  const { usage_with: at, usage_without: others } = rework;
  const range = ({ median, least, most }: Spread): string =>
    `${percent(median)} of the window (median; ${percent(least)} to ${percent(most)})`;
  const found =
    at.n === 0
      ? `No file known before was read again within 20 calls after ${count(compactions.total, 'compaction')}.`
      : `Files known before were read again within 20 calls after ${rework.compactions} of ${count(compactions.total, 'compaction')} (${count(rework.files, 'file')}), which came at ${range(at)}${others.n === 0 ? '' : `; the others at ${range(others)}`}.`;
  return ['', found, 'How well rules are obeyed at which usage, a transcript does not show.'];
}

const JUDGED = [34, 8, 7, 7, 9, 9, 8];

function judgementText(today: Judgement, others: readonly Judgement[], base: 'limit' | 'window'): string[] {
  if (today.compactions === 0) return [];
  const judgedRow = (
    name: string,
    { compactions, warned, lead_calls, lead_tokens, false_warnings }: Judgement,
  ) =>
    alignCells(
      [
        name,
        `${warned} of ${compactions}`,
        ...[lead_calls.median, lead_calls.least, lead_tokens.median, lead_tokens.least].map(tokens),
        formatThousands(false_warnings),
      ],
      JUDGED,
    );
  return [
    '',
    `How thresholds would have done (${count(today.compactions, 'automatic compaction')} of these sessions, replayed with each):`,
    '',
    alignCells(['', '', 'calls', '', 'tokens', '', 'in vain'], JUDGED),
    alignCells(['', 'warned', 'median', 'least', 'median', 'least', ''], JUDGED),
    judgedRow(`today: ${today.name}`, today),
    ...others.map((each) => judgedRow(each.name, each)),
    '',
    `static: WARNING/CRITICAL/EMERGENCY begin at these shares of the ${base === 'limit' ? 'effective limit' : 'window'}; dynamic: when 2, 1 and ½ steps are left.`,
    'warned: before how many compactions; calls, tokens: left from the warning to the compaction; in vain: warnings that no compaction followed.',
  ];
}

/** The proposal in a sentence, with its evidence. */
function proposalText(
  { name, reason, settings }: Proposal,
  { today, others, step }: { today: Judgement; others: readonly Judgement[]; step: number },
): string[] {
  const { compactions: n } = today;
  if (reason === 'too-few-compactions')
    return [
      `No proposal: ${n === 0 ? 'no automatic compaction' : `only ${count(n, 'automatic compaction')}`} that a warning could have come before; ${LEAST_COMPACTIONS} are needed.`,
    ];
  const chosen = others.find((each) => each.name === name);
  if (chosen === undefined)
    return [
      `Proposal: keep ${today.name}. Nothing that was tried leaves fewer compactions without a warning, warns less in vain, or warns at least one step (${tokens(step)} tokens) ahead where today's do not (n = ${n} compactions).`,
    ];
  const told = ({ warned, compactions, false_warnings, lead_tokens }: Judgement): string =>
    `${warned} of ${compactions} warned, ${formatThousands(false_warnings)} in vain, ${tokens(lead_tokens.median)} tokens ahead`;
  return [
    `Proposal: ${name}: ${told(chosen)}; today ${told(today)} (n = ${n} compactions).`,
    ...Object.entries(settings).map(([key, value]) => `  ${key} = ${String(value)}`),
  ];
}

export function calibrationText(
  figures: Calibration,
  judged: { today: Judgement; others: readonly Judgement[]; step: number; proposal: Proposal },
  inForce: Pick<AssessmentSettings, 'typicalStepTokens' | 'thresholdBase'>,
): string {
  const { total, automatic } = figures.compactions;
  return [
    `${count(figures.sessions, 'session')}, ${count(figures.calls, 'call')}, ${count(total, 'compaction')}${total === 0 ? '' : `, of which ${automatic} automatic`}`,
    '',
    ...autoCompactText(figures),
    '',
    ...growthText(figures, inForce.typicalStepTokens),
    '',
    ...sizesText(figures),
    ...countedText(figures),
    ...reworkText(figures),
    ...judgementText(judged.today, judged.others, inForce.thresholdBase),
    '',
    ...proposalText(judged.proposal, judged),
  ].join('\n');
}
