// Removes old copies of a track's plan, except the newest ones and the one that latest.json names.
import { join } from 'node:path';
import { isPlanCopy, readLatest } from '../model/tracks/latest.ts';
import { latestFile, trackCheckpoints } from '../model/tracks/layout.ts';
import { readInProjectOrNull, realInProject } from '../platform/in-project.ts';
import { namesIn, ownStatsOf } from '../platform/look.ts';
import { remove } from '../platform/write.ts';

const MOST = 10;

/**
 * Removes older copies. It runs only after a compaction, under its lock: latest.json is then on the disk, and if the
 * process dies, the next compaction removes the rest. Age decides only about removal, never about any content.
 *
 * @throws what the file system throws
 */
export function removeOldCopies(root: string, track: string): void {
  const folder = realInProject(root, trackCheckpoints(track));
  const names = folder === null ? [] : namesIn(folder).filter(isPlanCopy);
  if (folder === null || names.length <= MOST) return;
  const latest = readLatest(readInProjectOrNull(root, latestFile(track)) ?? '');
  // An unreadable file may name any copy, so none is removed.
  if (latest === null) return;
  const isNamed = (name: string): boolean => latest.plan?.path === `${trackCheckpoints(track)}/${name}`;
  const ageOf = (name: string): number => ownStatsOf(join(folder, name))?.mtimeMs ?? 0;
  const newestFirst = names
    .map((name) => ({ name, at: ageOf(name) }))
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  for (const { name } of newestFirst.slice(MOST)) if (!isNamed(name)) remove(join(folder, name));
}
