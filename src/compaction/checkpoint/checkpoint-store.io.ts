// Writes checkpoints whole and with an integrity hash, reads and checks them, and finds the newest one of a session.

import type { ProjectPaths } from '../../platform/project/paths.ts';
import { ensureStateFolder } from '../../platform/project/state-folder.ts';
import { readUntrusted, STATE_FILE } from '../../platform/read.ts';
import { hashSha256 } from '../../platform/sha256.ts';
import { createFile, syncFolder } from '../../platform/write.ts';
import { formatCanonical } from '../../text/json.ts';
import { buildNewerFile, isError } from '../../text/plimsoll-error.ts';
import { isNewer } from '../../text/version-order.ts';
import { CHECKPOINT_VERSION, type Checkpoint, type CheckpointDraft } from './checkpoint.ts';
import { findNextNumber, joinCheckpointPath, listCheckpoints } from './checkpoint-files.io.ts';

/** How many ids are tried. */
const MOST_TRIES = 1_000;

/** The most checkpoints, newest first, that are searched for one of a given session. */
const MOST_LOOKED_AT = 100;

/** Replaces lone surrogates, which a cut in the middle of a character leaves: they have no canonical form. */
function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), each]));
}

/** SHA-256 over the RFC 8785 form of everything but `integrity`. */
export function hashCheckpoint(checkpoint: Omit<Checkpoint, 'integrity'>): string {
  return hashSha256(formatCanonical(checkpoint));
}

/**
 * Writes a checkpoint under the next free id: complete and fsynced before its name exists.
 * Parallel writers get different ids, because the name is created exclusively.
 */
export function writeCheckpoint(
  paths: ProjectPaths,
  draft: CheckpointDraft,
  now: number,
): { id: string; at: string; path: string } {
  ensureStateFolder(paths);
  const at = new Date(now).toISOString();
  // Another process may take the same number at the same moment, so several are tried.
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const id = `cx-${String(findNextNumber(paths)).padStart(3, '0')}`;
    const { event_type, trigger, context_state, orchestration_state, ...rest } = draft;
    const body: Omit<Checkpoint, 'integrity'> = {
      schema_version: CHECKPOINT_VERSION,
      event_type,
      event_id: id,
      timestamp: at,
      trigger,
      context_state,
      orchestration_state,
      ...rest,
    };
    // Passed through JSON once, so that the hash covers exactly what a reader will parse.
    const plain = JSON.parse(JSON.stringify(body, wellFormed)) as typeof body;
    const integrity: Checkpoint['integrity'] = {
      algorithm: 'sha256',
      canonicalization: 'RFC 8785',
      digest: hashCheckpoint(plain),
    };
    const path = joinCheckpointPath(paths, id);
    if (createFile(path, `${JSON.stringify({ ...plain, integrity }, null, 2)}\n`, { fsync: true })) {
      syncFolder(paths.checkpoints);
      return { id, at, path };
    }
  }
  throw new Error(`Others took every id for a checkpoint in "${paths.checkpoints}"`);
}

/** Text of a checkpoint file. @throws also when it does not exist */
function readThere(path: string): string {
  const text = readUntrusted(path, STATE_FILE);
  if (text !== null) return text;
  throw Object.assign(new Error(`ENOENT: no such file: "${path}"`), { code: 'ENOENT' });
}

/**
 * Reads a checkpoint.
 * @param isFresh whether a hook has just written it: its hash is not computed then, which takes a hook 13 ms
 * @throws when it is missing, no JSON, of a newer version, or does not match its integrity hash
 */
export function readCheckpoint(paths: ProjectPaths, id: string, isFresh = false): Checkpoint {
  const path = joinCheckpointPath(paths, id);
  const value = JSON.parse(readThere(path)) as Checkpoint | null;
  // Checked first, because a newer version may have another shape.
  if (isNewer(value?.schema_version, CHECKPOINT_VERSION)) throw buildNewerFile(path);
  if (typeof value !== 'object' || value === null || value.event_id !== id) {
    throw new Error(`Not a checkpoint: "${path}"`);
  }
  const { integrity, ...body } = value;
  if (!isFresh && integrity?.digest !== hashCheckpoint(body))
    throw new Error(`Changed or damaged since it was written: "${path}"`);
  return value;
}

/** The result of checking a checkpoint: its content, or what is wrong with it. */
export type Checked =
  | { state: 'ok'; checkpoint: Checkpoint }
  /** `newer`: a newer version wrote it; `unreadable`: the system does not let us; `missing`: it is gone. */
  | { state: 'damaged' | 'newer' | 'unreadable' | 'missing'; fault: string };

export function checkCheckpoint(paths: ProjectPaths, id: string): Checked {
  try {
    return { state: 'ok', checkpoint: readCheckpoint(paths, id) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // The caller knows the path, so it is taken out of the message.
    const fault = message.replace(`: "${joinCheckpointPath(paths, id)}"`, '');
    if (isError(error, 'newer-file')) return { state: 'newer', fault };
    if (code !== undefined) return { state: code === 'ENOENT' ? 'missing' : 'unreadable', fault };
    if (error instanceof SyntaxError) return { state: 'damaged', fault: `No whole JSON: ${fault}` };
    return { state: 'damaged', fault };
  }
}

/** The session and compaction number that a checkpoint names, without checking its integrity. */
function placeOf(paths: ProjectPaths, id: string, session: string): Partial<Checkpoint['conversation']> {
  const text = readThere(joinCheckpointPath(paths, id));
  if (!text.includes(session)) return {};
  return (JSON.parse(text) as Partial<Checkpoint> | null)?.conversation ?? {};
}

/** The newest readable checkpoint of a session from before a given compaction number, or null. */
export function findNewestCheckpoint(
  paths: ProjectPaths,
  session: string,
  beforeEpoch = Infinity,
): Checkpoint | null {
  // There is none before the first segment; below, only a checkpoint that matches is hashed.
  if (beforeEpoch <= 0) return null;
  for (const id of listCheckpoints(paths).reverse().slice(0, MOST_LOOKED_AT)) {
    try {
      const { session_id, epoch = Infinity } = placeOf(paths, id, session);
      if (session_id === session && epoch < beforeEpoch) return readCheckpoint(paths, id);
    } catch {
      // damaged ones are skipped; `checkpoint list` shows them
    }
  }
  return null;
}
