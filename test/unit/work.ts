// What is a piece of work, in tests? Tasks, a command with what came of it, and what is left of both.
import { EMPTY_WORK, type Task, type Work } from '../../src/model/work.ts';
import { type Line, toolResult, toolUse } from './lines.ts';

export const task = (subject: string, more: Partial<Task> = {}): Task => ({
  id: null,
  subject,
  status: 'pending',
  active: null,
  ...more,
});
/** A command and what came of it. */
export const run = (id: string, command: string, output: unknown, isError: boolean): Line[] => [
  toolUse(id, 'Bash', { command }),
  toolResult(id, output, { isError }),
];
export const work = (more: Partial<Work>): Work => ({ ...EMPTY_WORK, ...more });
