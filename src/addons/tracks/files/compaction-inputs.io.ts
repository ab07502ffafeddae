// Reads the inputs of a track's compaction: its files, all sessions' work logs, and the last compaction's results.
import { isUtf8 } from 'node:buffer';
import { basename, dirname } from 'node:path';
import { LeadsOut, realInProject } from '../../../platform/in-project.ts';
import { namesIn, statsOf } from '../../../platform/look.ts';
import { joinPath } from '../../../platform/project/paths.ts';
import { type FileKind, FOREIGN_FILE, readBytes } from '../../../platform/read.ts';
import { safeName } from '../../../text/file-slug.ts';
import type { InputFile } from '../entries/collect.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { ENTRY_WORDS } from '../entries/read-entries.ts';
import { CORE_FILE, INVARIANTS_FILE } from '../entries/targets.ts';
import { isPlanCopy, readLatest } from '../last-compaction.ts';
import {
  latestFile,
  sessionFolder,
  TASK_NAMES,
  TRANSIENT_NAMES,
  taskFile,
  trackCheckpoints,
  transientFile,
} from '../layout.ts';

/** The largest size of a log or document of a track. */
const MOST_BYTES = 4 * 1024 * 1024;
const INPUT: FileKind = { ...FOREIGN_FILE, most: MOST_BYTES };

export interface CompactionFiles {
  files: InputFile[];
  /** Paths of all existing transient files. */
  transient: string[];
  /** Files that are not what they should be. */
  faults: EntryViolation[];
}

/** Number of the line with the first byte that is not UTF-8. */
function firstBadLine(bytes: Buffer, text: string): number {
  const back = Buffer.from(text, 'utf8');
  const at = bytes.findIndex((byte, index) => byte !== back[index]);
  return bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
}

const isFile = (found: InputFile | EntryViolation | null): found is InputFile =>
  found !== null && 'path' in found;

/**
 * A file's text, exactly as it would be written back; null when it does not exist, or holds none of some words.
 * @throws what the file system throws
 */
function readInput(
  root: string,
  path: string,
  words: readonly string[] = [],
): InputFile | EntryViolation | null {
  const fault = (line: number, found: string, expected: string): EntryViolation => ({
    file: path,
    line,
    found,
    expected,
  });
  let real: string | null;
  try {
    real = realInProject(root, path);
  } catch (error) {
    // Refused, because its text would be copied into the checkpoint and into messages.
    if (error instanceof LeadsOut)
      return fault(1, 'a link that leads out of the project', 'a file of the project');
    throw error;
  }
  const stats = real === null ? undefined : statsOf(real);
  if (real === null || stats === undefined) return null;
  if (!stats.isFile()) return fault(1, 'something that is no file', 'a file, or nothing of that name');
  if (stats.size > MOST_BYTES)
    return fault(1, `${Math.ceil(stats.size / 1024)} KB`, `at most ${MOST_BYTES / 1024} KB`);
  const bytes = readBytes(real, INPUT);
  if (bytes === null || (words.length > 0 && !words.some((word) => bytes.includes(word)))) return null;
  if (!isUtf8(bytes))
    return fault(firstBadLine(bytes, bytes.toString('utf8')), 'bytes that are no text', 'UTF-8');
  return { path, text: bytes.toString('utf8') };
}

/** The results of the last compaction: latest.json, and the copy of the plan that it names. */
function checkpointFiles(root: string, track: string): (InputFile | EntryViolation)[] {
  const latest = readInput(root, latestFile(track));
  const copy = (isFile(latest) ? readLatest(latest.text)?.plan?.path : undefined) ?? null;
  return [latest, copy === null ? null : readPlanCopy(root, track, copy)].filter((each) => each !== null);
}

/** A copy of a plan; null when it does not exist, or the path is not that of a copy. */
export const readPlanCopy = (root: string, track: string, path: string): InputFile | EntryViolation | null =>
  dirname(path) === trackCheckpoints(track) && isPlanCopy(basename(path)) ? readInput(root, path) : null;

/**
 * Reads everything that a compaction of a track depends on.
 *
 * @param session the session that compacts: of other sessions' logs only those with entries count; null: all count
 */
export function readCompactionFiles(root: string, track: string, session: string | null): CompactionFiles {
  // Folders with names that we do not give are ignored.
  const sessions = namesIn(joinPath(root, 'artifacts/sessions')).filter((name) => safeName(name) === name);
  const transient = sessions.flatMap((session) => {
    const names = namesIn(joinPath(root, sessionFolder(session)));
    return TRANSIENT_NAMES.filter((name) => names.includes(name)).map((name) => transientFile(session, name));
  });
  const paths = [...TASK_NAMES.map((name) => taskFile(track, name)), INVARIANTS_FILE, CORE_FILE];
  const own = session === null ? null : transientFile(session, 'work_log.md');
  const logs = transient.filter((path) => path.endsWith('/work_log.md'));
  const found = [
    ...paths.flatMap((path) => readInput(root, path) ?? []),
    ...checkpointFiles(root, track),
    ...logs.flatMap((path) => readInput(root, path, own === null || path === own ? [] : ENTRY_WORDS) ?? []),
  ];
  return {
    files: found.filter(isFile),
    transient,
    faults: found.filter((each) => 'file' in each),
  };
}
