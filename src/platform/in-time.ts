// Runs synchronous work with a time limit; V8 stops it anywhere, even in the middle of a regular expression.

const WORK = Symbol.for('plimsoll.work');

export type InTime<T> = { done: T } | { late: true };

/**
 * Runs synchronous work. V8 itself stops it, so that no loop or regular expression has to check a clock.
 * Errors of the work are thrown on.
 */
export function inTime<T>(ms: number, work: () => T): InTime<T> {
  const { runInThisContext } = process.getBuiltinModule('node:vm');
  let result: InTime<T> = { late: true };
  const place = globalThis as { [WORK]?: () => void };
  place[WORK] = () => {
    result = { done: work() };
  };
  try {
    runInThisContext("globalThis[Symbol.for('plimsoll.work')]()", { timeout: Math.max(1, Math.round(ms)) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  } finally {
    delete place[WORK];
  }
  return result;
}
