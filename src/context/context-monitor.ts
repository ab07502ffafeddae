// The full `<context-monitor>` message of a tier: usage, headroom, where the figures come from, and what helps.

import type { Freshness } from '../compaction/workflow/staleness.ts';
import { BUDGETS, fitLines, type RankedLine } from '../text/budget.ts';
import { escapeInline } from '../text/escape.ts';
import { formatThousands } from '../text/lines.ts';
import { formatAge } from '../text/time.ts';
import type { Assessment } from './assessment.ts';
import type { SessionSnapshot } from './context-status.ts';
import { isAtLeast, type Sensitivity } from './tier.ts';

/** One decimal, without a trailing zero: 0.7 → "70%". */
const formatFraction = (fraction: number): string => `${Number((fraction * 100).toFixed(1))}%`;

/** Rounded to 5 points, so that equal state gives equal bytes. */
const roughly = (fraction: number): string => `~${Math.round(fraction * 20) * 5}%`;

/** The usage as a share of the threshold and of the window, each named; `say` formats a fraction. */
function formatShares(assessment: Assessment, say: (fraction: number) => string): string {
  const { fractionOfLimit, fractionOfWindow, window, autoCompactAt } = assessment;
  if (assessment.thresholdBase === 'window') return `${say(fractionOfWindow ?? 0)} filled`;
  const ofWindow = `${say(fractionOfWindow ?? 0)} of the ${formatThousands(window.tokens)} window`;
  return autoCompactAt.tokens === null
    ? `${ofWindow}; auto-compaction is off`
    : (fractionOfLimit ?? 0) > 1
      ? `past the expected auto-compaction at ${formatThousands(autoCompactAt.tokens)}; ${ofWindow}`
      : `${say(fractionOfLimit ?? 0)} of the way to auto-compaction at ${formatThousands(autoCompactAt.tokens)}; ${ofWindow}`;
}

/** The status line for NOMINAL and LOW, without its tag; null when the usage is unknown. */
export function formatShortStatus(assessment: Assessment): string | null {
  const { tier, reading } = assessment;
  if (tier === null || reading.tokens === null) return null;
  const estimated = reading.estimated ? '; est.' : '';
  return `CONTEXT STATUS: ${tier} (${formatShares(assessment, roughly)}${estimated})`;
}

/** The headroom in rounded tokens, or that the threshold is passed. */
function headroomText({ headroom, autoCompactAt, thresholdBase }: Assessment): string {
  if (headroom === 0 && thresholdBase !== 'window' && autoCompactAt.tokens !== null)
    return 'past the expected auto-compaction';
  return `~${formatThousands(Math.round((headroom ?? 0) / 1_000) * 1_000)} tokens left`;
}

/**
 * The line at every prompt after the one that named the tier in full: at most 40 tokens, below WARNING at most 25.
 * Equal state gives equal bytes. Null when the usage is unknown.
 */
export function formatMinimalMonitor(assessment: Assessment): string | null {
  const { tier, reading, thresholdBase, fractionOfLimit, fractionOfWindow } = assessment;
  if (tier === null || reading.tokens === null) return null;
  const rounded = roughly((thresholdBase === 'window' ? fractionOfWindow : fractionOfLimit) ?? 0);
  const share = reading.estimated ? rounded.replace('~', 'est ') : rounded;
  const left = isAtLeast(tier, 'WARNING') ? ` (${headroomText(assessment)})` : '';
  return `<context-monitor>CONTEXT STATUS: ${tier} ${share}${left}</context-monitor>`;
}

/** The line with which NOMINAL and LOW are named for the first time. */
export function formatShortMonitor(assessment: Assessment): string | null {
  const status = formatShortStatus(assessment);
  return status === null ? null : `<context-monitor>${status}</context-monitor>`;
}

export interface MonitorFacts {
  assessment: Assessment;
  /** Compactions so far. */
  compactions: number;
  /** Newest checkpoint of this session with its age in seconds, or null; one that is not on disk yet is not named. */
  checkpoint: { id: string; age_s: number } | 'being written' | null;
  /** True when the project has an ORCHESTRATION.yaml: only then there are gates to count in. */
  hasOrchestration: boolean;
  /** How its resumption section stands, where that was read; age in seconds. */
  resumption?: {
    updated_at: string;
    age_s: number;
    level: Freshness;
    why: string;
    /** The workflow's own checkpoint, or null. */
    checkpoint: string | null;
  } | null;
  operationTokens: number;
  sensitivity: Sensitivity;
}

