// Finds the ORCHESTRATION.yaml that a command means, reads it and changes it.

import { resolve } from 'node:path';
import { explainFileError, formatPercent, type Output, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { exists, isFolder } from '../../../platform/look.ts';
import {
  findOwnSession,
  readSessionReport,
  type SessionReport,
} from '../../../sessions/commands/find-session.io.ts';
import { logToSession } from '../../../sessions/commands/session-log.io.ts';
import { redactOneLine } from '../../../sessions/log-event.ts';
import { quoteShellWord } from '../../../text/escape.ts';
import type { DataMap } from '../../../text/json.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import {
  findActive,
  findNearestOrchestration,
  listProjectOrchestrations,
  readFileStatus,
} from '../find-workflow.io.ts';
import type { OrchestrationFile } from '../orchestration-file.io.ts';
import { changeOrchestrationFile, readOrchestrationFile } from '../orchestration-file.io.ts';
import { stampSection } from '../state/recovery.ts';
import { readSection } from '../state/section.ts';
import type { Verb } from './verb.io.ts';

export interface StateOptions {
  file?: string;
  json?: boolean;
}

export const FILE = 'ORCHESTRATION.yaml';

/** The file that a person named, directly or by its folder. */
export function findNamedFile(place: ProjectContext, given: string): string {
  const path = resolve(place.cwd, given);
  return isFolder(path) ? resolve(path, FILE) : path;
}

function severalFound(
  place: ProjectContext,
  paths: readonly string[],
  active: readonly string[],
): PlimsollError {
  const listed = paths.map(
    (path) => `  ${displayPath(path, place)}  ${readFileStatus(path) ?? 'status unknown'}`,
  );
  const first = quoteShellWord(displayPath(active[0] ?? paths[0] ?? '', place));
  return new PlimsollError(
    'ambiguous',
    `${active.length > 1 ? `${active.length} workflows are active` : 'Several workflows, none of them active'}:\n${listed.join('\n')}`,
    {
      hint: `name one: --file ${first}, or for all commands: plimsoll config set orchestration.path ${first} --scope project`,
      found: { files: paths.map((path) => ({ file: path, status: readFileStatus(path) })) },
    },
  );
}

/**
 * Finds the file that a command is about: the named one, else the configured one, else the nearest from here up to the
 * root, else the only active one in `projects/`. Null when there is none.
 * @throws PlimsollError when several could be meant
 */
export function findFile(place: ProjectContext, given: string | undefined): string | null {
  if (given !== undefined) return findNamedFile(place, given);
  const configured = place.resolved.settings['orchestration.path'];
  const root = place.root ?? place.cwd;
  if (configured !== null) return resolve(root, configured);
  const nearest = findNearestOrchestration(root, place.cwd);
  if (nearest !== null) return nearest;
  const paths = listProjectOrchestrations(root);
  if (paths.length < 2) return paths[0] ?? null;
  const active = findActive(paths);
  if (active.length !== 1) throw severalFound(place, paths, active);
  return active[0] ?? null;
}

/**
 * Finds the file that a command is about, which has to exist.
 * @throws PlimsollError when it does not
 */
export function requireFile(place: ProjectContext, given: string | undefined): string {
  const path = findFile(place, given);
  if (path !== null && exists(path)) return path;
  const isConfigured = given === undefined && path !== null;
  throw new PlimsollError(
    'not-found',
    path === null
      ? `No ${FILE} here, above it up to the root of the project, or in projects/*`
      : `There is no file "${displayPath(path, place)}"${isConfigured ? ', which orchestration.path names' : ''}`,
    {
      hint: isConfigured
        ? 'correct the setting, or name a file: --file PATH'
        : `plimsoll state init${given === undefined ? '' : ` --file ${quoteShellWord(given)}`} creates one${given === undefined ? '; --file PATH names another' : ''}`,
    },
  );
}

const NOT_ALLOWED = 'this user may not read it, or not write it or into its folder';
/** Error codes of the system, in words. */
const REFUSALS: Record<string, string> = {
  EISDIR: 'it is a folder',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: 'it lies where nothing can be written',
  ENOSPC: 'no space is left there',
};

