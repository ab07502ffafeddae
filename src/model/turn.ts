// Has the last turn ended, and was anything done? What a checkpoint at the end of a conversation turns on.
import { isObject } from './json.ts';
import type { Work } from './work.ts';

/** Whether the main conversation went on after a moment (ISO time), as far as these lines show. */
const goesOnAfter = (lines: readonly unknown[], at: string): boolean =>
  lines.some(
    (line) =>
      isObject(line) &&
      (line.type === 'assistant' || line.type === 'user') &&
      line.isSidechain !== true &&
      typeof line.timestamp === 'string' &&
      line.timestamp > at,
  );

/** What the host said at the end of a turn, where the file does not show it yet (or never will: a killed client). */
export function withStop(
  work: Work,
  lines: readonly unknown[],
  stopped: { at: string; answer: string | null } | null,
): Work {
  if (stopped === null || goesOnAfter(lines, stopped.at)) return work;
  return { ...work, turn_open: false, last_answer: stopped.answer ?? work.last_answer };
}

/** Whether these lines hold anything of the main conversation. */
export const isTalk = (lines: readonly unknown[]): boolean => goesOnAfter(lines, '');

/** Whether any tool was called in these lines, or a request is unanswered: there is something to lose. */
export const isWork = (lines: readonly unknown[], work: Work): boolean =>
  work.turn_open ||
  lines.some(
    (line) =>
      isObject(line) &&
      line.type === 'assistant' &&
      line.isSidechain !== true &&
      isObject(line.message) &&
      Array.isArray(line.message.content) &&
      line.message.content.some((block) => isObject(block) && block.type === 'tool_use'),
  );
