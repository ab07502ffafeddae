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
import { ensureStateFolder, replaceFile } from './atomic.ts';
import { stampOf } from './files.ts';
import { withLock } from './lock.ts';
import type { ProjectPaths } from './paths.ts';

/** Whether a newer version of ours wrote the file: then it is left alone. */
const isNewer = (version: unknown): boolean =>
  typeof version === 'string' && Number.parseInt(version, 10) > Number.parseInt(CONVERSATION_VERSION, 10);

/** What a state file says, with what an earlier version did not know filled in. */
function stateIn(source: string, path: string): Conversation {
  const value = JSON.parse(source) as Partial<Conversation> | null;
  if (typeof value?.session_id !== 'string') {
    throw new Error(`Not the state of this conversation: "${path}"`);
  }
  if (isNewer(value.schema_version)) throw new Error(`Written by a newer version: "${path}"`);
  return { ...newConversation(value.session_id), ...value } as Conversation;
}

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
  const state = stateIn(source, path);
  if (state.session_id !== id) throw new Error(`Not the state of this conversation: "${path}"`);
  return state;
}

/** Reads for a change: what is unreadable is set aside beside its file, never overwritten. */
function readForChange(paths: ProjectPaths, id: string): Conversation {
  try {
    return readConversation(paths, id) ?? newConversation(id);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Written by a newer')) throw error;
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

const stateFiles = (paths: ProjectPaths): string[] => {
  try {
    return readdirSync(paths.conversations)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(paths.conversations, name));
  } catch {
    return [];
  }
};

/** All readable states, the one written last first; `most` of the newest files are looked at. */
export function readStates(
  paths: ProjectPaths,
  most = Number.POSITIVE_INFINITY,
): { state: Conversation; mtimeMs: number }[] {
  return stateFiles(paths)
    .map(stampOf)
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .slice(0, most)
    .flatMap(({ path, mtimeMs }) => {
      try {
        return [{ state: stateIn(readFileSync(path, 'utf8'), path), mtimeMs }];
      } catch {
        // unreadable, or of a newer version: `doctor` shows it
        return [];
      }
    });
}

/** Ids of all conversations with readable state. */
export const listConversations = (paths: ProjectPaths): string[] =>
  readStates(paths).map(({ state }) => state.session_id);
