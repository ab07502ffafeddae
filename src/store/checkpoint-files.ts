// Where do checkpoints live? Files `cx-NNN-checkpoint.json`, acknowledged by a marker beside them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint } from '../model/checkpoint.ts';
import { createFile } from './atomic.ts';
import type { ProjectPaths } from './paths.ts';

const NAME = /^(cx-(\d+))-checkpoint\.json$/;

export const checkpointPath = (paths: ProjectPaths, id: string): string =>
  join(paths.checkpoints, `${id}-checkpoint.json`);

const markerPath = (paths: ProjectPaths, id: string): string => `${checkpointPath(paths, id)}.acknowledged`;

/** Ids of all checkpoints, oldest first; `cx-1000` comes after `cx-999`. */
export function listCheckpoints(paths: ProjectPaths): string[] {
  let names: string[];
  try {
    names = readdirSync(paths.checkpoints);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => {
      const match = NAME.exec(name);
      return match?.[1] === undefined ? [] : [{ id: match[1], number: Number(match[2]) }];
    })
    .sort((a, b) => a.number - b.number)
    .map((each) => each.id);
}

export const isAcknowledged = (paths: ProjectPaths, id: string): boolean => existsSync(markerPath(paths, id));

/** Whose a checkpoint is; null when it cannot be read. */
function conversationOf(paths: ProjectPaths, id: string): string | null {
  try {
    const value = JSON.parse(readFileSync(checkpointPath(paths, id), 'utf8')) as Checkpoint;
    return value.conversation.session_id;
  } catch {
    return null;
  }
}

/** Marks a checkpoint and all older ones of its conversation as told to the agent. */
export function acknowledge(
  paths: ProjectPaths,
  conversation: string,
  id: string,
  evidence: string,
  now: number,
): void {
  const number = Number(id.slice(3));
  for (const each of listCheckpoints(paths)) {
    if (Number(each.slice(3)) > number || isAcknowledged(paths, each)) continue;
    if (each !== id) {
      if (conversationOf(paths, each) !== conversation) continue;
    }
    const marker = { acknowledged_at: new Date(now).toISOString(), evidence, by: id };
    createFile(markerPath(paths, each), `${JSON.stringify(marker)}\n`);
  }
}