/** Turns what the store could not do into an error for people; returns any other error unchanged. */
export function explainError(error: unknown, path: string, place: ProjectContext): unknown {
  const name = displayPath(path, place);
  const { code } = error as NodeJS.ErrnoException;
  const because = REFUSALS[isError(error, 'unsafe-file') && isFolder(path) ? 'EISDIR' : (code ?? '')];
  if (because === undefined)
    return explainFileError(
      error,
      { name, path },
      { verb: 'use', hint: 'name another file with --file PATH, or try again' },
    );
  return new PlimsollError('unusable-file', `Cannot use ${name}: ${because}. Nothing was changed`, {
    hint: 'put that right, or name another file with --file PATH',
    path,
    found: { file: path },
  });
}

/** Reads the file that a command is about. */
export function openState(
  place: ProjectContext,
  options: StateOptions,
): OrchestrationFile & { path: string } {
  const path = requireFile(place, options.file);
  try {
    return { path, ...readOrchestrationFile(path) };
  } catch (error) {
    throw explainError(error, path, place);
  }
}

/** Formats a time as the section does. */
export const formatTime = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');

/** The session that this command runs in, else the newest of this folder that goes on; null where there is none to be read. */
export function readPresent(place: ProjectContext): SessionReport | null {
  try {
    const session = findOwnSession(place);
    const report = readSessionReport(place, session === undefined ? {} : { session });
    return session === undefined && report.state?.ended ? null : report;
  } catch {
    return null;
  }
}

/**
 * The context usage now, as a fraction of the window with three digits as the specification has it; null when no session
 * of this folder is known, or its usage is unknown: then the field is left as it is.
 */
export function readPresentUsage(place: ProjectContext): number | null {
  const { reading, fractionOfWindow: fill = null } = readPresent(place)?.assessment ?? {};
  return fill === null || reading?.tokens == null ? null : Number(fill.toFixed(3));
}

export interface StateChange {
  path: string;
  changed: boolean;
  updated_at: string;
  context_fill_at_update: number | null;
}

/**
 * Changes the file that a command is about, and stamps it.
 * @param change returns the new data, or the very same object when there is nothing to change: then nothing is stamped
 *   either
 */
export function changeState(
  place: ProjectContext,
  options: StateOptions,
  change: (top: DataMap) => DataMap,
): StateChange {
  const path = requireFile(place, options.file);
  const updated_at = formatTime(place.now);
  const context_fill_at_update = readPresentUsage(place);
  try {
    const changed = changeOrchestrationFile(path, (top) => {
      readSection(top);
      const data = change(top);
      return { data: data === top ? top : stampSection(data, updated_at, context_fill_at_update) };
    });
    return { path, changed, updated_at, context_fill_at_update };
  } catch (error) {
    throw explainError(error, path, place);
  }
}

/** Prints what was changed in a file. */
export function tell(
  place: ProjectContext,
  change: StateChange,
  options: StateOptions,
  output: Output,
  said: { line: string; data?: Record<string, unknown> },
): void {
  const { path, changed, updated_at, context_fill_at_update: fill } = change;
  if (options.json) {
    output.print(toJson({ file: path, changed, updated_at, context_fill_at_update: fill, ...said.data }));
    return;
  }
  const when = changed
    ? `updated_at ${updated_at}${fill === null ? '' : `, context ${formatPercent(fill)}`}`
    : 'unchanged';
  output.print(`${said.line}\n  ${displayPath(path, place)}, ${when}`);
}

/** Runs a verb: its words are read, then the file is changed, and what was done is said. */
export function runVerb(
  place: ProjectContext,
  { read }: Verb,
  args: readonly string[],
  options: StateOptions,
  output: Output,
): void {
  const change = read(args, { ...options });
  const isFile = (path: string): boolean =>
    [place.root ?? place.cwd, place.cwd].some((folder) => exists(resolve(folder, path)));
  let outcome: ReturnType<typeof change> | null = null;
  const changed = changeState(place, options, (top) => {
    outcome = change(top, { at: formatTime(place.now), isFile });
    return outcome.top;
  });
  // The change has been made, or has thrown.
  const { line, data, gate } = outcome as unknown as ReturnType<typeof change>;
  tell(place, changed, options, output, {
    line: typeof line === 'string' ? line : line(changed.changed),
    data,
  });
  if (gate === undefined || !changed.changed) return;
  logToSession(place, { type: 'GateScored', ...gate, gate: redactOneLine(gate.gate) }, output);
}
