// Reads the inputs of a track's compaction: its files and entries, all sessions' work logs, and latest.json.
import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { isInProject, LeadsOut, realInProject } from '../../../platform/in-project.ts';
import { namesIn, ownStatsOf, statsOf } from '../../../platform/look.ts';
import { joinPath } from '../../../platform/project/paths.ts';
import { type FileKind, FOREIGN_FILE, readBytes } from '../../../platform/read.ts';
import { UnsafeFile } from '../../../platform/unsafe-file.ts';
import { safeName } from '../../../text/file-slug.ts';
import type { InputFile } from '../entries/collect.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { entriesFolder, kindOfName } from '../entries/entry-file.ts';
import { ENTRY_WORDS } from '../entries/read-entries.ts';
import {
  CORE_FILE,
  INVARIANTS_FILE,
  latestFile,
  sessionFolder,
  TASK_NAMES,
  TRACKS_FOLDER,
  TRANSIENT_NAMES,
  taskFile,
  transientFile,
} from '../layout.ts';
import { listTracks } from './find-tracks.io.ts';

/** The largest size of a log or document of a track. */
const MOST_BYTES = 4 * 1024 * 1024;
const INPUT: FileKind = { ...FOREIGN_FILE, most: MOST_BYTES };

export interface CompactionFiles {
  files: InputFile[];
  /** Paths of all existing transient files. */
  transient: string[];
  /** Files that are not what they should be. */
  faults: EntryViolation[];
  /** What was left aside, and why. */
  notes: string[];
}

/** Number of the line with the first byte that is not UTF-8. */
function firstBadLine(bytes: Buffer, text: string): number {
  const back = Buffer.from(text, 'utf8');
  const at = bytes.findIndex((byte, index) => byte !== back[index]);
  return bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
}

function asInput(path: string, bytes: Buffer): InputFile | EntryViolation {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return { path, text };
  return { file: path, line: firstBadLine(bytes, text), found: 'bytes that are no text', expected: 'UTF-8' };
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
  return asInput(path, bytes);
}

/** The most bytes of an entry's file, the most entries of a track, and the most tracks whose invariants are read. */
const MOST_ENTRY_BYTES = 64 * 1024;
const MOST_ENTRIES = 5_000;
const MOST_TRACKS = 500;
const OF_ENTRY: FileKind = { ...FOREIGN_FILE, most: MOST_ENTRY_BYTES };

/** An entry's file in a folder whose real path is known; no link is followed, wherever it leads. */
function readEntry(folder: string, path: string): InputFile | EntryViolation | null {
  try {
    const bytes = readBytes(joinPath(folder, basename(path)), OF_ENTRY);
    return bytes === null ? null : asInput(path, bytes);
  } catch (error) {
    if (!(error instanceof UnsafeFile)) throw error;
    const found = error.what.includes(' KB') ? error.what : 'a link, or something else that is no file';
    return { file: path, line: 1, found, expected: `a file of at most ${MOST_ENTRY_BYTES / 1024} KB` };
  }
}

/** The entries of a track: of another one only its invariants, and no word of what is wrong there. */
function readEntries(root: string, track: string, isOwn: boolean): CompactionFiles {
  const folder = entriesFolder(track);
  const found: CompactionFiles = { files: [], transient: [], faults: [], notes: [] };
  const isOutside = !isInProject(root, folder) && ownStatsOf(joinPath(root, folder)) !== undefined;
  const real = isOutside ? null : realInProject(root, folder);
  const names = real === null ? [] : namesIn(real).sort();
  const wanted = names.filter((name) =>
    isOwn ? kindOfName(name) !== null : kindOfName(name) === 'invariant',
  );
  const fault = (what: string, expected: string): void =>
    void found.faults.push({ file: folder, line: 1, found: what, expected });
  if (isOutside) fault('a link that leads out of the project', 'a folder of the project');
  if (wanted.length > MOST_ENTRIES) fault(`${wanted.length} entries`, `at most ${MOST_ENTRIES}`);
  for (const name of wanted.slice(0, MOST_ENTRIES)) {
    const read = readEntry(real ?? '', `${folder}/${name}`);
    if (isFile(read)) found.files.push(read);
    else if (read !== null) found.faults.push(read);
  }
  const odd = names.filter((name) => kindOfName(name) === null && !/\.(?:tmp|take)$/.test(name));
  if (isOwn && odd.length > 0)
    found.notes.push(
      `${folder}: no entries by their names, and left aside: ${odd.slice(0, 3).join(', ')}${odd.length > 3 ? ` and ${odd.length - 3} more` : ''}`,
    );
  return isOwn ? found : { ...found, faults: [] };
}

/**
 * Reads everything that a compaction of a track depends on.
 *
 * @param session the session that compacts: of other sessions' logs only those with entries count; null: all count
 */
export function readCompactionFiles(root: string, track: string, session: string | null): CompactionFiles {
  // Folders with names that we do not give are ignored.
  const sessions = namesIn(joinPath(root, 'artifacts/sessions')).filter((name) => safeName(name) === name);
  const transient = sessions.flatMap((each) => {
    const names = namesIn(joinPath(root, sessionFolder(each)));
    return TRANSIENT_NAMES.filter((name) => names.includes(name)).map((name) => transientFile(each, name));
  });
  const paths = [
    ...TASK_NAMES.map((name) => taskFile(track, name)),
    INVARIANTS_FILE,
    CORE_FILE,
    latestFile(track),
  ];
  const own = session === null ? null : transientFile(session, 'work_log.md');
  const logs = transient.filter((path) => path.endsWith('/work_log.md'));
  const found = [
    ...paths.flatMap((path) => readInput(root, path) ?? []),
    ...logs.flatMap((path) => readInput(root, path, own === null || path === own ? [] : ENTRY_WORDS) ?? []),
  ];
  const entries = readEntries(root, track, true);
  const isHere = isInProject(root, TRACKS_FOLDER);
  const others = isHere ? listTracks(root).filter((each) => each !== track) : [];
  return {
    files: [
      ...found.filter(isFile),
      ...entries.files,
      ...others.slice(0, MOST_TRACKS).flatMap((each) => readEntries(root, each, false).files),
    ],
    transient,
    faults: [...found.filter((each) => 'file' in each), ...entries.faults],
    notes: entries.notes,
  };
}
