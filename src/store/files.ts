// What does a small file say, and has it changed?
import { readFileSync, statSync } from 'node:fs';

/** Text of a file, or null when there is none. BOM removed. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Size and time of a file; -1 for both where there is none. */
export function stampOf(path: string): { path: string; size: number; mtimeMs: number } {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { path, size: stats?.size ?? -1, mtimeMs: stats?.mtimeMs ?? -1 };
}

export const isUnchanged = (stamp: { path: string; size: number; mtimeMs: number }): boolean => {
  const now = stampOf(stamp.path);
  return now.size === stamp.size && now.mtimeMs === stamp.mtimeMs;
};

export const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
