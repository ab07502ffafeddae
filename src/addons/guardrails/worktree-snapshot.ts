// The worktree snapshot: what git listed as changed at one moment, and what has changed since.
import { isObject } from '../../text/json.ts';
import { redactAll } from '../../text/redact.ts';

/** Time and size by absolute path, of all that git lists as changed; `gone` where there is no file. */
export type FileStamps = Record<string, string>;

export interface WorktreeSnapshot {
  v: 1;
  session: string;
  /** The prompt that was worked on: what changes between two of them is the user's own. */
  prompt: string | null;
  /** Milliseconds since the epoch; never twice the same in a session. */
  at: number;
  /** Null where git could not say in time: it is not asked again in this prompt. */
  stamps: FileStamps | null;
  /** Files whose edit was judged, and that have not changed since; a folder with all below it ends with `/`. */
  judged: string[];
  /** Bytes of the list of judged files that are known. */
  read: number;
  /** Files that the agent was told of, as they were then; of those in which git listed nothing before. */
  told?: FileStamps;
  /** Whether something that a call has started may have gone on beside the calls after it. */
  goesOn?: boolean;
}

/** Of files that were judged and never changed, the newest are remembered. */
const MOST_JUDGED = 200;

/** What a file says that was kept for a session; null for all else. */
export function parseSnapshot(text: string | null, session: string): WorktreeSnapshot | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (!isObject(value) || value.v !== 1 || value.session !== session) return null;
    const { at, read, judged, stamps } = value;
    const isWhole = [at, read].every(Number.isFinite) && Array.isArray(judged);
    return isWhole && (stamps === null || isObject(stamps)) ? (value as unknown as WorktreeSnapshot) : null;
  } catch {
    return null;
  }
}

/** Stamps as they are kept: without what looks like a secret in the names of files. */
export function redactStamps(stamps: FileStamps): FileStamps {
  const paths = Object.keys(stamps);
  const names = redactAll(paths);
  return Object.fromEntries(paths.map((path, at) => [names[at] ?? path, stamps[path] ?? '']));
}

/** A look as it is kept. */
export const redactSnapshot = (looked: WorktreeSnapshot): WorktreeSnapshot => ({
  ...looked,
  stamps: looked.stamps && redactStamps(looked.stamps),
  judged: [...redactAll(looked.judged)],
  ...(looked.told === undefined ? {} : { told: redactStamps(looked.told) }),
});

/**
 * The files that have changed between two looks and whose change nothing has judged; `judged` are those that are still to
 * come. A file that git lists no more is as it was committed.
 */
export function findChangedSince(
  before: { stamps: FileStamps; judged: readonly string[] },
  now: FileStamps,
): { changed: string[]; judged: string[] } {
  const paths = Object.keys(now);
  // What is kept holds no secret, not even one that is the name of a file.
  const kept = new Map(redactAll(paths).map((path, at) => [paths[at] ?? '', path]));
  const nameOf = (path: string): string => kept.get(path) ?? path;
  const all = paths.filter((path) => now[path] !== before.stamps[nameOf(path)]);
  const known = new Set(before.judged);
  const folders = [...known].filter((path) => path.endsWith('/'));
  const names = all.map(nameOf);
  const seen = new Set(names);
  const holds = (folder: string): boolean =>
    folder.endsWith('/') && names.some((name) => name.startsWith(folder));
  return {
    changed: all.filter(
      (path) => !known.has(nameOf(path)) && !folders.some((folder) => nameOf(path).startsWith(folder)),
    ),
    judged: [...known].filter((path) => !seen.has(path) && !holds(path)).slice(-MOST_JUDGED),
  };
}

/**
 * The look, as it would be had it come after the judged edits that have taken place since: what changes these files next
 * is no edit that was judged. An edit that has not come stays one that is to come.
 * @param stamps of the judged files, as they are now
 */
export function absorbEdits(
  last: Pick<WorktreeSnapshot, 'stamps' | 'at'>,
  judged: readonly string[],
  stamps: FileStamps,
): Pick<WorktreeSnapshot, 'stamps' | 'judged'> {
  // Git has not been asked: of a file that it did not list then, only the time says that it has changed since.
  const hasCome = (path: string): boolean => {
    const stamp = stamps[path];
    return stamp !== undefined && stamp !== last.stamps?.[path] && Number.parseFloat(stamp) >= last.at;
  };
  const come = judged.filter(hasCome);
  const now = Object.fromEntries(come.map((path) => [path, stamps[path] as string]));
  return {
    stamps: last.stamps && { ...last.stamps, ...now },
    judged: [...new Set(judged)].filter((path) => !hasCome(path)).slice(-MOST_JUDGED),
  };
}
