// Why were the files of a track not brought up to date before a compaction? Kept until the alert after it, and until it works.
import { isObject } from '../model/json.ts';
import { readJson, STATE } from '../platform/read.ts';
import { remove, replaceFile } from '../platform/write.ts';
import type { ProjectPaths } from './paths.ts';
import { ensureStateFolder } from './state-folder.ts';

export interface Refusal {
  track: string;
  /** In one sentence, with file and line where there is one. */
  reason: string;
}

/** Beside the state of the conversation, so that it goes with it. */
const refusalPath = (paths: Pick<ProjectPaths, 'conversation'>, conversation: string): string =>
  paths.conversation(conversation).replace(/json$/, 'refusal');

/** What the last PreCompact of a conversation could not do; null where it could, or where there was nothing to do. */
export function readRefusal(paths: ProjectPaths, conversation: string): Refusal | null {
  try {
    const value: unknown = readJson(refusalPath(paths, conversation), STATE);
    return isObject(value) && typeof value.track === 'string' && typeof value.reason === 'string'
      ? { track: value.track, reason: value.reason }
      : null;
  } catch {
    return null;
  }
}

/** Notes it, or that nothing is in the way any more. */
export function noteRefusal(paths: ProjectPaths, conversation: string, refusal: Refusal | null): void {
  const path = refusalPath(paths, conversation);
  if (refusal === null) remove(path);
  else {
    ensureStateFolder(paths);
    replaceFile(path, `${JSON.stringify(refusal)}\n`);
  }
}
