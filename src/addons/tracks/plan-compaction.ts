// Plans the compaction of a track: moves all that was said into our blocks; equal inputs give equal bytes.
import { safeName } from '../../text/file-slug.ts';
import { readBlock } from './entries/block-entries.ts';
import { type Block, eolIn, findBlocks, outsideOf, withBlock } from './entries/blocks.ts';
import {
  type CollectedEntries,
  collectEntries,
  findSessionOfLog,
  type InputFile,
} from './entries/collect.ts';
import type { EntryViolation } from './entries/entry.ts';
import { type MergedBlock, mergeBlocks } from './entries/merge-blocks.ts';
import { byUnits, type Evidence, type Hash } from './entries/statement.ts';
import { CORE_FILE, INVARIANTS_FILE, listTargetFiles, type TargetFile } from './entries/targets.ts';
import { LATEST_VERSION, type Latest, latestText, planCopy, readLatest } from './last-compaction.ts';
import { latestFile, TASK_NAMES, TRANSIENT_NAMES, taskFile, transientFile } from './layout.ts';
import { newestLine, workLogMark } from './work-log/work-log.ts';

export interface CompactionInputs {
  track: string;
  /** Work logs of all sessions, the track's files, INVARIANTS.md, CONTEXT_CORE.md, latest.json; in any order. */
  files: readonly InputFile[];
  /** Paths of transient files that there are, of any session, in any order. */
  transient: readonly string[];
  /** The session whose transient files `latest.json` names; null: the one that worked on the track last. */
  session: string | null;
  /** Whether CONTEXT_CORE.md may be written (setting tracks.core_writes). */
  coreWrites: boolean;
  hash: Hash;
}

/** A file that becomes another one; `before` null: it is not there yet. */
export interface TrackFileChange {
  path: string;
  before: string | null;
  after: string;
}

export interface TrackCompaction {
  /** By path; empty when everything is as it should be, and when there are violations. */
  changes: TrackFileChange[];
  /** Null when there are violations. */
  latest: Latest | null;
  /** By file and line; one is enough for nothing to be changed. */
  violations: EntryViolation[];
  /** What was left aside, and why. */
  notes: string[];
}

interface HomeNow extends TargetFile {
  text: string | null;
  block: Block | undefined;
  settled: MergedBlock;
}

const linesIn = (text: string): number => text.split('\n').length - 1;
const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** How the lines of sources move when blocks above them grow. */
function shiftOf(homes: readonly HomeNow[]): (evidence: Evidence) => number {
  const growth = new Map(
    homes.flatMap(({ path, block, settled }) =>
      block === undefined
        ? []
        : [[path, { from: block.line, by: linesIn(settled.text(({ line }) => line)) - linesIn(block.text) }]],
    ),
  );
  return ({ file, line }) => {
    const moved = growth.get(file);
    return moved !== undefined && line >= moved.from ? line + moved.by : line;
  };
}

/** Work log of a session on the track, with the time of its newest line there. */
interface OwnLog {
  session: string;
  file: InputFile | null;
  newest: string | null;
}

/** The session that is named, else the one that worked on the track last. */
function ownLogOf({ track, session, files }: CompactionInputs, { logs }: CollectedEntries): OwnLog | null {
  const named = session === null ? null : safeName(session);
  const mark = workLogMark(track);
  const found = files.flatMap((file): OwnLog[] => {
    const of = findSessionOfLog(file);
    const isMeant = of !== null && (named === null || named === of);
    if (!isMeant || !(file.text.includes(mark) || logs.includes(file))) return [];
    return [{ session: of, file, newest: newestLine(file.text, track) }];
  });
  found.sort((a, b) => -byUnits(a.newest ?? '', b.newest ?? '') || byUnits(a.session, b.session));
  return found[0] ?? (named === null ? null : { session: named, file: null, newest: null });
}

