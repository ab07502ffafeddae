// Collects all that was said about a track: in work logs, and in its documents where another one is the place for it.
import { redactDeep } from '../../../text/redact.ts';
import { isTrackId, TASK_NAMES, taskFile } from '../layout.ts';
import { findTrackAt, readWorkLog } from '../work-log/work-log.ts';
import { buildBlankBlock, findConflict, listTargetFiles } from './block.ts';
import type { EntryViolation, TrackEntry } from './entry.ts';
import { compareByUnits, digestStatement, type Hash } from './entry-file.ts';
import { listTextLines } from './markdown.ts';
import { isHead } from './parse-entries.ts';
import { ENTRY_WORDS, type Entries, formatExample, parseEntries } from './read-entries.ts';

/** A file as it is, byte order mark and all; its path from the project's root, with `/`. */
export interface InputFile {
  path: string;
  text: string;
}

/** What was said, with a digest by which it is recognised. */
export interface Statement {
  entry: TrackEntry;
  digest: string;
}

export interface CollectedEntries {
  /** In the order in which they count. */
  statements: Statement[];
  violations: EntryViolation[];
  /** What was left aside, and why. */
  notes: string[];
  /** Work logs that hold entries of the track. */
  logs: InputFile[];
}

/** The session whose work log a file is; null for another file. */
export const findSessionOfLog = ({ path }: InputFile): string | null => LOG.exec(path)?.[1] ?? null;

const LOG = /^artifacts\/sessions\/([^/]+)\/work_log\.md$/;
const isMarked = (text: string): boolean => text.includes('<!-- plimsoll work log;');
const mayHoldEntry = (text: string): boolean =>
  ENTRY_WORDS.some((word) => text.includes(word)) && HAS_ENTRY.test(text);
const HAS_ENTRY = /^[ \t]*[-*+] +(?:\[.\] +)?(?:Decision|Risk|Task|Invariant):/m;

const ofAnother = (entry: TrackEntry, track: string): EntryViolation => ({
  ...entry.source,
  found: `Track "${entry.track}" in a file of the track ${track}`,
  expected: `this entry in a file of ${entry.track}, or no Track`,
});

/** Entries and violations of one work log, as far as they belong to the track. */
function fromLog(track: string, { path, text }: InputFile) {
  const log = readWorkLog(path, text);
  return {
    entries: log.entries.filter((each) => each.track === track),
    violations: [
      ...log.violations.filter(({ line }) => findTrackAt(log, line) === track),
      ...(log.unended === null ? [] : [log.unended]),
    ],
    strays: log.entries.filter((each) => each.track === null),
  };
}

/** Entries and violations of one of the track's own files, outside of our blocks. */
export function readTaskFile(track: string, file: InputFile): Entries {
  const { path, text } = file;
  const conflict = findConflict(path, text);
  if (conflict !== null) return { entries: [], violations: [conflict] };
  const { entries, violations } = parseEntries(path, buildBlankBlock(path, text));
  const own = entries.filter((each) => each.track === null || each.track === track);
  const others = entries.filter((each) => !own.includes(each));
  const timeless = own.filter((each) => each.kind === 'decision' && each.at === null);
  return {
    entries: own,
    violations: [
      ...violations,
      ...others.map((each) => ofAnother(each, track)),
      ...timeless.map(({ source }) => ({
        ...source,
        found: 'no At',
        expected: '"  - At: 2026-01-31T09:00:00Z" below it',
      })),
    ],
  };
}

/** In bold, in other letters, without its dash, with another sign of a list, or as a heading. */
const NEAR =
  /^\s*(?:> *)?(?:#{1,6} +|[-*+•–—] *|\d+[.)] +)?(?:\[.?\] *)?[*_]{0,3}(decision|risk|task|invariant)[*_]{0,3} ?[:：][*_]{0,3}\s*[^\s*_]/i;

/** What of the logs looks like an entry and is none, a sentence for each. It may be prose: nothing is refused for it. */
export function findNearEntries(track: string, files: readonly InputFile[]): string[] {
  return files
    .filter((file) => findSessionOfLog(file) !== null)
    .flatMap(({ path, text }) => {
      const log = readWorkLog(path, text);
      const near = listTextLines(text).flatMap(({ text: own, line }) => {
        const word = isHead(own) ? undefined : NEAR.exec(own)?.[1]?.toLowerCase();
        return word === undefined || findTrackAt(log, line) !== track ? [] : [{ word, line }];
      });
      const [first, ...more] = near;
      if (first === undefined) return [];
      const others = more.length === 0 ? '' : ` (and ${more.length} more below it)`;
      const kind = first.word as TrackEntry['kind'];
      const one = kind === 'invariant' ? 'an invariant' : `a ${kind}`;
      const [head = ''] = formatExample(kind).split('\n');
      return `${path}:${first.line} looks like ${one} and is not taken up${others}: an entry begins with "${head}"; leave it where it is prose`;
    })
    .sort();
}

/** Entries without what looks like a secret; where they stand is no text of anybody. */
function redacted(entries: readonly TrackEntry[]): TrackEntry[] {
  const texts = redactDeep(entries.map(({ source: _, ...rest }) => rest));
  return entries.map(({ source }, index) => ({ ...texts[index], source }) as TrackEntry);
}

/** By time, those without one first; then by file and line. */
const byTime = ({ entry: a }: Statement, { entry: b }: Statement): number =>
  compareByUnits(a.at ?? '', b.at ?? '') ||
  compareByUnits(a.source.file, b.source.file) ||
  a.source.line - b.source.line;

/**
 * Everything that was said about a track, by time.
 *
 * @param files work logs and the track's files, in any order; others are left aside
 */
export function collectEntries(track: string, files: readonly InputFile[], hash: Hash): CollectedEntries {
  if (!isTrackId(track)) throw new Error(`"${track}" is no id of a track`);
  const own = TASK_NAMES.map((name) => taskFile(track, name));
  const homes = new Map(listTargetFiles(track, false).map(({ path, kind }) => [path, kind]));
  const entries: TrackEntry[] = [];
  const violations: EntryViolation[] = [];
  const notes: string[] = [];
  const logs: InputFile[] = [];
  for (const file of files) {
    if (own.includes(file.path)) {
      const found = readTaskFile(track, file);
      // What stands in the document of its kind is where it belongs, and stays there alone.
      entries.push(...found.entries.filter(({ kind }) => kind !== homes.get(file.path)));
      violations.push(...found.violations);
    }
    if (findSessionOfLog(file) === null || !mayHoldEntry(file.text)) continue;
    if (!file.text.includes(`: ${track}`) && isMarked(file.text)) continue;
    const found = fromLog(track, file);
    for (const { kind, source } of found.strays)
      notes.push(
        `${source.file}:${source.line}: a ${kind} of no track; write "  - Track: ${track}" below it if it belongs here`,
      );
    entries.push(...found.entries);
    violations.push(...found.violations);
    if (found.entries.length > 0) logs.push(file);
  }
  const statements = redacted(entries).map((entry) => ({ entry, digest: digestStatement(entry, hash) }));
  return { statements: statements.sort(byTime), violations, notes, logs };
}
