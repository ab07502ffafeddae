// Pieces of work, for tests: a task, and what is left of one.
import { EMPTY_WORK, type Task, type Work } from '../../src/compaction/work.ts';

export const task = (subject: string, more: Partial<Task> = {}): Task => ({
  id: null,
  subject,
  status: 'pending',
  active: null,
  ...more,
});
export const work = (more: Partial<Work>): Work => ({ ...EMPTY_WORK, ...more });
