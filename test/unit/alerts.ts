// What does an alert say, in tests? The words for a checkpoint, and where that lies.
import type { CheckpointDraft } from '../../src/model/checkpoint.ts';
import type { AlertFacts } from '../../src/tags/compaction-alert.ts';

export const PATH = '.plimsoll/checkpoints/cx-001-checkpoint.json';
export const facts = (checkpoint: CheckpointDraft | null, more: Partial<AlertFacts> = {}): AlertFacts => ({
  event: 1,
  path: PATH,
  checkpoint,
  root: '/project',
  ...more,
});
export const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
