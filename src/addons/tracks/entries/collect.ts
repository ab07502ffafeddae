// Collects all that was said about a track, from work logs and from its files outside of our blocks.
import { redactDeep } from '../../../text/redact.ts';
import { isTrackId, TASK_NAMES, taskFile } from '../layout.ts';
import { readWorkLog, trackAt } from '../work-log/work-log.ts';
import { findBlocks, outsideOf } from './blocks.ts';
import type { EntryViolation, TrackEntry } from './entry.ts';
import { ENTRY_WORDS, type Entries, parseEntries } from './read-entries.ts';
import { byTime, type Hash, hashEntry, isListed, type Statement } from './statement.ts';
import { textLines } from './text-lines.ts';

/** A file as it is, byte order mark and all; its path from the project's root, with `/`. */
export interface InputFile {
  path: string;
  text: string;
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
      ...log.violations.filter(({ line }) => trackAt(log, line) === track),
      ...(log.unended === null ? [] : [log.unended]),
    ],
    strays: log.entries.filter((each) => each.track === null),
  };
}

/** Where git could not unite two versions and nobody has yet: such a file says two things at once. */
function conflictIn({ path, text }: InputFile): EntryViolation | null {
  if (!text.includes('<<<<<<< ')) return null;
  const mark = textLines(text).find((each) => each.text.startsWith('<<<<<<< '));
  if (mark === undefined) return null;
  const expected = 'one version of these lines, without the marks of git';
  return { file: path, line: mark.line, found: 'a merge conflict', expected };
}

/** Entries and violations of one of the track's own files, outside of our blocks. */
export function fromTaskFile(track: string, file: InputFile): Entries {
  const { path, text } = file;
  const conflict = conflictIn(file);
  if (conflict !== null) return { entries: [], violations: [conflict] };
  const { blocks } = findBlocks(path, text);
  const { entries, violations } = parseEntries(path, outsideOf(text, blocks));
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

/** Entries without what looks like a secret; where they stand is no text of anybody. */
function redacted(entries: readonly TrackEntry[]): TrackEntry[] {
  const texts = redactDeep(entries.map(({ source: _, ...rest }) => rest));
  return entries.map(({ source }, index) => ({ ...texts[index], source }) as TrackEntry);
}

/**
 * Everything that was said about a track, by time.
 *
 * @param files work logs and the track's files, in any order; others are left aside
 */
export function collectEntries(track: string, files: readonly InputFile[], hash: Hash): CollectedEntries {
  if (!isTrackId(track)) throw new Error(`"${track}" is no id of a track`);
  const own = TASK_NAMES.map((name) => taskFile(track, name));
  const entries: TrackEntry[] = [];
  const violations: EntryViolation[] = [];
  const notes: string[] = [];
  const logs: InputFile[] = [];
  const take = (found: Entries): void => {
    entries.push(...found.entries);
    violations.push(...found.violations);
  };
  for (const file of files) {
    if (own.includes(file.path)) take(fromTaskFile(track, file));
    if (findSessionOfLog(file) === null || !mayHoldEntry(file.text)) continue;
    const isOurs = file.text.includes(`: ${track}`);
    if (!isOurs && isMarked(file.text)) continue;
    const found = fromLog(track, file);
    for (const { kind, source } of found.strays)
      notes.push(
        `${source.file}:${source.line}: a ${kind} of no track; write "  - Track: ${track}" below it if it belongs here`,
      );
    take(found);
    if (found.entries.length > 0) logs.push(file);
  }
  const times = new Map<string, number>();
  const statements = redacted(entries).map((entry) => {
    const digest = hashEntry(entry, hash);
    if (!isListed(entry) || entry.id !== null) return { entry, evidence: { ...entry.source, digest } };
    const key = `${entry.source.file}\n${digest}`;
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    return { entry, evidence: { ...entry.source, digest: hashEntry(entry, hash, nth) } };
  });
  return { statements: statements.sort(byTime), violations, notes, logs };
}
