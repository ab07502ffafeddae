// What a report shows of a session, and the figures that page and charts take from it.

import type { AssessmentSettings } from '../context/assessment.ts';
import { findTierStart, TIERS, type Tier } from '../context/tier.ts';
import type { ReplayDetail, ReplayedCall, ReplayedSession } from '../replay/replayed.ts';

/** An event of the session's log, or one that the replay derived; its fields are told by its name. */
export interface ReportedEvent {
  at: string | null;
  /** Main-chain calls before it. */
  call: number;
  type: string;
  [field: string]: unknown;
}

type Figures = 'session' | 'series' | 'compactions' | 'peak' | 'models' | 'false_alarms' | 'copied_calls';
export interface SessionReplay extends Pick<ReplayedSession, Figures>, ReplayDetail {
  events: ReportedEvent[];
}

/** What the ledger knew at a compaction, what was told after it, and what of the needed was told. */
export interface CompactionEvidence {
  known: { title: string; items: string[] }[];
  told: { text: string; tokens: number };
  facts: { kind: string; value: string; bySummary: boolean; withOurs: boolean }[];
}

export interface ReportedSession {
  /** The anchor of its section. */
  key: string;
  /** The transcript as it is shown to people. */
  path: string;
  replay: SessionReplay;
  /** Per compaction; null where it was not looked into. */
  evidence: (CompactionEvidence | null)[];
  /** Whether the events are those of the session's own log, or derived from the transcript. */
  eventsFrom: 'log' | 'replay';
}

export interface ReportInput {
  title: string;
  /** ISO time at which the page was made. */
  made: string;
  sessions: ReportedSession[];
  /** Sessions that were found and are not in it. */
  leftOut: number;
  /** Whether several sessions are meant, also where only one is there. */
  isOverview: boolean;
  assessment: Pick<AssessmentSettings, 'thresholds' | 'mode' | 'typicalStepTokens'>;
}

type TierSettings = ReportInput['assessment'];

/** Where the usage is measured against the same figures: calls from `from` to before `to`. */
export interface LimitStretch {
  from: number;
  to: number;
  window: number;
  limit: number;
  /** Where each tier from LOW on begins, in tokens; tiers that never hold are left out. */
  begins: { tier: Tier; tokens: number }[];
}

/** Finds the stretches in which window and limit stay the same. */
export function findLimitStretches(calls: readonly ReplayedCall[], settings: TierSettings): LimitStretch[] {
  const stretches: LimitStretch[] = [];
  for (const [index, { window, limit }] of calls.entries()) {
    const last = stretches.at(-1);
    if (last?.window === window && last.limit === limit) {
      last.to = index + 1;
      continue;
    }
    const begins = TIERS.slice(1).flatMap((tier) => {
      const tokens = findTierStart(tier, { ...settings, effectiveLimit: limit, window });
      return tokens === null ? [] : [{ tier, tokens }];
    });
    stretches.push({ from: index, to: index + 1, window, limit, begins });
  }
  return stretches;
}

/** The highest usage as a fraction of the effective limit of its call, or null without a call. */
export const findWorstFraction = ({ calls }: SessionReplay): number | null =>
  calls.reduce<number | null>((most, { tokens, limit }) => Math.max(most ?? 0, tokens / limit), null);

/** Of the needed facts of some compactions, how many were told: by the host's summary, and with our text; null where none was. */
export function countRetention(
  evidence: readonly (CompactionEvidence | null)[],
): { needed: number; bySummary: number; withOurs: number } | null {
  const facts = evidence.flatMap((each) => each?.facts ?? []);
  if (facts.length === 0) return null;
  return {
    needed: facts.length,
    bySummary: facts.filter(({ bySummary }) => bySummary).length,
    withOurs: facts.filter(({ withOurs }) => withOurs).length,
  };
}

const RESTS = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

/** "2026-11-27 10:05", in UTC as the transcript has it; the text itself where it is no such time. */
export const formatMoment = (at: string | null): string => {
  if (at === null) return 'no time';
  const [, day, time] = RESTS.exec(at) ?? [];
  return day === undefined ? at.slice(0, 20) : `${day} ${time}`;
};

/** "3 d 4 h", "2 h 5 min", "40 s"; null where a time is missing. */
export function formatSpan(from: string | null, to: string | null): string | null {
  const ms = Date.parse(to ?? '') - Date.parse(from ?? '');
  if (Number.isNaN(ms) || ms < 0) return null;
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** 167000 → "167k", 1000000 → "1M", 950 → "950". */
export function formatShort(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(2))}M`;
  return tokens >= 1_000
    ? `${Number((tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0))}k`
    : String(Math.round(tokens));
}
