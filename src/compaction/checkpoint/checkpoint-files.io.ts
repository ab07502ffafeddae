// The files of checkpoints: names `cx-NNN-checkpoint.json`, numbers, and the markers that acknowledge them.

import { exists, listNames } from '../../platform/look.ts';
import { joinPath, type ProjectPaths } from '../../platform/project/paths.ts';
import { readJson, STATE_FILE } from '../../platform/read.ts';
import { createFile, remove, replaceFile } from '../../platform/write.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Ids that we give, from `cx-001` to `cx-999999`; any other name is not ours. */
const NAME = /^(cx-(?!000-)(?:0\d\d|[1-9]\d{2,5}))-checkpoint\.json$/;
const MARKER = /^(cx-(?!000-)(?:0\d\d|[1-9]\d{2,5}))-checkpoint\.json\.acknowledged$/;
const HIGHEST = 999_999;

export const joinCheckpointPath = (paths: ProjectPaths, id: string): string =>
  joinPath(paths.checkpoints, `${id}-checkpoint.json`);

const markerPath = (paths: ProjectPaths, id: string): string =>
  `${joinCheckpointPath(paths, id)}.acknowledged`;

/** `cx-007` is number 7. */
export const parseCheckpointNumber = (id: string): number => Number(id.slice(3));

function idsIn(paths: ProjectPaths, pattern: RegExp): string[] {
  return listNames(paths.checkpoints)
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .sort((a, b) => parseCheckpointNumber(a) - parseCheckpointNumber(b));
}

/** Ids of all checkpoints, oldest first; `cx-1000` comes after `cx-999`. */
export const listCheckpoints = (paths: ProjectPaths): string[] => idsIn(paths, NAME);

/** Ids of markers whose checkpoint is gone: removed by hand, or by a process that died meanwhile. */
export function listOrphans(paths: ProjectPaths): string[] {
  const there = new Set(listCheckpoints(paths));
  return idsIn(paths, MARKER).filter((id) => !there.has(id));
}

/**
 * The number after the highest one given so far; a marker counts too. After the highest possible number it is the
 * lowest free one.
 * @throws when none is free
 */
export function findNextNumber(paths: ProjectPaths): number {
  const taken = new Set(
    [NAME, MARKER].flatMap((pattern) => idsIn(paths, pattern)).map(parseCheckpointNumber),
  );
  let next = 1;
  for (const number of taken) next = Math.max(next, number + 1);
  if (next > HIGHEST) for (next = 1; taken.has(next); next++);
  if (next > HIGHEST) throw new Error(`No id is free for another checkpoint in "${paths.checkpoints}"`);
  return next;
}

export const isAcknowledged = (paths: ProjectPaths, id: string): boolean => exists(markerPath(paths, id));

export interface Acknowledgement {
  acknowledged_at: string | null;
  evidence: string | null;
  /** The newer checkpoint that was delivered in place of this one, or its own id. */
  by: string | null;
  /** In the words of the person, why the work was dropped. */
  reason?: string;
}

/** The content of the marker; null when there is none. An unreadable marker still counts. */
export function readAcknowledgement(paths: ProjectPaths, id: string): Acknowledgement | null {
  if (!isAcknowledged(paths, id)) return null;
  let marker: Partial<Acknowledgement> | null = null;
  try {
    marker = readJson(markerPath(paths, id), STATE_FILE) as Partial<Acknowledgement> | null;
  } catch {
    // its existence is enough
  }
  const { acknowledged_at = null, evidence = null, by = null, reason } = marker ?? {};
  return { acknowledged_at, evidence, by, ...(reason === undefined ? {} : { reason }) };
}

/** The session of a checkpoint; null when it cannot be read. */
export function findCheckpointSession(paths: ProjectPaths, id: string): string | null {
  try {
    const value = readJson(joinCheckpointPath(paths, id), STATE_FILE) as Checkpoint;
    return value.conversation.session_id;
  } catch {
    return null;
  }
}

/**
 * Marks a checkpoint and all older ones of its session as delivered to the agent.
 * @returns those that were not marked before, oldest first
 */
export function acknowledge(
  paths: ProjectPaths,
  session: string,
  id: string,
  evidence: string,
  now: number,
): string[] {
  return listCheckpoints(paths).filter((each) => {
    if (parseCheckpointNumber(each) > parseCheckpointNumber(id) || isAcknowledged(paths, each)) return false;
    if (each !== id && findCheckpointSession(paths, each) !== session) return false;
    const marker: Acknowledgement = { acknowledged_at: new Date(now).toISOString(), evidence, by: id };
    return createFile(markerPath(paths, each), `${JSON.stringify(marker)}\n`);
  });
}

const DROPPED = 'dropped';

/** Marks all checkpoints of a session: they hold work that a person dropped, and nobody is told of them again. */
export function markDropped(paths: ProjectPaths, session: string, reason: string, now: number): void {
  for (const id of listCheckpoints(paths)) {
    if (findCheckpointSession(paths, id) !== session) continue;
    const acknowledged_at = new Date(now).toISOString();
    const marker: Acknowledgement = { acknowledged_at, evidence: DROPPED, by: id, reason };
    replaceFile(markerPath(paths, id), `${JSON.stringify(marker)}\n`);
  }
}

/** Why the work of a checkpoint was dropped; null where it was not. */
export function findDropReason(paths: ProjectPaths, id: string): string | null {
  const { evidence, reason } = readAcknowledgement(paths, id) ?? {};
  return evidence === DROPPED ? String(reason ?? '') : null;
}

/** Removes a marker; a missing one is no error. */
export const removeMarker = (paths: ProjectPaths, id: string): void => remove(markerPath(paths, id));

/** Removes a checkpoint but keeps its marker, because its number is the last that was given. */
export const removeCheckpointOnly = (paths: ProjectPaths, id: string): void =>
  remove(joinCheckpointPath(paths, id));

/**
 * Removes a checkpoint, then its marker: a process that dies in between leaves a marker without a checkpoint, which is
 * harmless, and never a checkpoint that looks undelivered.
 */
export function removeCheckpoint(paths: ProjectPaths, id: string): void {
  remove(joinCheckpointPath(paths, id));
  removeMarker(paths, id);
}
