// Runs a project's own evaluator of a track, a shell command from its settings, in bounded time.
import { spawnSync } from 'node:child_process';
import type { Env } from '../../../platform/project/paths.ts';

const TIME_MS = 60_000;
const MOST_BYTES = 1024 * 1024;

export interface Judged {
  /** Exit code; null when it did not end by itself. */
  code: number | null;
  /** What it printed, standard output first. */
  lines: string[];
  /** Why it did not end by itself, or null. */
  fault: string | null;
}

/** Runs the command at the root, with the track's id in PLIMSOLL_TRACK. Only CLI commands call this, never hooks. */
export function runEvaluator(command: string, root: string, track: string, env: Env): Judged {
  const { status, stdout, stderr, error, signal } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env: { ...env, PLIMSOLL_TRACK: track },
    encoding: 'utf8',
    timeout: TIME_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`.split(/\r?\n/).filter((line) => line.trim() !== '');
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const why =
    code === 'ETIMEDOUT'
      ? `it took longer than ${TIME_MS / 1000} s`
      : (code ?? (signal ? `it was ended by ${signal}` : null));
  return { code: why === null ? status : null, lines, fault: why };
}
