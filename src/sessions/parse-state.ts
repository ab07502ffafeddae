// Takes the text of a session's state for the fast paths: only if it is of exactly this version.

import { isSessionState, SESSION_STATE_VERSION, type SessionState } from './session-state.ts';

/**
 * The state that a text holds; null for one of another version or session, or none.
 * @throws when it is no JSON
 */
export function parseCurrentState(text: string, id: string): SessionState | null {
  const value: unknown = JSON.parse(text);
  if (!isSessionState(value)) return null;
  return value.schema_version === SESSION_STATE_VERSION && value.session_id === id ? value : null;
}
