// Merges a later statement about a task into the task that the plan has.
import type { Task } from './entry.ts';

/** State and text are the later ones; what it must do to be accepted stays, where nothing is said of that. */
export const mergeTask = (known: Task, said: Task): Task => ({
  ...said,
  acceptance: said.acceptance.length > 0 ? said.acceptance : known.acceptance,
});
