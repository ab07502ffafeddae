// Does the compaction of a track give the same bytes wherever it runs? Done twice, and hash by hash compared.
import { emptied } from '../model/tracks/emptied.ts';
import { previewCompaction } from '../store/compact-track.ts';
import { readCompactionFiles } from '../store/compaction-inputs.ts';
import { type Replayed, replayCompaction } from '../store/replay-compaction.ts';
import { compactionOf, violationsError } from './compact.ts';
import { count, type Output, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';

export interface DeterminismOptions {
  track?: string;
  json?: boolean;
}

/** Two places that differ in everything that must have no say. */
const PLACES = [
  { folder: 'one', reversed: false, env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' } },
  {
    folder: 'another one, ä',
    reversed: true,
    env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
] as const;

interface Row {
  /** From what: the files as they are, or as they were before any compaction. */
  from: 'present' | 'sources';
  path: string;
  sha256: (string | null)[];
}

function rowsOf(from: Row['from'], runs: readonly Replayed[]): Row[] {
  const paths = [...new Set(runs.flatMap((run) => Object.keys(run)))].sort();
  return paths.map((path) => ({ from, path, sha256: runs.map((run) => run[path] ?? null) }));
}

const isSame = ({ sha256: [first, ...others] }: Row): boolean => others.every((each) => each === first);

/**
 * The determinism gate: compacts the track's files as they are, and its bare sources, each in two places.
 * @throws UserError when the outputs differ, or when the track cannot be compacted at all
 */
export function gateDeterminism(
  place: Place,
  options: DeterminismOptions,
  output: Output,
  self: string,
): void {
  const given = compactionOf(place, options);
  const { track, root, coreWrites } = given;
  const { violations } = previewCompaction(given);
  if (violations.length > 0) throw violationsError(track, violations, options.json ? null : output);
  const found = readCompactionFiles(root, track, null);
  const inputs = { present: found.files, sources: emptied(track, found.files) };
  const rows = (['present', 'sources'] as const).flatMap((from) =>
    rowsOf(
      from,
      PLACES.map((where) =>
        replayCompaction({
          ...where,
          self,
          track,
          coreWrites,
          files: inputs[from],
          transient: found.transient,
        }),
      ),
    ),
  );
  const different = rows.filter((row) => !isSame(row));
  if (different.length > 0) {
    if (!options.json)
      for (const { path, from, sha256 } of different)
        output.print(
          `${path} (from ${from}): ${sha256.map((each) => each?.slice(0, 16) ?? 'missing').join(' and ')}`,
        );
    throw new UserError(
      `Gate determinism failed: ${count(different.length, 'file')} of track ${track} differ`,
      {
        hint: 'this is a fault of plimsoll, please report it with the files of the track',
        found: { gate: 'determinism', track, passed: false, outputs: rows },
      },
    );
  }
  if (options.json) {
    output.print(toJson({ gate: 'determinism', track, passed: true, outputs: rows }));
    return;
  }
  output.print(
    `Gate determinism passed: ${count(rows.length, 'file')} of track ${track} the same in ${PLACES.length} places, by SHA-256.`,
  );
}
