// The library: re-exports only.

export type { Checkpoint, CheckpointDraft } from './compaction/checkpoint/checkpoint.ts';
export { type Assessment, type AssessmentSettings, assessUsage } from './context/assessment.ts';
export { type AutoCompactThreshold, findAutoCompactThreshold } from './context/auto-compact.ts';
export { findTier, PRESETS, type Thresholds, TIERS, type Tier } from './context/tier.ts';
export { buildUsageReading, type UsageReading } from './context/usage.ts';
export { type ContextWindow, findWindow } from './context/window.ts';
export { claudeCode } from './hosts/claude-code/index.io.ts';
export { sumUsage } from './hosts/claude-code/transcript/line.ts';
export { scanTail, scanWhole } from './hosts/scan-facts.io.ts';
export { redact } from './text/redact.ts';
