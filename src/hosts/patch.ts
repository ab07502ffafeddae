// Reads a patch as several hosts' agents write it (`*** Begin Patch`): the files that it changes, and each as a call of its own.

import { quoteText } from '../text/escape.ts';
import type { ToolCall } from './host.ts';

interface PatchedFile {
  act: 'add' | 'update' | 'delete';
  path: string;
  /** Where it is moved to, or null. */
  target: string | null;
  /** The lines of the patch that are about it. */
  lines: string[];
}

const ACTS = { Add: 'add', Update: 'update', Delete: 'delete' } as const;
const HEAD = /^\s*\*\*\* (Add|Update|Delete) File: (.+)$/;
const TARGET = /^\s*\*\*\* Move to: (.+)$/;

function readPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, act, path] = HEAD.exec(line) ?? [];
    const target = TARGET.exec(line)?.[1];
    const file = files.at(-1);
    if (act !== undefined && path !== undefined)
      files.push({ act: ACTS[act as keyof typeof ACTS], path: path.trim(), target: null, lines: [] });
    else if (file !== undefined && target !== undefined) file.target = target.trim();
    else file?.lines.push(line);
  }
  return files;
}

/** The files that a patch writes or removes. */
export const listFilesInPatch = (patch: string): string[] =>
  readPatch(patch).flatMap(({ path, target }) => (target === null ? [path] : [path, target]));

/** The first file that a patch leaves with another content, or null. */
export const findPatchTarget = (patch: string): { path: string; isWhole: boolean } | null => {
  const first = readPatch(patch).find(({ act }) => act !== 'delete');
  return first === undefined ? null : { path: first.target ?? first.path, isWhole: first.act === 'add' };
};

/** The edits of an update: what stands between two `@@`, as it was and as it will be. */
function editsIn(lines: readonly string[]): { old_string: string; new_string: string }[] {
  const hunks: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('@@')) hunks.push([]);
    else if (/^[ +-]/.test(line)) hunks.at(-1)?.push(line);
  }
  const side = (hunk: readonly string[], other: string): string =>
    hunk
      .filter((line) => !line.startsWith(other))
      .map((line) => line.slice(1))
      .join('\n');
  return hunks
    .filter((hunk) => hunk.length > 0)
    .map((hunk) => ({ old_string: side(hunk, '+'), new_string: side(hunk, '-') }));
}

const remove = (path: string): ToolCall => ({
  tool: 'Bash',
  input: { command: `rm -- ${quoteText(path)}` },
});

/** A patch as the guardrails know calls: one for each change of a file. */
export const readPatchCalls = (patch: string): ToolCall[] =>
  readPatch(patch).flatMap(({ act, path, target, lines }): ToolCall[] => {
    if (act === 'delete') return [remove(path)];
    if (act === 'add') {
      const content = lines.flatMap((line) => (line.startsWith('+') ? `${line.slice(1)}\n` : [])).join('');
      return [{ tool: 'Write', input: { file_path: path, content } }];
    }
    if (target === null) return [{ tool: 'MultiEdit', input: { file_path: path, edits: editsIn(lines) } }];
    return [remove(path), { tool: 'Write', input: { file_path: target, content: null } }];
  });
