// A project with files and checkpoints of a given age, and a run that removes what is old.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeCheckpoint } from '../../src/compaction/checkpoint/checkpoint-store.io.ts';
import type { ProjectPaths } from '../../src/platform/project/paths.ts';
import { prune } from '../../src/sessions/retention/remove-old.io.ts';
import { patchSessionState } from '../../src/sessions/session-states.io.ts';
import { draft } from './drafts.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const NOW = Date.now();

export const age = (path: string, by: number): void =>
  utimesSync(path, (NOW - by) / 1_000, (NOW - by) / 1_000);

/** A file of this text, so old. */
export function file(path: string, text: string, by = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  age(path, by);
  return path;
}

/** Checkpoints of sessions, one each, written so long ago; none of them has a transcript. */
export function written(paths: ProjectPaths, sessions: readonly string[], by = 0): void {
  for (const session_id of sessions) {
    const session = { session_id, transcript: join(paths.state, `${session_id}.jsonl`) };
    const { path } = writeCheckpoint(paths, draft({ conversation: session }), NOW - by);
    age(path, by);
  }
}

export const end = (paths: ProjectPaths, id: string): void =>
  patchSessionState(paths, id, { ended: { at: new Date(NOW).toISOString(), reason: 'other' } });

export const run = (paths: ProjectPaths, keep: number, options = {}) =>
  prune({ paths, cwd: paths.root ?? '/', orchestration: null, now: NOW }, keep, options);
