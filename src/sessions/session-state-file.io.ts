// Reads the state of a session for the fast path: only if it is of exactly this version.

import type { ProjectPaths } from '../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { isSessionState, SESSION_STATE_VERSION, type SessionState } from './session-state.ts';

/**
 * The state of a session when it is of exactly this version; null when there is none, or one that needs the
 * careful reader (`readSessionState`).
 * @throws when the file is no JSON
 */
export function readCurrent(paths: ProjectPaths, id: string): SessionState | null {
  const source = readTextOrNull(paths.session(id).state, STATE_FILE);
  if (source === null) return null;
  const value: unknown = JSON.parse(source);
  if (!isSessionState(value)) return null;
  return value.schema_version === SESSION_STATE_VERSION && value.session_id === id ? value : null;
}
