// Reads the last snapshot of the worktree, and records the files whose edits the rules have judged since.

import { exists } from '../../../platform/look.ts';
import type { ProjectPaths } from '../../../platform/project/paths.ts';
import { readUntrusted, STATE_FILE } from '../../../platform/read.ts';
import { appendText } from '../../../platform/write.ts';
import { redactAll } from '../../../text/redact.ts';
import { parseSnapshot, type WorktreeSnapshot } from '../worktree-snapshot.ts';

/** The last worktree snapshot of a session; null when there is none that can be read. */
export const readWorktreeSnapshot = (paths: ProjectPaths, session: string): WorktreeSnapshot | null =>
  parseSnapshot(readUntrusted(paths.session(session).looked, STATE_FILE), session);

/** Notes that the rules have judged an edit of files; does nothing while there is no snapshot yet. */
export function recordApproved(paths: ProjectPaths, session: string, files: readonly string[]): void {
  const { looked, judged } = paths.session(session);
  if (files.length === 0 || !exists(looked)) return;
  appendText(
    judged,
    redactAll(files)
      .map((file) => `${JSON.stringify(file)}\n`)
      .join(''),
  );
}

/** The files noted from an offset of the list on, and the offset of its end. */
export function readApprovedSince(
  paths: ProjectPaths,
  session: string,
  from: number,
): { files: string[]; end: number } {
  const bytes = Buffer.from(readUntrusted(paths.session(session).judged, STATE_FILE) ?? '');
  // A line that is still being written is read the next time.
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