function latestOf(
  inputs: CompactionInputs,
  gathered: CollectedEntries,
  homes: readonly HomeNow[],
  {
    textOf,
    taken,
    before,
  }: { textOf: (path: string) => string | null; taken: readonly string[]; before: Latest | null },
): Latest {
  const { track, hash, transient } = inputs;
  const hashed = (path: string) => {
    const text = textOf(path);
    return text === null ? [] : [{ path, sha256: hash(text) }];
  };
  const [plan] = hashed(taskFile(track, 'PLAN.md'));
  const own = ownLogOf(inputs, gathered);
  const logs = new Set([...gathered.logs, ...(own?.file ? [own.file] : [])]);
  // In a clone there are no logs: what was said of them on the machine that has them still holds.
  const kept = own === null && logs.size === 0 ? before : null;
  const times = [...gathered.statements.map(({ entry }) => entry.at), own?.newest ?? null, kept?.at ?? null];
  const countOf = (name: TargetFile['name']): number =>
    homes.find((each) => each.name === name)?.settled.count ?? 0;
  return {
    schema_version: LATEST_VERSION,
    track,
    session: own?.session ?? kept?.session ?? null,
    at:
      times
        .filter((each) => each !== null)
        .sort(byUnits)
        .at(-1) ?? null,
    inputs:
      kept?.inputs ??
      [...logs]
        .map(({ path, text }) => ({ path, sha256: hash(text), bytes: bytesIn(text) }))
        .sort((a, b) => byUnits(a.path, b.path)),
    files: TASK_NAMES.flatMap((name) => hashed(taskFile(track, name))),
    plan: plan === undefined ? null : { path: planCopy(track, plan.sha256), sha256: plan.sha256 },
    transient:
      own === null
        ? (kept?.transient ?? [])
        : TRANSIENT_NAMES.map((name) => transientFile(own.session, name)).filter((each) =>
            transient.includes(each),
          ),
    entries: {
      decisions: countOf('decisions'),
      risks: countOf('risks'),
      tasks: countOf('plan'),
      invariants: countOf('invariants'),
    },
    taken: [...new Set([...taken, ...gathered.statements.map(({ evidence }) => evidence.digest)])].sort(
      byUnits,
    ),
  };
}

/** A home as it stands, what is wrong in it, and what is to become of it. */
function homeNow(
  home: TargetFile,
  { textOf, taken }: { textOf: (path: string) => string | null; taken: readonly string[] },
  gathered: CollectedEntries,
) {
  const text = textOf(home.path);
  const found = findBlocks(home.path, text ?? '');
  const block = found.blocks.find((each) => each.name === home.name);
  const content = block === undefined ? { pieces: [], violations: [] } : readBlock(home.path, block);
  const outside = (path: string): string => {
    const own = textOf(path) ?? '';
    return outsideOf(own, findBlocks(path, own).blocks);
  };
  const accepted = home.path === CORE_FILE ? [CORE_FILE] : [INVARIANTS_FILE, CORE_FILE];
  const settled = mergeBlocks(
    { name: home.name, content, text: block?.text ?? '', eol: eolIn(text ?? '', block) },
    gathered.statements,
    home.name === 'invariants' ? accepted.map(outside) : [],
    // Where the whole block is gone, nobody has struck its entries one by one.
    new Set(block === undefined ? [] : taken),
  );
  return { now: { ...home, text, block, settled }, violations: [...found.violations, ...content.violations] };
}

const byPlace = (a: EntryViolation, b: EntryViolation): number =>
  byUnits(a.file, b.file) || a.line - b.line || byUnits(a.found, b.found);

/**
 * Plans a compaction; nothing is read or written. The order of files, and everything that is no input, has no say.
 *
 * @throws Error that begins with `NEWER` when a newer version left the last checkpoint
 */
export function planCompaction(inputs: CompactionInputs): TrackCompaction {
  const { track, hash } = inputs;
  const texts = new Map(inputs.files.map(({ path, text }) => [path, text]));
  const textOf = (path: string): string | null => texts.get(path) ?? null;
  const gathered = collectEntries(track, inputs.files, hash);
  const before = readLatest(textOf(latestFile(track)) ?? '');
  const own = before?.track === track ? before : null;
  const taken = own?.taken ?? [];
  const found = listTargetFiles(track, inputs.coreWrites).map((home) =>
    homeNow(home, { textOf, taken }, gathered),
  );
  const violations = [...gathered.violations, ...found.flatMap((each) => each.violations)].sort(byPlace);
  const notes = [...gathered.notes].sort(byUnits);
  if (violations.length > 0) return { changes: [], latest: null, violations, notes };

  const homes = found.map((each) => each.now);
  const lineNow = shiftOf(homes);
  const after = new Map(texts);
  for (const { path, name, title, text, block, settled } of homes) {
    const content = settled.text(lineNow);
    // Nothing to say: no block, and no file, only for its marks.
    if (block === undefined && content === '') continue;
    after.set(path, withBlock(text, block, { name, title, content }));
  }
  const latest = latestOf(inputs, gathered, homes, {
    textOf: (path) => after.get(path) ?? null,
    taken,
    before: own,
  });
  if (latest.plan !== null) after.set(latest.plan.path, after.get(taskFile(track, 'PLAN.md')) ?? '');
  after.set(latestFile(track), latestText(latest));
  const changes = [...after]
    .map(([path, text]) => ({ path, before: textOf(path), after: text }))
    .filter((each) => each.before !== each.after)
    .sort((a, b) => byUnits(a.path, b.path));
  return { changes, latest, violations, notes };
}
