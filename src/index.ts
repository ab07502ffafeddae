// The library: re-exports only.

export { type Assessment, type AssessmentSettings, assess } from './context/assessment.ts';
export { type AutoCompactThreshold, findAutoCompactThreshold } from './context/auto-compact.ts';
export { findTier, PRESETS, type Thresholds, TIERS, type Tier } from './context/tier.ts';
export { buildUsageReading, type UsageReading } from './context/usage.ts';
export { type ContextWindow, findWindow } from './context/window.ts';
export { claudeCode } from './hosts/claude-code/index.ts';
export { usageTokens } from './hosts/claude-code/transcript/line.ts';
export type { Checkpoint, CheckpointDraft } from './model/checkpoint.ts';
export { redact } from './model/redact.ts';
export { scanTail, scanWhole } from './store/transcript.ts';
