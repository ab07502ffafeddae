// The journal of a track's compaction: after an interruption the next compaction finishes the changes or reverts them.
import { basename, dirname } from 'node:path';
import { isInProject, LeadsOut, mkdirInProject, realInProject } from '../../../platform/in-project.ts';
import { namesIn, statsOf } from '../../../platform/look.ts';
import { joinPath } from '../../../platform/project/paths.ts';
import { type FileKind, FOREIGN_FILE, readUntrusted } from '../../../platform/read.ts';
import { remove, replaceFile, setMode, syncFolder } from '../../../platform/write.ts';
import { isObject } from '../../../text/json.ts';
import { isNewer, NEWER } from '../../../text/version-order.ts';
import { listTargetFiles } from '../entries/targets.ts';
import { isPlanCopy } from '../last-compaction.ts';
import { isTrackId, latestFile, trackCheckpoints } from '../layout.ts';
import type { TrackFileChange } from '../plan-compaction.ts';

const JOURNAL_VERSION = '1.0.0';
/** A journal holds every changed file, before and after, so it may be large. */
const JOURNAL: FileKind = { ...FOREIGN_FILE, most: 64 * 1024 * 1024 };

export const journalPath = (root: string, track: string): string =>
  joinPath(root, `${trackCheckpoints(track)}/journal.json`);

/** Thrown when a compaction cannot be carried out or settled; none of its files was changed. */
export class CompactionRefused extends Error {
  readonly next: string;
  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

/** Whether compactions of the track write this path; checked because others may have written the journal. */
const isOurs = (track: string, path: string): boolean =>
  listTargetFiles(track, true).some((home) => home.path === path) ||
  path === latestFile(track) ||
  (dirname(path) === trackCheckpoints(track) && isPlanCopy(basename(path)));

/**
 * The real path of a track's file, whose folder is made; a link is followed, but not out of the project.
 * @throws CompactionRefused
 */
export function resolveTrackFile(root: string, track: string, path: string): string {
  if (!isOurs(track, path))
    throw new CompactionRefused(`"${path}" is no file of a compaction`, 'report this');
  try {
    // The folders belong to the project, so others may read them.
    const folder = mkdirInProject(root, dirname(path));
    return realInProject(root, path) ?? joinPath(folder, basename(path));
  } catch (error) {
    throw error instanceof LeadsOut ? new CompactionRefused(error.message, error.next) : error;
  }
}

/** Mode of the file to be replaced; of a new one, by default for a document, and for the user alone for our own files. */
export const modeOf = (path: string, target: string): number =>
  (statsOf(target)?.mode ?? (path.startsWith('docs/') ? 0o666 : 0o600)) & 0o7777;

/** Writes durably which files are going to be changed. */
export function writeJournal(root: string, track: string, files: readonly TrackFileChange[]): void {
  const path = journalPath(root, track);
  replaceFile(path, JSON.stringify({ schema_version: JOURNAL_VERSION, track, files }), { fsync: true });
  syncFolder(dirname(path));
}

/** Whether an interrupted compaction of the track is not settled yet. A journal outside the project is not ours. */
export const isInterrupted = (root: string, track: string): boolean =>
  isInProject(root, `${trackCheckpoints(track)}/journal.json`);

export function removeJournal(root: string, track: string): void {
  const path = journalPath(root, track);
  remove(path);
  syncFolder(dirname(path));
}

const isChange = (value: unknown): value is TrackFileChange =>
  isObject(value) &&
  typeof value.path === 'string' &&
  (value.before === null || typeof value.before === 'string') &&
  typeof value.after === 'string';

function readJournal(root: string, track: string): TrackFileChange[] {
  const shown = `${trackCheckpoints(track)}/journal.json`;
  let value: unknown = null;
  try {
    value = JSON.parse(readUntrusted(journalPath(root, track), JOURNAL) ?? 'null');
  } catch {
    // reported below
  }
  if (isObject(value) && isNewer(value.schema_version, JOURNAL_VERSION))
    throw new Error(`${NEWER}: "${shown}"`);
  const files = isObject(value) ? value.files : null;
  if (Array.isArray(files) && files.every((each) => isChange(each) && isOurs(track, each.path))) return files;
  throw new CompactionRefused(
    `${shown} of an interrupted compaction cannot be read`,
    `look at the track's files with git diff, and remove ${shown}`,
  );
}

/** Replaces a text by another one if the file still holds it; null stands for a missing file. */
function exchange(target: string, path: string, from: string | null, to: string | null): void {
  if (readUntrusted(target, FOREIGN_FILE) !== from)
    throw new CompactionRefused(`${path} was changed by somebody else`, 'run it again');
  if (to === null) {
    remove(target);
    return;
  }
  const mode = modeOf(path, target);
  replaceFile(target, to, {
    fsync: true,
    mode,
    beforeRename: (temporary) => {
      if (from !== null) setMode(temporary, mode);
      if (readUntrusted(target, FOREIGN_FILE) !== from)
        throw new CompactionRefused(`${path} was changed by somebody else`, 'run it again');
    },
  });
  syncFolder(dirname(target));
}

/** Reverts changes that were written; a file that somebody has changed since stays. */
export function rollBack(root: string, track: string, files: readonly TrackFileChange[]): void {
  for (const { path, before, after } of files) {
    const target = resolveTrackFile(root, track, path);
    if (readUntrusted(target, FOREIGN_FILE) === after) exchange(target, path, after, before);
  }
}

/**
 * Settles interrupted compactions of all tracks: finishes one if each of its files is as before or after it, else
 * reverts it. Returns a sentence for each. Call it only under the lock.
 *
 * @throws CompactionRefused when a journal is unreadable
 */
export function settleJournals(root: string): string[] {
  return namesIn(joinPath(root, 'artifacts/checkpoints'))
    .filter((track) => isTrackId(track) && isInterrupted(root, track))
    .map((track) => {
      const files = readJournal(root, track);
      const found = files.map((each) => ({
        ...each,
        now: readUntrusted(resolveTrackFile(root, track, each.path), FOREIGN_FILE),
      }));
      const strange = found.filter(({ now, before, after }) => now !== before && now !== after);
      if (strange.length > 0) rollBack(root, track, files);
      else
        for (const { path, now, before, after } of found)
          if (now !== after) exchange(resolveTrackFile(root, track, path), path, before, after);
      removeJournal(root, track);
      return strange.length === 0
        ? `An interrupted compaction of ${track} was finished.`
        : `An interrupted compaction of ${track} was taken back: ${strange.map(({ path }) => path).join(', ')} changed since.`;
    });
}