const WINDOW_SOURCES: Record<Assessment['window']['source'], string> = {
  config: 'configured',
  client: 'told by the client',
  usage: 'proved by the usage',
  mark: 'named by the model id',
  table: 'from the model table',
  default: 'assumed',
};
const THRESHOLD_SOURCES: Record<Assessment['autoCompactAt']['source'], string> = {
  config: 'configured',
  learned: 'learned from earlier compactions',
  client: "from the client's settings",
  off: 'off',
  reactive: 'only when the API refuses',
  default: 'assumed',
};

/** Says where uncertain figures come from; null when all of them are certain. */
function sourceLine(assessment: Assessment): string | null {
  const parts: string[] = [];
  const { source } = assessment.reading;
  if (source === 'after-compaction') parts.push('usage estimated after the compaction');
  if (source === 'characters')
    parts.push('usage estimated from the length of the text: the provider reports none');
  if (assessment.window.confidence !== 'certain')
    parts.push(`window ${WINDOW_SOURCES[assessment.window.source]}`);
  if (assessment.thresholdBase === 'limit' && assessment.autoCompactAt.confidence !== 'certain') {
    parts.push(`auto-compact threshold ${THRESHOLD_SOURCES[assessment.autoCompactAt.source]}`);
  }
  return parts.length === 0 ? null : `Source: ${parts.join('; ')}`;
}

/** The headroom in whole thousands, where any is left: what a step may come to before the compaction. */
function stepLines({ assessment }: MonitorFacts): string[] {
  const left = Math.round((assessment.headroom ?? 0) / 1_000) * 1_000;
  return left === 0
    ? []
    : [
        `~${formatThousands(left)} tokens remain: begin a step larger than that only after noting where the work stands`,
      ];
}

/** The line about the orchestration file at each tier, for projects that have one. */
const OF_FILE = {
  WARNING:
    'The resumption section of ORCHESTRATION.yaml is due for an update (defect_summary, agent_summaries): plimsoll state --help',
  CRITICAL:
    'All sub-sections of the resumption section need to be current (plimsoll state show); a decision for later phases: plimsoll state decision add "…"',
  EMERGENCY:
    'The state of the work goes to ORCHESTRATION.yaml now: plimsoll state activity "…", plimsoll state next "…"',
};

/** At C3 and C4 a compaction costs more than a new session: what is said of that at each tier. */
const AT_STAKE = {
  WARNING: [],
  CRITICAL: ['a new session is the way out: plimsoll handoff gives it the work'],
  EMERGENCY: [
    'tell the user that the context is nearly full, and that a new session with plimsoll handoff is the way out (AE-006)',
  ],
};

/**
 * The lines of a tier about what comes next and what helps, with the commands for it (seeds 000 to 002). None invites
 * the agent to stop: the work continues through a compaction. Below the label there are only requests.
 */
function actionLines(facts: MonitorFacts): RankedLine[] {
  const { tier, autoCompactAt } = facts.assessment;
  if (tier === null || !isAtLeast(tier, 'WARNING')) return [];
  const reached = tier as keyof typeof OF_FILE;
  const goesOn =
    autoCompactAt.tokens === null
      ? 'Auto-compaction is off: the user can run /compact; the state of the work comes back right after it'
      : 'The work goes on through the compaction; its state comes back right after it';
  const isAtStake = facts.sensitivity === 'C3' || facts.sensitivity === 'C4';
  const asked = [
    'Keep decisions and findings that only this context holds: plimsoll note "…"',
    ...(facts.hasOrchestration ? [OF_FILE[reached]] : []),
    ...(isAtStake ? AT_STAKE[reached].map((text) => `At ${facts.sensitivity} ${text}`) : []),
  ];
  const steps = reached === 'WARNING' ? [] : stepLines(facts);
  return [
    { text: goesOn, rank: 1 },
    { text: '', rank: 5 },
    { text: reached === 'WARNING' ? 'ACTION RECOMMENDED:' : 'ACTION REQUIRED:', rank: 1 },
    ...asked.map((text) => ({ text: `- ${text}`, rank: 1 })),
    ...steps.map((text) => ({ text: `- ${text}`, rank: 2 })),
  ];
}

/** The warning for a window that only the model table calls large. */
function standardLine(assessment: Assessment): RankedLine[] {
  const tier = assessment.tierIfStandardWindow;
  if (tier === null || !isAtLeast(tier, 'WARNING')) return [];
  return [
    {
      text: `If the window is 200,000 and not ${formatThousands(assessment.window.tokens)}, this is ${tier}: ${formatThousands(assessment.reading.tokens ?? 0)} tokens used (said once)`,
      rank: 0,
    },
  ];
}

