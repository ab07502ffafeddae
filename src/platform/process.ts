// Tells whether a process that was noted earlier still runs, waits, and limits how long a step may take.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Env } from './project/paths.ts';

/** Blocks this thread for some milliseconds. */
export const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

// Runs synchronous work with a time limit; V8 stops it anywhere, even in the middle of a regular expression.
const WORK = Symbol.for('plimsoll.work');

type InTime<T> = { done: T } | { late: true };

/**
 * Runs synchronous work. V8 itself stops it, so that no loop or regular expression has to check a clock.
 * Errors of the work are thrown on.
 */
export function runInTime<T>(ms: number, work: () => T): InTime<T> {
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

/** The fields that follow the name in Linux's `/proc/PID/stat`, the state first; null on other systems. */
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold anything, also spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Whether a process with this id runs on this machine; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return fieldsOf(pid)?.[0] !== 'Z';
}

/** When a process began, in ticks since the system's own start (Linux); null on other systems. */
export const readProcessStart = (pid: number): string | null => fieldsOf(pid)?.[19] ?? null;

/** Whether the very process that was noted still runs; ids are used again, so its beginning is compared too. */
export function isRunning(noted: { pid: number; began: string | null }): boolean {
  if (!isAlive(noted.pid)) return false;
  const began = readProcessStart(noted.pid);
  return noted.began === null || began === null || began === noted.began;
}

/** How many processes run at once without waiting for each other. */
export const countProcessors = (): number => availableParallelism();

/** The client's process as it tells its hooks, or null (older clients do not tell it). */
export function findClientProcess(env: Env): { pid: number; began: string | null } | null {
  const pid = Number(env.HOST_PID);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, began: readProcessStart(pid) } : null;
}
