// What becomes of a task of the plan by a later word on it?
import type { Task } from './entry.ts';

/** State and text are the later ones; what it must do to be accepted stays, where nothing is said of that. */
export const mergeTask = (known: Task, said: Task): Task => ({
  ...said,
  acceptance: said.acceptance.length > 0 ? said.acceptance : known.acceptance,
});
