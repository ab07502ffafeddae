// Finds the root of the project that a session belongs to.

import { dirname, parse } from 'node:path';
import { readOwnStats, readStats, type Stats } from '../look.ts';
import { type Env, findHome, joinPath, listProjectPaths, type ProjectPaths, resolveReal } from './paths.ts';
import { FOLDER } from './state-place.ts';

const STICKY = 0o1000;

/** Whether a folder is shared by all users, as `/tmp` is. */
const isShared = (stats: Stats): boolean => (stats.mode & STICKY) !== 0;

/**
 * The folder that a session began in: HOST_PROJECT, because the agent's `cd` moves cwd into other projects;
 * without it, cwd.
 */
const startOf = (cwd: string, env: Env): string => resolveReal(env.HOST_PROJECT || cwd);

/**
 * The project's root. In a git repository: the nearest folder with `.plimsoll` from the start up to the top level, else
 * the start when the client named it, else the top level. Without git: the start, whatever lies above it.
 * The search stops at a folder that belongs to somebody other than us or the start's owner.
 * Null for `$HOME`, `/`, a folder that all users share, and a missing one: we never write there.
 */
export function findRoot(cwd: string, env: Env): string | null {
  const start = startOf(cwd, env);
  const own = readStats(start);
  const forbidden = [parse(start).root, resolveReal(findHome(env))];
  const isNamed = Boolean(env.HOST_PROJECT);
  // A missing project (a removed worktree) is not made again, nor is the state of a folder above it used.
  if (forbidden.includes(start) || (own === undefined ? isNamed : isShared(own))) return null;
  const user = process.getuid?.();
  let owner = own?.uid;
  const isTrusted = ({ uid }: Stats): boolean => uid === owner || uid === user;
  const has = (folder: string, name: string): boolean => {
    const stats = readOwnStats(joinPath(folder, name));
    return stats !== undefined && isTrusted(stats);
  };
  let nearest: string | null = null;
  for (let folder = start; !forbidden.includes(folder); folder = dirname(folder)) {
    const stats = readStats(folder);
    owner ??= stats?.uid;
    if (stats !== undefined && (isShared(stats) || !isTrusted(stats))) break;
    if (nearest === null && has(folder, FOLDER)) nearest = folder;
    if (nearest === start) return start;
    if (has(folder, '.git')) return nearest ?? (isNamed ? start : folder);
    if (dirname(folder) === folder) break;
  }
  return own === undefined ? null : start;
}

/** The files of the project that a session belongs to. */
export const findProject = (cwd: string, env: Env): ProjectPaths =>
  listProjectPaths(findRoot(cwd, env), env, startOf(cwd, env));
