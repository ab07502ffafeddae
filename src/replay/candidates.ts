// Thresholds that could be set instead of today's: which there are, how each did in a replay, and which of them to propose.

import type { AssessmentSettings } from '../context/assessment.ts';
import { PRESETS, type Sensitivity, type Thresholds } from '../context/tier.ts';
import type { Settings } from '../settings/settings.ts';
import { readAssessmentSettings, TIER_NAMES } from '../settings/usage-settings.ts';
import { describeSpread, isForeseeable, type Spread } from './calibrate.ts';
import { isOwnCompaction, type ReplayedSession } from './replayed.ts';

/** Fewer automatic compactions than these prove nothing. */
export const LEAST_COMPACTIONS = 3;

export interface Candidate {
  name: string;
  /** The settings that have to change for it. */
  changes: Partial<Settings>;
  assessment: AssessmentSettings;
}

const percentages = ({ warning, critical, emergency }: Thresholds): string =>
  `${[warning, critical, emergency].map((each) => Number((each * 100).toFixed(1))).join('/')}%`;

/** How thresholds are called: `static 70/80/88%`, or `dynamic, steps of 29,000`. */
export const nameThresholds = ({ mode, thresholds, typicalStepTokens }: AssessmentSettings): string =>
  mode === 'static'
    ? `static ${percentages(thresholds)}`
    : `dynamic, steps of ${typicalStepTokens.toLocaleString('en-US')}`;

/** A candidate, with the changes alone that make a difference. */
function buildCandidate(settings: Settings, wanted: Partial<Settings>): Candidate {
  const { thresholds } = readAssessmentSettings(settings);
  const inForce: Partial<Settings> = { ...settings };
  for (const tier of TIER_NAMES) inForce[`context_monitor.${tier}_threshold`] = thresholds[tier];
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => inForce[key as keyof Settings] !== value),
  ) as Partial<Settings>;
  const assessment = readAssessmentSettings({ ...settings, ...changes });
  return { name: nameThresholds(assessment), changes, assessment };
}

const presetOf = (settings: Settings, level: Sensitivity): Candidate => {
  const { low } = readAssessmentSettings(settings).thresholds;
  const preset = PRESETS[level];
  return buildCandidate(settings, {
    'context_monitor.mode': 'static',
    ...(low > preset.warning ? { 'context_monitor.low_threshold': preset.low } : {}),
    'context_monitor.warning_threshold': preset.warning,
    'context_monitor.critical_threshold': preset.critical,
    'context_monitor.emergency_threshold': preset.emergency,
  });
};

/**
 * What is tried beside today's thresholds: the presets, and headroom in steps, of today's size and of the measured one.
 * In each group the earliest warning comes first: a session in which one never warns needs no replay with the next.
 */
export function listCandidates(settings: Settings, step: number | null): Candidate[][] {
  const today = nameThresholds(readAssessmentSettings(settings));
  const steps = new Set([settings['context_monitor.typical_step_tokens'], ...(step === null ? [] : [step])]);
  const groups = [
    (['C4', 'C3', 'C2', 'C1'] as const).map((level) => presetOf(settings, level)),
    [...steps]
      .sort((a, b) => b - a)
      .map((tokens) =>
        buildCandidate(settings, {
          'context_monitor.mode': 'dynamic',
          'context_monitor.typical_step_tokens': tokens,
        }),
      ),
  ];
  return groups.map((group) => group.filter(({ name }) => name !== today));
}

/** How thresholds did in a replay. */
export interface Judgement {
  name: string;
  /** Automatic compactions, and those before which a hook at a prompt or a tool warned. */
  compactions: number;
  warned: number;
  /** How early, of those. */
  lead_calls: Spread;
  lead_tokens: Spread;
  /** Warnings that no compaction followed. */
  false_warnings: number;
}

export function judgeThresholds(name: string, sessions: readonly ReplayedSession[]): Judgement {
  const compactions = sessions.flatMap((each) =>
    each.compactions.filter((one) => isOwnCompaction(each, one) && isForeseeable(one)),
  );
  const leads = compactions.flatMap(({ lead }) => lead.with_tool_use ?? []);
  return {
    name,
    compactions: compactions.length,
    warned: leads.length,
    lead_calls: describeSpread(leads.map(({ calls }) => calls)),
    lead_tokens: describeSpread(leads.map(({ tokens }) => tokens)),
    false_warnings: sessions.reduce((sum, each) => sum + each.false_alarms, 0),
  };
}

/** By what thresholds are compared, the most important first; lower is better. */
const rankOf = (each: Judgement, step: number): number[] => [
  each.compactions - each.warned,
  each.false_warnings,
  (each.lead_tokens.median ?? 0) >= step ? 0 : 1,
];

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The best: the fewest compactions without a warning, then the fewest warnings without a compaction, then a median lead of at
 * least one step. Today's where nothing is better.
 */
export function chooseThresholds(
  today: Judgement,
  others: readonly Judgement[],
  step: number,
): { chosen: Judgement | null; reason: 'too-few-compactions' | 'nothing-better' | null } {
  if (today.compactions < LEAST_COMPACTIONS) return { chosen: null, reason: 'too-few-compactions' };
  const best = others.reduce(
    (found, each) => (compareRanks(rankOf(each, step), rankOf(found, step)) < 0 ? each : found),
    today,
  );
  return best === today ? { chosen: null, reason: 'nothing-better' } : { chosen: best, reason: null };
}

export const describeThresholds = ({ mode, thresholds, typicalStepTokens }: AssessmentSettings) => ({
  mode,
  ...Object.fromEntries(TIER_NAMES.map((tier) => [tier, thresholds[tier]])),
  typical_step_tokens: typicalStepTokens,
});
