// Where is it kept what git listed at the last look, and which edits the rules have seen?
import { appendFileSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Looked, lookedIn, type Stamps } from '../model/guardrails/looked.ts';
import { ensureStateFolder, replaceFile } from './atomic.ts';
import { exists, readRaw } from './files.ts';
import { changedIn } from './git.ts';
import { type Env, lookedPaths, type ProjectPaths } from './paths.ts';

/** The last look of a conversation; null where there was none, or nothing that can be read. */
export const readLooked = (paths: ProjectPaths, conversation: string): Looked | null =>
  lookedIn(readRaw(lookedPaths(paths, conversation).looked), conversation);

/** @throws when it cannot be written */
export function writeLooked(paths: ProjectPaths, looked: Looked): void {
  const path = lookedPaths(paths, looked.conversation).looked;
  ensureStateFolder(dirname(paths.conversations));
  replaceFile(path, `${JSON.stringify(looked)}\n`);
}

/** Notes that the rules have seen an edit of a file. Nothing is noted where nothing was looked at yet. */
export function noteJudged(paths: ProjectPaths, conversation: string, file: string): void {
  const { looked, judged } = lookedPaths(paths, conversation);
  if (exists(looked)) appendFileSync(judged, `${JSON.stringify(file)}\n`, { mode: 0o600 });
}

/** The files that were noted from a place of the list on, and where the list ends. */
export function judgedSince(
  paths: ProjectPaths,
  conversation: string,
  from: number,
): { files: string[]; end: number } {
  const bytes = Buffer.from(readRaw(lookedPaths(paths, conversation).judged) ?? '');
  // A line that is being written is whole at the next look.
  const end = bytes.lastIndexOf('\n') + 1;
  const files = bytes
    .toString('utf8', Math.min(from, end), end)
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [String(JSON.parse(line))];
      } catch {
        return [];
      }
    });
  return { files, end };
}

/** Of a link its own time and size, not those of what it leads to. */
function stampAt(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
  } catch {
    return 'gone';
  }
}

/** What git lists now, each file with its time and size; null outside a repository. @throws where git cannot say in time */
export function stampsIn(root: string, env: Env): Stamps | null {
  const files = changedIn(root, env);
  if (files === null) return null;
  return Object.fromEntries(files.map((path) => [path, stampAt(path)]));
}
