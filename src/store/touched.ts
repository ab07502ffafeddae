// When did anything last happen to a file: its content, its name, its place?
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Milliseconds since the epoch. Not the time that a program may set, or a file keeps when it is moved; where the file is
 * gone that of its folder, and infinity where that is gone too.
 */
export function touchedAt(path: string): number {
  try {
    return lstatSync(path).ctimeMs;
  } catch {
    try {
      return lstatSync(dirname(path)).mtimeMs;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}
