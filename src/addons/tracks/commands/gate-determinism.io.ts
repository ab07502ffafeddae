// Gate "determinism": compacts a track in two different environments and checks that both give the same bytes.

import { formatCount } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { applySpans } from '../../../text/text-edits.ts';
import { type GateCheck, type GateResult, gateResult } from '../checks/gate.ts';
import { findBlocks } from '../entries/blocks.ts';
import type { InputFile } from '../entries/collect.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { previewCompaction } from '../files/compact-track.io.ts';
import { readCompactionFiles } from '../files/compaction-inputs.io.ts';
import { type Replayed, replayCompaction } from '../files/replay-compaction.io.ts';
import { latestFile, trackCheckpoints } from '../layout.ts';
import { compactionOf } from './name-track.io.ts';

/** The same files with empty blocks, and without latest.json and copies of the plan. */
const emptied = (track: string, files: readonly InputFile[]): InputFile[] =>
  files
    .filter(({ path }) => !path.startsWith(`${trackCheckpoints(track)}/`))
    .map(({ path, text }) => ({
      path,
      text: applySpans(
        text,
        findBlocks(path, text).blocks.map(({ from, to }) => ({ from, to, text: '' })),
      ),
    }));

/** Two environments that differ in everything that must not matter. */
const PLACES = [
  { folder: 'one', reversed: false, env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' } },
  {
    folder: 'another one, ä',
    reversed: true,
    env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
] as const;

interface Row {
  /** The input: the files as they are, or as they were before any compaction. */
  from: 'present' | 'sources';
  path: string;
  sha256: (string | null)[];
}

function rowsOf(from: Row['from'], runs: readonly Replayed[]): Row[] {
  const paths = [...new Set(runs.flatMap((run) => Object.keys(run)))].sort();
  return paths.map((path) => ({ from, path, sha256: runs.map((run) => run[path] ?? null) }));
}

const isSame = ({ sha256: [first, ...others] }: Row): boolean => others.every((each) => each === first);
const short = (sha256: string | null | undefined): string => sha256?.slice(0, 16) ?? 'missing';

const FROM: Record<Row['from'], string> = {
  present: 'the files as they are',
  sources: 'the files as they were before any compaction',
};

function checkOf(from: Row['from'], rows: readonly Row[]): GateCheck {
  const different = rows.filter((row) => !isSame(row));
  return {
    says: `compacted from ${FROM[from]}, ${formatCount(rows.length, 'file')} have the same SHA-256 in ${PLACES.length} places`,
    holds: different.length === 0,
    found: `${different.map(({ path, sha256 }) => `${path} ${sha256.map(short).join(' and ')}`).join(', ')}: please report it with these files`,
  };
}

/** A violation as a failed check: a track that cannot be compacted proves nothing. */
const violationCheck = ({ file, line, found, expected }: EntryViolation): GateCheck => ({
  says: `${file}:${line} is as the schema has it`,
  holds: false,
  found: `found ${found}, expected ${expected}`,
});

/** Compacts the track's files as they are, and as they were before any compaction, each in two environments. */
export function gateDeterminism(place: ProjectContext, track: string, self: string): GateResult {
  const options = { ...compactionOf(place, track, {}), session: null };
  const { root, coreWrites } = options;
  const { violations } = previewCompaction(options);
  if (violations.length > 0) return gateResult('determinism', violations.map(violationCheck));
  const { files, transient } = readCompactionFiles(root, track, null);
  const inputs = { present: files, sources: emptied(track, files) };
  const rows = (['present', 'sources'] as const).map((from) => {
    const runs = PLACES.map((where) =>
      replayCompaction({ ...where, self, track, coreWrites, files: inputs[from], transient }),
    );
    return rowsOf(from, runs);
  });
  const checks = rows.map((each, index) => checkOf(index === 0 ? 'present' : 'sources', each));
  const hashes = (rows[0] ?? []).filter(({ path }) => path.startsWith('docs/') || path === latestFile(track));
  return gateResult(
    'determinism',
    checks,
    hashes.map(({ path, sha256 }) => `${path} ${short(sha256[0])}`),
  );
}
