// Finds the ORCHESTRATION.yaml that belongs to the work, and reads it and the status of its workflow.
import { dirname, relative, resolve } from 'node:path';
import { isActive } from '../../compaction/workflow/workflow.ts';
import { isNamed } from '../../platform/in-project.ts';
import { listNames } from '../../platform/look.ts';
import { joinPath } from '../../platform/project/paths.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../platform/read.ts';
import type { WorkflowPlace } from '../workflow-port.ts';
import { readMarks } from './yaml-fields.ts';

const FILE = 'ORCHESTRATION.yaml';

const isInside = (root: string, cwd: string): boolean =>
  cwd === root || !relative(root, cwd).startsWith('..');

/** The nearest file from cwd up to the root; null when there is none. */
export function findNearestOrchestration(root: string, cwd: string): string | null {
  const inside = isInside(root, cwd);
  for (let folder = inside ? cwd : root; ; folder = dirname(folder)) {
    if (isNamed(root, joinPath(folder, FILE))) return joinPath(folder, FILE);
    if (folder === root || dirname(folder) === folder) return null;
  }
}

/** The files in the folders of `projects/`, by name. */
export function listProjectOrchestrations(root: string): string[] {
  const projects = joinPath(root, 'projects');
  return listNames(projects)
    .sort()
    .map((name) => joinPath(projects, `${name}/${FILE}`))
    .filter((path) => isNamed(root, path));
}

/** The status of a workflow, read from plain lines of its text, or null. */
export function readWorkflowStatus(text: string): string | null {
  const { workflow_status, status } = readMarks(text, 'header', ['workflow_status', 'status']);
  return (
    readMarks(text, 'resumption', ['workflow_status']).workflow_status ??
    readMarks(text, 'workflow', ['status']).status ??
    workflow_status ??
    status
  );
}

/** The status of a workflow, read from plain lines of its file; null when they do not tell it or cannot be read. */
export function readFileStatus(path: string): string | null {
  try {
    return readWorkflowStatus(readOrchestration(path) ?? '');
  } catch {
    return null;
  }
}

/** Those of several files whose workflow is active. */
export const findActive = (paths: readonly string[]): string[] =>
  paths.filter((path) => isActive(readFileStatus(path)));

/** Whether there is any such file; this costs less than finding out which one is meant. */
export function hasOrchestration({ root, cwd, configured }: WorkflowPlace): boolean {
  if (root === null) return false;
  if (configured !== null) return isNamed(root, resolve(root, configured));
  return findNearestOrchestration(root, cwd) !== null || listProjectOrchestrations(root).length > 0;
}

/**
 * Path of the file: the configured one; else the nearest from cwd up to the root; else the only one in `projects/*`, or
 * the only active one there. With several active ones the result is null, not a guess.
 */
export function findOrchestration({ root, cwd, configured }: WorkflowPlace): string | null {
  if (root === null) return null;
  if (configured !== null) {
    const path = resolve(root, configured);
    return isNamed(root, path) ? path : null;
  }
  const nearest = findNearestOrchestration(root, cwd);
  if (nearest !== null) return nearest;
  const found = listProjectOrchestrations(root);
  const active = found.length > 1 ? findActive(found) : found;
  return active.length === 1 ? (active[0] ?? null) : null;
}

/**
 * All files that may belong to the work, for callers that must lose nothing and so count uncertain ones too.
 * The configured one, those from cwd up to the root, and all in `projects/*`.
 */
export function listOrchestrations({ root, cwd, configured }: WorkflowPlace): string[] {
  if (root === null) return [];
  const found = new Set(configured === null ? [] : [resolve(root, configured)]);
  const inside = isInside(root, cwd);
  for (let folder = inside ? cwd : root; ; folder = dirname(folder)) {
    found.add(joinPath(folder, FILE));
    if (folder === root || dirname(folder) === folder) break;
  }
  const projects = joinPath(root, 'projects');
  for (const name of listNames(projects)) found.add(joinPath(projects, `${name}/${FILE}`));
  return [...found].filter((path) => isNamed(root, path));
}

/** Text of such a file, whose path was checked before; null when it cannot be read or is too large. */
export const readOrchestration = (path: string): string | null => readTextOrNull(path, SETTINGS_FILE);
