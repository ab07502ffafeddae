// Reads which process the client is, as it tells its hooks.
import { beganAt } from './process.ts';
import type { Env } from './project/paths.ts';

/** The client's process as it tells its hooks, or null (older clients do not tell it). */
export function clientProcess(env: Env): { pid: number; began: string | null } | null {
  const pid = Number(env.HOST_PID);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, began: beganAt(pid) } : null;
}
