// The failure log, in which hooks record failures they must not show; writing to it never fails itself.
import { isError } from '../../text/plimsoll-error.ts';
import { redact } from '../../text/redact.ts';
import { readStamp } from '../look.ts';
import { readTextOrNull, STATE_FILE } from '../read.ts';
import { appendLine, moveFile } from '../write.ts';
import { type Env, listUserPaths, type ProjectPaths } from './paths.ts';
import { ensureStateFolder } from './state-folder.ts';

export interface Failure {
  at: string;
  hook: string;
  part: string;
  error: string;
}

const describe = (error: unknown): string => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const text = error instanceof Error ? error.message : String(error);
  // Redacted before it is cut, because half a secret is not recognised.
  return redact(`${code ? `${code}: ` : ''}${text.slice(0, 10_000)}`).slice(0, 300);
};

const MOST_BYTES = 512 * 1024;
const HOUR_MS = 60 * 60 * 1_000;

const oldOf = (path: string): string => path.replace(/\.jsonl$/, '.old.jsonl');

/** Renames a log that has grown large to `failures.old.jsonl`, so that at most two are kept. */
function turnOver(path: string): void {
  if (readStamp(path).size > MOST_BYTES) moveFile(path, oldOf(path));
}

const linesIn = (path: string): Failure[] =>
  (readTextOrNull(path, STATE_FILE) ?? '').split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line) as Partial<Failure> | null;
      const { at, hook, part, error } = value ?? {};
      return [at, hook, part, error].every((each) => typeof each === 'string') ? [value as Failure] : [];
    } catch {
      return [];
    }
  });

/** The failures in a log and in the one before it, oldest first; unreadable lines are left out. */
export function readFailures(path: string): Failure[] {
  return [oldOf(path), path].flatMap((each) => {
    try {
      return linesIn(each);
    } catch {
      return [];
    }
  });
}

/** Whether a hook has logged the same failure within the last hour. */
function isToldOf(path: string, line: Failure): boolean {
  const since = Date.parse(line.at) - HOUR_MS;
  return readFailures(path).some(
    (each) => each.hook === line.hook && each.error === line.error && Date.parse(each.at) > since,
  );
}

/**
 * Appends one line per failure to the project's log, else to the user's; gives up in silence. A file of a newer version
 * stays a failure until somebody upgrades, so each hook logs it once an hour, not at every prompt.
 */
export function logFailures(
  paths: ProjectPaths | null,
  env: Env,
  report: { hook: string; now: number; failures: readonly { part: string; error: unknown }[] },
): void {
  const at = new Date(report.now).toISOString();
  const noted = new Set<string>();
  for (const { part, error } of report.failures) {
    const line: Failure = { at, hook: report.hook, part, error: describe(error) };
    // One cause can stop several steps of a hook.
    const key = `${part}\n${line.error}`;
    if (noted.has(key)) continue;
    noted.add(key);
    try {
      if (paths === null) throw new Error('no project');
      if (isError(error, 'newer-file') && isToldOf(paths.failures, line)) continue;
      ensureStateFolder(paths);
      turnOver(paths.failures);
      appendLine(paths.failures, line);
    } catch {
      try {
        turnOver(listUserPaths(env).failures);
        appendLine(listUserPaths(env).failures, line);
      } catch {
        // nowhere to write: a hook stays silent
      }
    }
  }
}
