// Plans the compaction of a track: what was said becomes entries, and the blocks of its documents are generated from them.
import { makeSafeName } from '../../text/path-text.ts';
import { applyStatements } from './entries/apply-statements.ts';
import {
  buildBlankBlock,
  findEdited,
  isAsGenerated,
  listOwnLines,
  listTargetFiles,
  readDocument,
  writeBlock,
} from './entries/block.ts';
import type { CollectedEntries, InputFile } from './entries/collect.ts';
import { collectEntries, findSessionOfLog } from './entries/collect.ts';
import type { EntryViolation, Kind } from './entries/entry.ts';
import { compareByUnits, formatEntryFile, type Hash, joinEntriesFolder } from './entries/entry-file.ts';
import { listBlockItems, readEntryFiles, type StoredEntries } from './entries/stored-entries.ts';
import { formatLatest, LATEST_VERSION, type Latest, readLatest } from './last-compaction.ts';
import { latestFile, TASK_NAMES, TRANSIENT_NAMES, taskFile, transientFile } from './layout.ts';
import { findNewestLine, formatLogMark } from './work-log/work-log.ts';

export interface CompactionInputs {
  track: string;
  /**
   * Work logs of all sessions, the track's files and entries, invariants of other tracks, INVARIANTS.md, CONTEXT_CORE.md
   * and latest.json; in any order.
   */
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

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** Work log of a session on the track, with the time of its newest line there. */
interface OwnLog {
  session: string;
  file: InputFile | null;
  newest: string | null;
}

/** The session that is named, else the one that worked on the track last. */
function ownLogOf({ track, session, files }: CompactionInputs, { logs }: CollectedEntries): OwnLog | null {
  const named = session === null ? null : makeSafeName(session);
  const mark = formatLogMark(track);
  const found = files.flatMap((file): OwnLog[] => {
    const of = findSessionOfLog(file);
    const isMeant = of !== null && (named === null || named === of);
    if (!isMeant || !(file.text.includes(mark) || logs.includes(file))) return [];
    return [{ session: of, file, newest: findNewestLine(file.text, track) }];
  });
  found.sort(
    (a, b) => -compareByUnits(a.newest ?? '', b.newest ?? '') || compareByUnits(a.session, b.session),
  );
  return found[0] ?? (named === null ? null : { session: named, file: null, newest: null });
}

/** Texts as they are once the compaction is done, and what was there before it. */
interface Written {
  textOf: (path: string) => string | null;
  /** How many entries of a kind stand in the blocks. */
  countOf: (kind: Kind) => number;
  before: Latest | null;
}

function latestOf(inputs: CompactionInputs, gathered: CollectedEntries, written: Written): Latest {
  const { track, hash, transient } = inputs;
  const { textOf, countOf, before } = written;
  const hashed = (path: string) => {
    const text = textOf(path);
    return text === null ? [] : [{ path, sha256: hash(text) }];
  };
  const own = ownLogOf(inputs, gathered);
  const logs = new Set([...gathered.logs, ...(own?.file ? [own.file] : [])]);
  // In a clone there are no logs: what was said of them on the machine that has them still holds.
  const kept = own === null && logs.size === 0 ? before : null;
  const times = [...gathered.statements.map(({ entry }) => entry.at), own?.newest ?? null, kept?.at ?? null];
  return {
    schema_version: LATEST_VERSION,
    track,
    session: own?.session ?? kept?.session ?? null,
    at:
      times
        .filter((each) => each !== null)
        .sort(compareByUnits)
        .at(-1) ?? null,
    inputs:
      kept?.inputs ??
      [...logs]
        .map(({ path, text }) => ({ path, sha256: hash(text), bytes: bytesIn(text) }))
        .sort((a, b) => compareByUnits(a.path, b.path)),
    files: TASK_NAMES.flatMap((name) => hashed(taskFile(track, name))),
    plan: hashed(taskFile(track, 'PLAN.md'))[0] ?? null,
    transient:
      own === null
        ? (kept?.transient ?? [])
        : TRANSIENT_NAMES.map((name) => transientFile(own.session, name)).filter((each) =>
            transient.includes(each),
          ),
    entries: {
      decisions: countOf('decision'),
      risks: countOf('risk'),
      tasks: countOf('task'),
      invariants: countOf('invariant'),
    },
  };
}

const byPlace = (a: EntryViolation, b: EntryViolation): number =>
  compareByUnits(a.file, b.file) || a.line - b.line || compareByUnits(a.found, b.found);

const describeEdit = (track: string, path: string, isMoved: boolean): string => {
  const what = isMoved
    ? 'What was written into it stands below it now'
    : 'It is as the entries have it again';
  return `${path}: its block is generated, and was edited. ${what}: change an entry by "plimsoll note", or in ${joinEntriesFolder(track)}/ ("status: dropped" takes one out)`;
};

/**
 * Plans a compaction; nothing is read or written. The order of files, and everything that is no input, has no say.
 *
 * @throws PlimsollError `newer-file` when a newer version left the last checkpoint
 */
export function planCompaction(inputs: CompactionInputs): TrackCompaction {
  const { track, hash, files } = inputs;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const last = readLatest(texts.get(latestFile(track)) ?? '');
  const documents = listTargetFiles(track, inputs.coreWrites).map((target) =>
    readDocument(target, texts.get(target.path) ?? null),
  );
  const present = documents.flatMap(({ target, text }) =>
    text === null ? [] : [{ path: target.path, text }],
  );
  const others = files.filter(({ path }) => !present.some((each) => each.path === path));
  const gathered = collectEntries(track, [...others, ...present], hash);
  const stored = readEntryFiles(track, files, hash);
  const violations = [
    ...gathered.violations,
    ...stored.violations,
    ...documents.flatMap((each) => each.violations),
  ]
    .sort(byPlace)
    .filter((each, at, all) => at === 0 || byPlace(each, all[at - 1] as EntryViolation) !== 0);
  const notes = [...gathered.notes, ...stored.notes].sort(compareByUnits);
  if (violations.length > 0) return { changes: [], latest: null, violations, notes };

  const touched = applyStatements(track, stored.own, gathered.statements, hash);
  const own = stored.own.map((each) => touched.get(each.path) ?? each);
  const added = [...touched.values()].filter(({ path }) => !stored.own.some((each) => each.path === path));
  const now = { own: [...own, ...added], others: stored.others };
  const after = new Map(texts);
  for (const each of [...stored.merged, ...touched.values()])
    after.set(each.path, formatEntryFile(touched.get(each.path) ?? each));
  const counts = new Map<Kind, number>();
  const outside = (path: string): string =>
    buildBlankBlock(path, present.find((each) => each.path === path)?.text ?? texts.get(path) ?? '');
  for (const document of documents) {
    const { path, kind } = document.target;
    const itemsFrom = (from: StoredEntries): string[] => listBlockItems(document.target, from, outside);
    const items = itemsFrom(now);
    counts.set(kind, items.length);
    const edited = document.blocks.filter((block) => !isAsGenerated(block, hash));
    const ours = edited.length === 0 ? [] : [...items, ...itemsFrom(stored)];
    // Git takes lines of one side into both where they do not meet: neither is then as it was generated.
    const lines =
      edited.length === 0 || !document.isMerged
        ? new Set<string>()
        : listOwnLines(kind, [...now.own, ...stored.own, ...stored.versions, ...stored.others]);
    const [written = [], more = []] = edited.map((block) => findEdited(block, ours, lines));
    const moved = [...written, ...more.filter((item) => !written.includes(item))];
    const text = writeBlock(document.text, document.target, { items, moved, hash });
    if (text !== null) after.set(path, text);
    if (document.isMerged ? moved.length > 0 : edited.length > 0)
      notes.push(describeEdit(track, path, moved.length > 0));
  }
  const latest = latestOf(inputs, gathered, {
    textOf: (path) => after.get(path) ?? null,
    countOf: (kind) => counts.get(kind) ?? 0,
    before: last?.track === track ? last : null,
  });
  after.set(latestFile(track), formatLatest(latest));
  const changes = [...after]
    .map(([path, text]) => ({ path, before: texts.get(path) ?? null, after: text }))
    .filter((each) => each.before !== each.after)
    .sort((a, b) => compareByUnits(a.path, b.path));
  return { changes, latest, violations, notes };
}
