// Builds assessments from a few figures, with the real `assess`.

import { type Assessment, type AssessmentSettings, assessUsage } from '../../src/context/assessment.ts';
import { PRESETS, TYPICAL_STEP_TOKENS } from '../../src/context/tier.ts';
import type { UsageReading } from '../../src/context/usage.ts';
import { claudeLimits } from '../../src/hosts/claude-code/limits.ts';
import type { ClientCompaction } from '../../src/hosts/host.ts';

export const reading = (tokens: number | null, more: Partial<UsageReading> = {}): UsageReading => ({
  tokens,
  output: tokens === null ? null : 50,
  model: 'claude-sonnet-4-5',
  source: tokens === null ? 'none' : 'usage',
  confidence: tokens === null ? null : 'certain',
  estimated: false,
  stale: false,
  last_seen: null,
  age_s: 0,
  ...more,
});

export const SETTINGS: AssessmentSettings = {
  thresholdBase: 'limit',
  mode: 'static',
  thresholds: PRESETS.C2,
  windowTokens: null,
  autoCompactAt: null,
  typicalStepTokens: TYPICAL_STEP_TOKENS,
  modelWindows: {},
};

export interface Judged {
  settings?: Partial<AssessmentSettings>;
  reading?: Partial<UsageReading>;
  client?: Partial<ClientCompaction>;
  maxTokensByModel?: Record<string, number>;
  maxTokensByCompactSetting?: Record<string, number>;
  marked?: boolean;
  /** Usages at automatic compactions. */
  learned?: Record<string, number[]>;
  /** Usages right after compactions. */
  sizes?: Record<string, number[]>;
  /** Tokens before the session's last automatic compaction. */
  lastAuto?: number;
  lastAutoModel?: string;
  toldCompactsAt?: number;
  env?: Record<string, string>;
}

export const judge = (tokens: number | null, more: Judged = {}): Assessment =>
  assessUsage({
    reading: reading(tokens, more.reading),
    maxTokensByModel: more.maxTokensByModel ?? {},
    maxTokensByCompactSetting: more.maxTokensByCompactSetting ?? null,
    lastAuto: more.lastAuto ?? null,
    lastAutoModel: more.lastAutoModel ?? null,
    marked: more.marked ?? false,
    learned: { points: more.learned ?? {}, sizes: more.sizes ?? {} },
    toldCompactsAt: more.toldCompactsAt,
    client: { enabled: true, window: null, percent: null, ...more.client },
    env: more.env ?? {},
    limits: claudeLimits,
    settings: { ...SETTINGS, ...more.settings },
  });
