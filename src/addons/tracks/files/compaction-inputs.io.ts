// Reads the inputs of a track's compaction: its files and entries, all sessions' work logs, and latest.json.
import { isUtf8 } from 'node:buffer';
import { isInProject, resolveInProject } from '../../../platform/in-project.ts';
import { listNames } from '../../../platform/look.ts';
import { joinPath } from '../../../platform/project/paths.ts';
import { type FileKind, FOREIGN_FILE, readBytes } from '../../../platform/read.ts';
import { makeSafeName } from '../../../text/path-text.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import type { InputFile } from '../entries/collect.ts';
import type { EntryViolation, Kind } from '../entries/entry.ts';
import { joinEntriesFolder, parseEntryName } from '../entries/entry-file.ts';
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

/** A log or document of a track; an entry's file. */
const INPUT: FileKind = { ...FOREIGN_FILE, most: 4 * 1024 * 1024 };
const OF_ENTRY: FileKind = { ...FOREIGN_FILE, most: 64 * 1024 };
/** The most entries of a track, and the most tracks whose invariants are read. */
const MOST_ENTRIES = 5_000;
const MOST_TRACKS = 500;

interface CompactionFiles {
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

/** Reads files one by one, and collects their texts and what is wrong with them. */
class Reader {
  readonly files: InputFile[] = [];
  readonly faults: EntryViolation[] = [];
  readonly #root: string;
  constructor(root: string) {
    this.#root = root;
  }

  fault(file: string, found: string, expected: string, line = 1): void {
    this.faults.push({ file, line, found, expected });
  }

  /** The real path; null where nothing is, or a link leads out: its text would be copied into documents and messages. */
  find(path: string, what = 'a file'): string | null {
    try {
      return resolveInProject(this.#root, path);
    } catch (error) {
      if (!isError(error, 'leads-out')) throw error;
      this.fault(path, 'a link that leads out of the project', `${what} of the project`);
      return null;
    }
  }

  /**
   * Takes a file's text, exactly as it would be written back, unless it holds none of some words. No link is followed.
   * @throws what the file system throws
   */
  take(path: string, real: string | null, kind: FileKind, words: readonly string[] = []): void {
    if (real === null) return;
    try {
      const bytes = readBytes(real, kind);
      if (bytes === null || (words.length > 0 && !words.some((word) => bytes.includes(word)))) return;
      const text = bytes.toString('utf8');
      if (isUtf8(bytes)) this.files.push({ path, text });
      else this.fault(path, 'bytes that are no text', 'UTF-8', firstBadLine(bytes, text));
    } catch (error) {
      if (isError(error, 'too-large'))
        this.fault(path, error.message.replace(`: "${error.path}"`, ''), 'a smaller file');
      else if (isError(error, 'unsafe-file'))
        this.fault(path, 'something that is no file', 'a file, or nothing of that name');
      else throw error;
    }
  }

  /** Takes the entries of a track, those of which `isWanted`; returns the names of all files beside them. */
  takeEntries(track: string, isWanted: (kind: Kind) => boolean): string[] {
    const folder = joinEntriesFolder(track);
    const real = this.find(folder, 'a folder');
    const names = real === null ? [] : listNames(real).sort();
    const wanted = names.filter((name) => {
      const kind = parseEntryName(name);
      return kind !== null && isWanted(kind);
    });
    if (wanted.length > MOST_ENTRIES)
      this.fault(folder, `${wanted.length} entries`, `at most ${MOST_ENTRIES}`);
    for (const name of wanted.slice(0, MOST_ENTRIES))
      this.take(`${folder}/${name}`, joinPath(real ?? '', name), OF_ENTRY);
    return names.filter((name) => parseEntryName(name) === null && !/\.(?:tmp|take)$/.test(name));
  }
}

/**
 * Reads everything that a compaction of a track depends on.
 *
 * @param session the session that compacts: of other sessions' logs only those with entries count; null: all count
 */
export function readCompactionFiles(root: string, track: string, session: string | null): CompactionFiles {
  // Folders with names that we do not give are ignored.
  const sessions = listNames(joinPath(root, 'artifacts/sessions')).filter(
    (name) => makeSafeName(name) === name,
  );
  const transient = sessions.flatMap((each) => {
    const names = listNames(joinPath(root, sessionFolder(each)));
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
  const reader = new Reader(root);
  for (const path of paths) reader.take(path, reader.find(path), INPUT);
  for (const path of logs)
    reader.take(path, reader.find(path), INPUT, own === null || path === own ? [] : ENTRY_WORDS);
  const odd = reader.takeEntries(track, () => true);
  // What is wrong in another track keeps nobody from working on this one.
  const beside = new Reader(root);
  const others = isInProject(root, TRACKS_FOLDER) ? listTracks(root).filter((each) => each !== track) : [];
  for (const each of others.slice(0, MOST_TRACKS)) beside.takeEntries(each, (kind) => kind === 'invariant');
  const more = odd.length > 3 ? ` and ${odd.length - 3} more` : '';
  return {
    files: [...reader.files, ...beside.files],
    transient,
    faults: reader.faults,
    notes:
      odd.length === 0
        ? []
        : [
            `${joinEntriesFolder(track)}: no entries by their names, and left aside: ${odd.slice(0, 3).join(', ')}${more}`,
          ],
  };
}
