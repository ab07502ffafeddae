// The library: re-exports only.

export { usageTokens } from './hosts/claude-code/transcript/line.ts';
export { type Assessment, type AssessmentSettings, assess } from './model/assessment.ts';
export type { Checkpoint, CheckpointDraft } from './model/checkpoint.ts';
export { type CompactionPoint, clientCompaction, compactionPointOf } from './model/compaction-point.ts';
export { type Reading, readingOf } from './model/fill.ts';
export { redact } from './model/redact.ts';
export { PRESETS, type Thresholds, TIERS, type Tier, tierOf } from './model/tier.ts';
export { type Window, windowOf } from './model/window.ts';
export { scanTail, scanWhole } from './store/transcript.ts';
