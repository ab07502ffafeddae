// What did git list at the last look, and which edits have the rules seen since?
import { type Looked, lookedIn } from '../model/guardrails/looked.ts';
import { redactAll } from '../model/redact.ts';
import { exists } from '../platform/look.ts';
import { readUntrusted, STATE } from '../platform/read.ts';
import { appendText } from '../platform/write.ts';
import { lookedPaths, type ProjectPaths } from './paths.ts';

/** The last look of a conversation; null where there was none, or nothing that can be read. */
export const readLooked = (paths: ProjectPaths, conversation: string): Looked | null =>
  lookedIn(readUntrusted(lookedPaths(paths, conversation).looked, STATE), conversation);

/** Notes that the rules have seen an edit of files. Nothing is noted where nothing was looked at yet. */
export function noteJudged(paths: ProjectPaths, conversation: string, files: readonly string[]): void {
  const { looked, judged } = lookedPaths(paths, conversation);
  if (files.length === 0 || !exists(looked)) return;
  appendText(
    judged,
    redactAll(files)
      .map((file) => `${JSON.stringify(file)}\n`)
      .join(''),
  );
}

/** The files that were noted from a place of the list on, and where the list ends. */
export function judgedSince(
  paths: ProjectPaths,
  conversation: string,
  from: number,
): { files: string[]; end: number } {
  const bytes = Buffer.from(readUntrusted(lookedPaths(paths, conversation).judged, STATE) ?? '');
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
