// Is a process still the one that was noted?
import { readFileSync } from 'node:fs';
import type { Env } from './paths.ts';

/** Whether a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, in ticks since the system's own start (Linux); null where the system does not tell. */
export function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may hold anything, also spaces and brackets; the 22nd is the start.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Whether the very process that was noted still runs; ids are used again, so its beginning is compared too. */
export function isRunning(noted: { pid: number; began: string | null }): boolean {
  if (!isAlive(noted.pid)) return false;
  const began = beganAt(noted.pid);
  return noted.began === null || began === null || began === noted.began;
}

/** The client's process as it names itself to its hooks, or null (older clients do not). */
export function clientProcess(env: Env): { pid: number; began: string | null } | null {
  const pid = Number(env.CLAUDE_PID);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, began: beganAt(pid) } : null;
}
