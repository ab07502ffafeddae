// Which copies of a track's plan are kept? The one that latest.json names, and the newest: what is older, git has.
import { join } from 'node:path';
import { isPlanCopy, readLatest } from '../model/tracks/latest.ts';
import { latestFile, trackCheckpoints } from '../model/tracks/layout.ts';
import { readInProjectOrNull, realInProject } from '../platform/in-project.ts';
import { namesIn, ownStatsOf } from '../platform/look.ts';
import { remove } from '../platform/write.ts';

const MOST = 10;

/**
 * Removes older copies. Only once a compaction is done, and under its lock: what latest.json names then is on the disk, and
 * whoever dies on the way leaves the rest to the next one. Age has a say in what goes, never in what anything holds.
 *
 * @throws what the file system throws
 */
export function removeOldCopies(root: string, track: string): void {
  const folder = realInProject(root, trackCheckpoints(track));
  const names = folder === null ? [] : namesIn(folder).filter(isPlanCopy);
  if (folder === null || names.length <= MOST) return;
  const latest = readLatest(readInProjectOrNull(root, latestFile(track)) ?? '');
  // Of a file that cannot be read it is not known what it names.
  if (latest === null) return;
  const isNamed = (name: string): boolean => latest.plan?.path === `${trackCheckpoints(track)}/${name}`;
  const ageOf = (name: string): number => ownStatsOf(join(folder, name))?.mtimeMs ?? 0;
  const newestFirst = names
    .map((name) => ({ name, at: ageOf(name) }))
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  for (const { name } of newestFirst.slice(MOST)) if (!isNamed(name)) remove(join(folder, name));
}
