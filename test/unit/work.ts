// Pieces of work, for tests: a task, and what is left of one.
import { EMPTY_WORK, type Work, type WorkTask } from '../../src/compaction/work.ts';

export const task = (subject: string, more: Partial<WorkTask> = {}): WorkTask => ({
  id: null,
  subject,
  status: 'pending',
  active: null,
  ...more,
});
export const work = (more: Partial<Work>): Work => ({ ...EMPTY_WORK, ...more });
