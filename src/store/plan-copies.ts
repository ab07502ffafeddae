// Which copies of a track's plan are kept? The one that latest.json names, and the newest: what is older, git has.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isPlanCopy, readLatest } from '../model/tracks/latest.ts';
import { latestFile, trackCheckpoints } from '../model/tracks/layout.ts';
import { realInProject } from '../platform/in-project.ts';
import { remove } from '../platform/write.ts';
import { namesIn } from './compaction-inputs.ts';
import { readRaw } from './files.ts';

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
  const latest = readLatest(readRaw(join(root, latestFile(track))) ?? '');
  // Of a file that cannot be read it is not known what it names.
  if (latest === null) return;
  const isNamed = (name: string): boolean => latest.plan?.path === `${trackCheckpoints(track)}/${name}`;
  const ageOf = (name: string): number => lstatSync(join(folder, name)).mtimeMs;
  const newestFirst = names
    .map((name) => ({ name, at: ageOf(name) }))
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  for (const { name } of newestFirst.slice(MOST)) if (!isNamed(name)) remove(join(folder, name));
}
