// The library: re-exports only.

export { type Assessment, type AssessmentSettings, assess } from './context/assessment.ts';
export { type CompactionPoint, clientCompaction, compactionPointOf } from './context/auto-compact.ts';
export { PRESETS, type Thresholds, TIERS, type Tier, tierOf } from './context/tier.ts';
export { type Reading, readingOf } from './context/usage.ts';
export { type Window, windowOf } from './context/window.ts';
export { usageTokens } from './hosts/claude-code/transcript/line.ts';
export type { Checkpoint, CheckpointDraft } from './model/checkpoint.ts';
export { redact } from './model/redact.ts';
export { scanTail, scanWhole } from './store/transcript.ts';
