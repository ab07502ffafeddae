// Reads the state of a session for the fast path: only if it is of exactly this version.

import type { ProjectPaths } from '../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { parseCurrentState } from './parse-state.ts';
import type { SessionState } from './session-state.ts';

/**
 * The state of a session when it is of exactly this version; null when there is none, or one that needs the
 * careful reader (`readSessionState`).
 * @throws when the file is no JSON
 */
export function readCurrent(paths: ProjectPaths, id: string): SessionState | null {
  const source = readTextOrNull(paths.session(id).state, STATE_FILE);
  return source === null ? null : parseCurrentState(source, id);
}
