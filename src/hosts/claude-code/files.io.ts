// Names the files of Claude Code that we read or edit.
import { join } from 'node:path';
import { type Env, findHome } from '../../platform/project/paths.ts';

/** The user's folder of the client. */
export const findConfigFolder = (env: Env): string => env.CLAUDE_CONFIG_DIR || join(findHome(env), '.claude');

/** The client's settings that the machine's administrator sets over all others. */
export function findManagedSettings(platform: string): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  return platform === 'win32'
    ? 'C:\\Program Files\\ClaudeCode\\managed-settings.json'
    : '/etc/claude-code/managed-settings.json';
}

/** The client's memory file, which also tells which folders are trusted. */
export const findClientMemory = (env: Env): string =>
  join(env.CLAUDE_CONFIG_DIR || findHome(env), '.claude.json');

/** The client's settings files that decide its window and its auto-compact threshold, weakest first. */
export const listLimitSettings = (root: string | null, env: Env): string[] => [
  ...listClientSettings(root, env),
  findManagedSettings(process.platform),
];

/** The client's settings files of the user and of the project, weakest first. */
export function listClientSettings(root: string | null, env: Env): string[] {
  const user = join(findConfigFolder(env), 'settings.json');
  if (root === null) return [user];
  return [user, join(root, '.claude', 'settings.json'), join(root, '.claude', 'settings.local.json')];
}
