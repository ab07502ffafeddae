// Finds a folder in memory for what tests write: to sync a small file on a disk takes longer than what is tested.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';

const FOLDER = '/dev/shm';
const LEAST_BYTES = 4 * 1024 ** 3;

/** The folder; null where there is none, where it is small (as in most containers), or no program in it may be run. */
export function memoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(FOLDER);
    if (bavail * bsize < LEAST_BYTES) return null;
    const folder = mkdtempSync(`${FOLDER}/plimsoll-`);
    try {
      writeFileSync(`${folder}/run`, '#!/bin/sh\n', { mode: 0o755 });
      return spawnSync(`${folder}/run`).status === 0 ? FOLDER : null;
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return null;
  }
}
