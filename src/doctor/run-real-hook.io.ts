// Runs the real hook as the client starts it, with a given environment, and returns its answer.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { exists } from '../platform/look.ts';
import { type Env, userPaths } from '../platform/project/paths.ts';

const MOST_MS = 20_000;

/** The bundle that settings start; if none is installed, the one beside the command. */
export function hookBundle(env: Env, dist: string): { path: string; isInstalled: boolean } {
  const installed = join(userPaths(env).current, 'hook.cjs');
  return exists(installed)
    ? { path: installed, isInstalled: true }
    : { path: join(dist, 'hook.cjs'), isInstalled: false };
}

/** Runs the hook of an event with a payload. @throws when it does not end by itself with code 0 */
export function runHookBundle(
  bundle: string,
  input: { event: string; payload: Record<string, unknown>; cwd: string; env: Env },
): string {
  const { event, payload, cwd, env } = input;
  const result = spawnSync(process.execPath, [bundle, event], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    input: JSON.stringify({ ...payload, hook_event_name: event, cwd }),
    encoding: 'utf8',
    timeout: MOST_MS,
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`The hook ended with code ${result.status}: ${result.stderr}`);
  return result.stdout;
}