/**
 * The message of the tier that a snapshot is at, as the settings have it.
 * @param more.checkpoint the newest, with its ISO time; `now` is in ms
 * @param more.resumption how the workflow's section stands; null where there is no workflow
 * @param more.criticality the workflow's, which counts where no setting does
 */
export function formatTierMonitor(
  { assessment, epoch }: Pick<SessionSnapshot, 'assessment' | 'epoch'>,
  settings: {
    'context_monitor.typical_step_tokens': number;
    'context_monitor.sensitivity': Sensitivity | null;
  },
  more: Pick<MonitorFacts, 'hasOrchestration' | 'resumption'> & {
    checkpoint: { id: string; at: string } | 'being written' | null;
    criticality?: Sensitivity | null | undefined;
    warnStandard: boolean;
    now: number;
  },
): string | null {
  const { checkpoint, criticality, warnStandard, now, ...facts } = more;
  const known =
    checkpoint === null || checkpoint === 'being written'
      ? checkpoint
      : { id: checkpoint.id, age_s: Math.max(0, (now - Date.parse(checkpoint.at)) / 1000) };
  return formatContextMonitor(
    {
      ...{ ...facts, assessment, compactions: epoch.number, checkpoint: known },
      operationTokens: settings['context_monitor.typical_step_tokens'],
      sensitivity: settings['context_monitor.sensitivity'] ?? criticality ?? 'C2',
    },
    warnStandard,
  );
}

function nameCheckpoint(checkpoint: MonitorFacts['checkpoint']): string {
  if (checkpoint === null || checkpoint === 'being written') return checkpoint ?? 'none';
  return `${checkpoint.id} (${formatAge(checkpoint.age_s)})`;
}

/**
 * The `<context-monitor>` tag with which a tier is named when it is reached, or null when nothing is known to say.
 * NOMINAL and LOW: one line of at most 60 tokens, rounded to 5 points. WARNING and above: at most 260 tokens.
 *
 * @param warnStandard whether the "if the window is 200,000" warning is due now
 */
export function formatContextMonitor(facts: MonitorFacts, warnStandard = false): string | null {
  const { assessment, checkpoint, resumption } = facts;
  const { tier, reading } = assessment;
  const standard = warnStandard ? standardLine(assessment) : [];
  if (tier === null || reading.tokens === null) return null;
  if (!isAtLeast(tier, 'WARNING')) {
    const status = formatShortStatus(assessment) ?? '';
    if (standard.length === 0) return formatShortMonitor(assessment);
    return ['<context-monitor>', status, ...standard.map((each) => each.text), '</context-monitor>'].join(
      '\n',
    );
  }
  const source = sourceLine(assessment);
  const gates = facts.hasOrchestration
    ? ` (~${((assessment.headroom ?? 0) / facts.operationTokens).toFixed(1)} QG iterations)`
    : '';
  const lines: RankedLine[] = [
    { text: '<context-monitor>', rank: 0 },
    {
      text: `CONTEXT STATUS: ${tier} (${formatShares(assessment, formatFraction)}${reading.estimated ? '; estimated' : ''})`,
      rank: 0,
    },
    {
      text: `Tokens used: ${reading.estimated ? '~' : ''}${formatThousands(reading.tokens)} / ${formatThousands(assessment.effectiveLimit)}`,
      rank: 0,
    },
    { text: `Estimated remaining: ${formatThousands(assessment.headroom ?? 0)} tokens${gates}`, rank: 0 },
    { text: `Compaction events: ${facts.compactions}`, rank: facts.compactions === 0 ? 3 : 2 },
    {
      text: `Last checkpoint: ${nameCheckpoint(checkpoint)}${resumption?.checkpoint ? `; workflow ${escapeInline(resumption.checkpoint).slice(0, 40)}` : ''}`,
      rank: 2,
    },
    ...(resumption
      ? [
          {
            text: `Resumption staleness: ${resumption.level} (${resumption.why}), last updated ${formatAge(resumption.age_s)}`,
            rank: 2,
          },
        ]
      : []),
    ...(source === null ? [] : [{ text: source, rank: 3 }]),
    ...standard,
    ...actionLines(facts),
    { text: '</context-monitor>', rank: 0 },
  ];
  return fitLines(lines, BUDGETS.monitor, null);
}
