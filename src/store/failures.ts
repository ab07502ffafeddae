// Where do failures go that a hook must not show? Into a log that never fails itself.
import { renameSync, statSync } from 'node:fs';
import { redact } from '../model/redact.ts';
import { ensureStateFolder } from './atomic.ts';
import { appendLine } from './jsonl.ts';
import { type Env, type ProjectPaths, userPaths } from './paths.ts';

export interface Failure {
  at: string;
  hook: string;
  part: string;
  error: string;
}

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error).slice(0, 300);
  const code = (error as NodeJS.ErrnoException).code;
  return `${code ? `${code}: ` : ''}${error.message}`.slice(0, 300);
};

const MOST_BYTES = 512 * 1024;

/** A log that has grown large becomes `failures.old.jsonl`: two of them are kept at the most. */
function turnOver(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_BYTES) renameSync(path, path.replace(/\.jsonl$/, '.old.jsonl'));
}

/** Appends one line a failure to the project's log, else to the user's; gives up in silence. */
export function logFailures(
  paths: ProjectPaths | null,
  env: Env,
  report: { hook: string; now: number; failures: readonly { part: string; error: unknown }[] },
): void {
  const at = new Date(report.now).toISOString();
  for (const { part, error } of report.failures) {
    const line: Failure = { at, hook: report.hook, part, error: redact(describe(error)) };
    try {
      if (paths === null) throw new Error('no project');
      ensureStateFolder(paths.state);
      turnOver(paths.failures);
      appendLine(paths.failures, line);
    } catch {
      try {
        appendLine(userPaths(env).failures, line);
      } catch {
        // nowhere to write: a hook stays silent
      }
    }
  }
}
