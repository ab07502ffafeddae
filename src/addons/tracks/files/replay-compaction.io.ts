// Repeats a track's compaction on a copy, in its own process and environment, and returns the hashes of the result.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_VARIABLE } from '../../../hosts/claude-code/names.ts';
import { fillFile, makeTemporaryFolder, pathsBelow, removeTree } from '../../../platform/folders.ts';
import { FOREIGN_FILE, readBytes } from '../../../platform/read.ts';
import { sha256 } from '../../../platform/sha256.ts';
import { makeFolder } from '../../../platform/write.ts';
import type { InputFile } from '../entries/collect.ts';

export interface Replay {
  /** Path of the CLI that compacts. */
  self: string;
  track: string;
  coreWrites: boolean;
  files: readonly InputFile[];
  /** Paths of transient files; only the names matter of those that are no logs. */
  transient: readonly string[];
  /** Name of the folder to compact in, and whether its files are made in reverse order. */
  folder: string;
  reversed: boolean;
  /** Time zone and language. */
  env: Readonly<Record<string, string>>;
}

/** SHA-256 of every file afterwards, by path from the root. */
export type Replayed = Record<string, string>;

function hashesIn(root: string): Replayed {
  return Object.fromEntries(
    pathsBelow(root).map((path) => [path, sha256(readBytes(join(root, path), FOREIGN_FILE) ?? '')]),
  );
}

/**
 * Compacts a copy, with an environment built from nothing; the copy is removed again.
 * @throws Error with the output of the process, when it fails
 */
export function replayCompaction({ self, track, coreWrites, files, transient, ...where }: Replay): Replayed {
  const base = makeTemporaryFolder('plimsoll-gate-');
  const root = join(base, where.folder);
  const home = join(base, 'home');
  try {
    const texts = new Map([
      ...transient.map((path) => [path, ''] as const),
      ...files.map(({ path, text }) => [path, text] as const),
    ]);
    const all = [...texts];
    for (const [path, text] of where.reversed ? all.reverse() : all) {
      fillFile(join(root, path), text);
    }
    for (const folder of [home, join(root, 'docs', 'tracks', track)]) makeFolder(folder);
    const { status, stdout, stderr, error } = spawnSync(
      process.execPath,
      [self, 'track', 'sync', track, '--json'],
      {
        cwd: root,
        env: {
          ...where.env,
          PATH: process.env.PATH ?? '',
          HOME: home,
          USERPROFILE: home,
          [PROJECT_VARIABLE]: root,
          PLIMSOLL_TRACKS__CORE_WRITES: coreWrites ? 'apply' : 'propose',
        },
        encoding: 'utf8',
      },
    );
    if (error) throw error;
    if (status !== 0) throw new Error(`The compaction of a copy failed: ${stderr || stdout}`);
    return hashesIn(root);
  } finally {
    removeTree(base);
  }
}
