// Reads the state of a session for the fast path: only if it is of exactly this version.

import type { ProjectPaths } from '../platform/project/paths.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { CONVERSATION_VERSION, type Conversation } from './session-state.ts';

/**
 * The state of a session when it is of exactly this version; null when there is none, or one that needs the
 * careful reader (`readConversation`).
 * @throws when the file is no JSON
 */
export function readCurrent(paths: ProjectPaths, id: string): Conversation | null {
  const source = readTextOrNull(paths.conversation(id), STATE_FILE);
  if (source === null) return null;
  const value = JSON.parse(source) as Conversation | null;
  return value?.schema_version === CONVERSATION_VERSION && value.session_id === id ? value : null;
}
