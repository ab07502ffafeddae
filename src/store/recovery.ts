// What is there of a track to recover its state from?

import { readLatest } from '../model/tracks/latest.ts';
import { latestFile } from '../model/tracks/layout.ts';
import {
  type FileSeen,
  type LatestSeen,
  type Recovery,
  recover,
  recoveryPaths,
} from '../model/tracks/recover.ts';
import { isNewerFault } from '../model/version-order.ts';
import { realInProject } from '../platform/in-project.ts';
import { type FileKind, FOREIGN, readBytes } from '../platform/read.ts';
import { sha256 } from './sha256.ts';

/** So much of a file is shown; its hash is of all of it. */
const MOST = 512 * 1024;
/** No file of a track is larger: nothing is read of one that is. */
const OF_TRACK: FileKind = { ...FOREIGN, most: 64 * 1024 * 1024 };

/** A file of the project as it is; null where there is none that can be read, or a link leads out of the project. */
export function seenFile(root: string, path: string): FileSeen | null {
  try {
    const real = realInProject(root, path);
    const bytes = real === null ? null : readBytes(real, OF_TRACK);
    if (bytes === null) return null;
    const isCut = bytes.length > MOST;
    const text = (isCut ? bytes.subarray(0, MOST) : bytes).toString('utf8');
    return { text, sha256: sha256(bytes), bytes: bytes.length, isCut };
  } catch {
    return null;
  }
}

function latestIn(root: string, track: string): LatestSeen {
  const file = seenFile(root, latestFile(track));
  if (file === null) return null;
  try {
    const latest = readLatest(file.text);
    if (latest === null) return 'it is damaged';
    return latest.track === track ? latest : `it is of the track ${latest.track}`;
  } catch (error) {
    if (isNewerFault(error)) return (error as Error).message;
    throw error;
  }
}

/** Reads the files of the five steps. */
export function filesOf(root: string, track: string): { seen: LatestSeen; files: Map<string, FileSeen> } {
  const seen = latestIn(root, track);
  const files = new Map<string, FileSeen>();
  for (const { path } of recoveryPaths(track, typeof seen === 'string' ? null : seen)) {
    const file = files.has(path) ? null : seenFile(root, path);
    if (file !== null) files.set(path, file);
  }
  return { seen, files };
}

/** The state of a track as its files tell it now. */
export function recoveryIn(root: string, track: string): Recovery & { files: ReadonlyMap<string, FileSeen> } {
  const { seen, files } = filesOf(root, track);
  return { ...recover(track, seen, files), files };
}
