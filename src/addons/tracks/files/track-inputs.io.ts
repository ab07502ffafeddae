// Reads the files from which the state of a track is recovered.

import { resolveInProject } from '../../../platform/in-project.ts';
import { type FileKind, FOREIGN_FILE, readBytes } from '../../../platform/read.ts';
import { hashSha256 } from '../../../platform/sha256.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import { readLatest } from '../last-compaction.ts';
import { latestFile } from '../layout.ts';
import { type FileSeen, type LatestSeen, listRecoveryPaths, type Recovery, recover } from '../recover.ts';

/** The most bytes of a file that are shown; its hash covers all of it. */
const MOST = 512 * 1024;
/** The largest file of a track; a larger one is not read. */
const OF_TRACK: FileKind = { ...FOREIGN_FILE, most: 64 * 1024 * 1024 };

/** A file of the project; null when it cannot be read, or a link leads out of the project. */
function readSeenFile(root: string, path: string): FileSeen | null {
  try {
    const real = resolveInProject(root, path);
    const bytes = real === null ? null : readBytes(real, OF_TRACK);
    if (bytes === null) return null;
    const isCut = bytes.length > MOST;
    const text = (isCut ? bytes.subarray(0, MOST) : bytes).toString('utf8');
    return { text, sha256: hashSha256(bytes), bytes: bytes.length, isCut };
  } catch {
    return null;
  }
}

function latestIn(root: string, track: string): LatestSeen {
  const file = readSeenFile(root, latestFile(track));
  if (file === null) return null;
  try {
    const latest = readLatest(file.text);
    if (latest === null) return 'it is damaged';
    return latest.track === track ? latest : `it is of the track ${latest.track}`;
  } catch (error) {
    if (isError(error, 'newer-file')) return (error as Error).message;
    throw error;
  }
}

/** Reads the files of the five recovery steps. */
function readRecoveryFiles(root: string, track: string): { seen: LatestSeen; files: Map<string, FileSeen> } {
  const seen = latestIn(root, track);
  const files = new Map<string, FileSeen>();
  for (const { path } of listRecoveryPaths(track, typeof seen === 'string' ? null : seen)) {
    const file = files.has(path) ? null : readSeenFile(root, path);
    if (file !== null) files.set(path, file);
  }
  return { seen, files };
}

/** Recovers the state of a track from its present files. */
export function readRecovery(
  root: string,
  track: string,
): Recovery & { files: ReadonlyMap<string, FileSeen> } {
  const { seen, files } = readRecoveryFiles(root, track);
  return { ...recover(track, seen, files), files };
}
