// The saved state of sessions: one file in the folder of each, changed under its lock and read without it.

import { withLock } from '../platform/lock.ts';
import { exists, readStamp } from '../platform/look.ts';
import { listSessionFolders, type ProjectPaths } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { readUntrusted, STATE_FILE } from '../platform/read.ts';
import { moveFile, replaceFile } from '../platform/write.ts';
import { buildNewerFile, isError } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';
import type { LastStop, SessionPatch, SessionState } from './session-state.ts';
import {
  createSessionState,
  isLastStop,
  isSessionState,
  mergeSessionState,
  SESSION_STATE_VERSION,
} from './session-state.ts';

/** The files of one session. */
type Files = ReturnType<ProjectPaths['session']>;

/**
 * The state in the folder of a session; null when there is none. Fields that an earlier version did not write get their
 * defaults.
 * @throws when the file is no JSON object of ours, is from a newer version, or names the session of another folder
 */
export function readStateIn(paths: ProjectPaths, { folder, state: path }: Files): SessionState | null {
  const source = readUntrusted(path, STATE_FILE);
  if (source === null) return null;
  const value = JSON.parse(source) as Partial<SessionState> | null;
  // Checked first, because a newer version may keep the session's id elsewhere.
  if (isNewer(value?.schema_version, SESSION_STATE_VERSION)) throw buildNewerFile(path);
  const id = value?.session_id;
  if (typeof id !== 'string' || paths.session(id).folder !== folder)
    throw new Error(`Not the state of this session: "${path}"`);
  const state: unknown = { ...createSessionState(id), ...value };
  if (!isSessionState(state)) throw new Error(`Not a session state, by the types of its fields: "${path}"`);
  return state;
}

/**
 * The state of a session; null when there is none.
 * @throws as `readStateIn`
 */
export function readSessionState(paths: ProjectPaths, id: string): SessionState | null {
  const files = paths.session(id);
  const state = readStateIn(paths, files);
  if (state !== null && state.session_id !== id)
    throw new Error(`Not the state of this session: "${files.state}"`);
  return state;
}

/** The end of a session's last turn: as its state has it, or the client's module, which starts no process for it. */
export function readLastStop(paths: ProjectPaths, state: SessionState): LastStop | null {
  const noted = tryOrNull(() =>
    JSON.parse(readUntrusted(paths.session(state.session_id).stop, STATE_FILE) ?? ''),
  );
  return isLastStop(noted) && noted.at > (state.last_stop?.at ?? '') ? (noted as LastStop) : state.last_stop;
}

/**
 * The state of a session, for callers that change it afterwards: null also when it is unreadable, because the change
 * sets such a file aside.
 * @throws when the file is from a newer version
 */
export function readUsableState(paths: ProjectPaths, id: string): SessionState | null {
  try {
    return readSessionState(paths, id);
  } catch (error) {
    if (isError(error, 'newer-file')) throw error;
    return null;
  }
}

/** Reads the state for a change; an unreadable file is renamed, never overwritten. */
function readForChange(paths: ProjectPaths, id: string): SessionState {
  const path = paths.session(id).state;
  const state = readUsableState(paths, id);
  if (state === null && exists(path)) moveFile(path, `${path}.unreadable`);
  return state ?? createSessionState(id);
}

/** Applies patches to the newest state on disk, one after the other. */
export function patchSessionState(paths: ProjectPaths, id: string, ...patches: SessionPatch[]): void {
  ensureStateFolder(paths);
  const path = paths.session(id).state;
  withLock(path, () => {
    const merged = patches.reduce(mergeSessionState, readForChange(paths, id));
    replaceFile(path, `${JSON.stringify(merged, null, 1)}\n`);
  });
}

/**
 * Readable states, the last written first: all, or the first `most` that are `wanted` among the newest files.
 */
export function readStates(
  paths: ProjectPaths,
  options: { most?: number; files?: number; wanted?: (state: SessionState) => boolean } = {},
): { state: SessionState; mtimeMs: number }[] {
  const { most = Number.POSITIVE_INFINITY, files = Number.POSITIVE_INFINITY, wanted = () => true } = options;
  const found: { state: SessionState; mtimeMs: number }[] = [];
  const newest = listSessionFolders(paths)
    .map((each) => ({ each, mtimeMs: readStamp(each.state).mtimeMs }))
    .filter(({ mtimeMs }) => mtimeMs >= 0)
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .slice(0, files);
  for (const { each, mtimeMs } of newest) {
    if (found.length >= most) break;
    // One that is unreadable, or of a newer version, `doctor` shows.
    const state = tryOrNull(() => readStateIn(paths, each));
    if (state !== null && wanted(state)) found.push({ state, mtimeMs });
  }
  return found;
}

/** The state files, counted, with those that have a problem. */
export interface Survey {
  count: number;
  newer: string[];
  unreadable: string[];
  /** Unreadable ones that a hook has set aside. */
  setAside: string[];
}

export function surveyStates(paths: ProjectPaths): Survey {
  const survey: Survey = { count: 0, newer: [], unreadable: [], setAside: [] };
  for (const each of listSessionFolders(paths)) {
    const aside = [each.state, each.ledger].map((path) => `${path}.unreadable`);
    survey.setAside.push(...aside.filter(exists));
    if (!exists(each.state)) continue;
    survey.count++;
    try {
      readStateIn(paths, each);
    } catch (error) {
      (isError(error, 'newer-file') ? survey.newer : survey.unreadable).push(each.state);
    }
  }
  return survey;
}

/** Ids of all sessions with readable state. */
export const listSessions = (paths: ProjectPaths): string[] =>
  readStates(paths).map(({ state }) => state.session_id);
