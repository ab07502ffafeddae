// Runs the shell analysis in a project whose disk is a handful of folders.
import type { FileSystemPort } from '../../../src/addons/guardrails/guard-call.ts';
import { findCommandChanges } from '../../../src/addons/guardrails/hook/parse-command.ts';
import { normalize } from '../../../src/text/path-text.ts';

/** Folders that are there; every other path is not. */
const FOLDERS = new Set(['/p', '/p/src', '/p/docs', '/p/old', '/home/u', '/']);
export const asked = { resolve: 0 };
const sight: FileSystemPort = {
  resolve: (path) => {
    asked.resolve++;
    const real = normalize(path);
    return { path: real, kind: FOLDERS.has(real) ? 'folder' : 'missing', folds: false, worktree: null };
  },
  read: (path) => (path === '/p/x.patch' ? '--- a/one.ts\n+++ b/one.ts\n' : null),
  expand: (pattern) => (pattern === '/p/src/*.ts' ? ['/p/src/a.ts', '/p/src/b.ts'] : null),
  commands: findCommandChanges,
  imports: null,
};
export const changes = (command: string, tool = 'Bash') =>
  findCommandChanges(command, { tool, input: { command }, cwd: '/p', root: '/p', home: '/home/u' }, sight);
