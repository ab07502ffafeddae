// Work that has to end in time: what takes longer is stopped where it stands, in the middle of an expression if need be.

const WORK = Symbol.for('plimsoll.work');

export type InTime<T> = { done: T } | { late: true };

/**
 * Runs work that waits for nothing. V8 itself stops it, so that no loop and no expression has to look at a clock.
 * What the work throws is thrown.
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
