// What do we remember of a conversation? One file each, changed under its lock, read without.
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  CONVERSATION_VERSION,
  type Conversation,
  type ConversationPatch,
  mergeConversation,
  newConversation,
} from '../model/conversation.ts';
import { isNewer, isNewerFault, NEWER } from '../model/newer.ts';
import { ensureStateFolder, replaceFile } from './atomic.ts';
import { withLock } from './lock.ts';
import type { ProjectPaths } from './paths.ts';

/**
 * The state of a conversation; null when there is none.
 * @throws when the file is no JSON object of ours, is from a newer version, or names another conversation
 */
export function readConversation(paths: ProjectPaths, id: string): Conversation | null {
  const path = paths.conversation(id);
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const value = JSON.parse(source) as Partial<Conversation> | null;
  // First: a newer version may keep the conversation's id elsewhere.
  if (isNewer(value?.schema_version, CONVERSATION_VERSION)) throw new Error(`${NEWER}: "${path}"`);
  if (typeof value !== 'object' || value === null || value.session_id !== id) {
    throw new Error(`Not the state of this conversation: "${path}"`);
  }
  return { ...newConversation(id), ...value } as Conversation;
}

/** Reads for a change: what is unreadable is set aside beside its file, never overwritten. */
function readForChange(paths: ProjectPaths, id: string): Conversation {
  try {
    return readConversation(paths, id) ?? newConversation(id);
  } catch (error) {
    if (isNewerFault(error)) throw error;
    const path = paths.conversation(id);
    if (existsSync(path)) renameSync(path, `${path}.unreadable`);
    return newConversation(id);
  }
}

/** Applies a patch to the newest state on disk. */
export function patchConversation(paths: ProjectPaths, id: string, patch: ConversationPatch): void {
  ensureStateFolder(paths.state);
  const path = paths.conversation(id);
  withLock(path, () => {
    const merged = mergeConversation(readForChange(paths, id), patch);
    replaceFile(path, `${JSON.stringify(merged, null, 1)}\n`);
  });
}

/** Ids of all conversations with readable state. */
export function listConversations(paths: ProjectPaths): string[] {
  let names: string[];
  try {
    names = readdirSync(paths.conversations);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    try {
      const value = JSON.parse(readFileSync(join(paths.conversations, name), 'utf8')) as {
        session_id?: unknown;
      };
      return typeof value.session_id === 'string' ? [value.session_id] : [];
    } catch {
      return [];
    }
  });
}
