// Compacts a track under one lock: writes the entries that are new, then the documents' blocks, each file whole.
import { basename, dirname } from 'node:path';
import { isInProject, mkdirInProject, resolveInProject } from '../../../platform/in-project.ts';
import { withLock } from '../../../platform/lock.ts';
import { readStats } from '../../../platform/look.ts';
import { joinPath } from '../../../platform/project/paths.ts';
import { FOREIGN_FILE, readUntrusted } from '../../../platform/read.ts';
import { hashSha256 } from '../../../platform/sha256.ts';
import { sweepTemporary } from '../../../platform/user-file.ts';
import { createFile, replaceFile, setMode, syncFolder } from '../../../platform/write.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { listTargetFiles } from '../entries/block.ts';
import { joinEntriesFolder, parseEntryName } from '../entries/entry-file.ts';
import { parseEntryPath } from '../entries/stored-entries.ts';
import { latestFile, TASK_NAMES, taskFile, trackCheckpoints } from '../layout.ts';
import { planCompaction, type TrackCompaction, type TrackFileChange } from '../plan-compaction.ts';
import { readCompactionFiles } from './compaction-inputs.io.ts';
import { readTrack } from './find-tracks.io.ts';

const overtaken = (path: string): PlimsollError =>
  new PlimsollError('overtaken', `${path} was changed while it was compacted, and is left as it is`, {
    hint: 'run it again: it goes on where this one ended',
    path,
  });

/** Writes one file, whole. @throws PlimsollError `overtaken` when it is not as it was when the change was planned */
function writeChange(root: string, folder: string, { path, before, after }: TrackFileChange): void {
  const isEntry = parseEntryPath(path) !== null;
  const own = joinPath(folder, basename(path));
  // Nothing is behind the name of a new entry, and no link is taken for one.
  const target = isEntry ? own : (resolveInProject(root, path) ?? own);
  // A document is as open as the umask has it; what we keep for the next compaction is for the user alone.
  const mode = (before === null ? 0 : (readStats(target)?.mode ?? 0)) & 0o7777;
  const options = { fsync: !isEntry, mode: mode || (path.startsWith('docs/') ? 0o666 : 0o600) };
  if (before === null) {
    if (!createFile(target, after, options)) throw overtaken(path);
  } else
    replaceFile(target, after, {
      ...options,
      beforeRename: (temporary) => {
        // It may have rights that the umask took off the new one.
        setMode(temporary, options.mode);
        if (readUntrusted(target, FOREIGN_FILE) !== before) throw overtaken(path);
      },
    });
}

/**
 * Writes planned changes one by one: entries first, then the documents that are generated from them, latest.json last, so
 * that whatever it names is there. Where this ends early, the next compaction does the rest; so it does where a power cut
 * leaves an entry empty. Call it only under the lock; `isHeld` tells whether that is still held.
 *
 * @throws PlimsollError `overtaken` when a file was changed meanwhile, `lost-lock`, or what the file system throws
 */
export function applyChanges(
  root: string,
  track: string,
  changes: readonly TrackFileChange[],
  isHeld: () => boolean = () => true,
): void {
  const orderOf = ({ path }: TrackFileChange): number =>
    path === latestFile(track) ? 2 : parseEntryPath(path) === null ? 1 : 0;
  const folders = new Map<string, string>();
  for (const change of [...changes].sort((a, b) => orderOf(a) - orderOf(b))) {
    const name = dirname(change.path);
    const known = folders.get(name);
    // Asked once for the entries, which are small and many, and for each document.
    if ((known === undefined || orderOf(change) > 0) && !isHeld())
      throw new PlimsollError('lost-lock', 'Another process has taken over');
    const folder = known ?? mkdirInProject(root, name);
    folders.set(name, folder);
    writeChange(root, folder, change);
  }
  for (const folder of folders.values()) syncFolder(folder);
}

/** Removes temporary files that killed compactions left beside our files. */
function sweepLeftovers(root: string, track: string, coreWrites: boolean): void {
  const own = trackCheckpoints(track);
  const paths = listTargetFiles(track, coreWrites).map(({ path }) => path);
  const names = new Set(paths.map((path) => basename(path)));
  const folders = new Set([
    own,
    dirname(own),
    joinEntriesFolder(track),
    ...paths.map((path) => dirname(path)),
  ]);
  for (const folder of folders)
    if (isInProject(root, folder))
      sweepTemporary(
        joinPath(root, folder),
        (name) => folder.startsWith(dirname(own)) || names.has(name) || parseEntryName(name) !== null,
      );
}

export interface CompactOptions {
  /** The project's root. */
  root: string;
  track: string;
  /** The session whose transient files are referred to; null: the one that worked on the track last. */
  session: string | null;
  /** Setting tracks.core_writes. */
  coreWrites: boolean;
  /** The most milliseconds to wait for another compaction. */
  wait?: number;
}

/** The plan of a compaction for the present files. Nothing is written, no lock is taken. */
export function previewCompaction({ root, track, session, coreWrites }: CompactOptions): TrackCompaction {
  const { files, transient, faults, notes } = readCompactionFiles(root, track, session);
  const plan = planCompaction({ track, files, transient, session, coreWrites, hash: hashSha256 });
  const told = { ...plan, notes: [...notes, ...plan.notes] };
  return faults.length === 0
    ? told
    : { ...told, changes: [], latest: null, violations: [...faults, ...plan.violations] };
}

/** The texts of a track's files as a compaction would leave them: with what was noted since the last one. */
export function readTrackAsNoted(root: string, track: string): ReturnType<typeof readTrack> {
  const texts = readTrack(root, track);
  const { changes } = previewCompaction({ root, track, session: null, coreWrites: false });
  for (const name of TASK_NAMES) {
    const change = changes.find(({ path }) => path === taskFile(track, name));
    if (change !== undefined) texts[name] = change.after;
  }
  return texts;
}

/**
 * Compacts a track. With violations nothing is changed.
 *
 * @throws PlimsollError, or what the file system throws; every file is whole then, and the next one goes on
 */
export function compactTrack(options: CompactOptions): TrackCompaction {
  const { root, track, coreWrites, wait } = options;
  const folder = mkdirInProject(root, 'artifacts/checkpoints');
  // One lock for all tracks: they share the invariants.
  return withLock(
    joinPath(folder, 'compaction'),
    (isHeld) => {
      sweepLeftovers(root, track, coreWrites);
      const plan = previewCompaction(options);
      applyChanges(root, track, plan.changes, isHeld);
      return plan;
    },
    wait,
  );
}
