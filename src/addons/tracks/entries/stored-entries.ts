// The entries of a project's tracks as its files hold them, and which of them a document's block shows.
import { CORE_FILE, INVARIANTS_FILE, isTrackId, TRACKS_FOLDER } from '../layout.ts';
import { formatItems, type TargetFile } from './block.ts';
import type { InputFile } from './collect.ts';
import { findConflict, splitConflict } from './document.ts';
import { type EntryViolation, type Kind, oneLine } from './entry.ts';
import { byDate, kindOfName, mergeVersions, parseEntryFile, type StoredEntry } from './entry-file.ts';
import { textLines } from './text-lines.ts';

export interface StoredEntries {
  own: readonly StoredEntry[];
  /** Invariants of other tracks, which hold here too. */
  others: readonly StoredEntry[];
}

interface Read extends StoredEntries {
  /** Those of `own` that git could not merge, and that are one again. */
  merged: StoredEntry[];
  violations: EntryViolation[];
  notes: string[];
}

const PATH = new RegExp(`^${TRACKS_FOLDER}/([^/]+)/entries/([^/]+)$`);

/** Track and kind of an entry's file, by its path; null for another file. */
export function placeOfEntry(path: string): { track: string; kind: Kind } | null {
  const [, track = '', name = ''] = PATH.exec(path) ?? [];
  const kind = kindOfName(name);
  return kind === null || !isTrackId(track) ? null : { track, kind };
}

/** Reads an entry's file; one that git could not merge is read from both sides. */
function readEntryFile({ path, text }: InputFile, kind: Kind): StoredEntry | EntryViolation {
  const conflict = findConflict(path, text);
  const sides = conflict === null ? null : splitConflict(text);
  if (conflict === null) return parseEntryFile(path, kind, text);
  const [ours, theirs] = (sides ?? []).map((side) => parseEntryFile(path, kind, side));
  if (ours === undefined || theirs === undefined || 'file' in ours || 'file' in theirs) return conflict;
  return mergeVersions(ours, theirs);
}

const isStored = (found: StoredEntry | EntryViolation): found is StoredEntry => 'entry' in found;

/** Two entries of one id in a track: whoever names it cannot mean both. A decision that is made anew keeps its id. */
function findSameIds(entries: readonly StoredEntry[]): string[] {
  const named = new Map<string, StoredEntry>();
  return [...entries].sort(byDate).flatMap((each) => {
    const known = named.get(each.entry.id);
    named.set(each.entry.id, known ?? each);
    return known === undefined || each.entry.kind === 'decision'
      ? []
      : [`${each.entry.id} is the id of two entries: ${known.path} and ${each.path}`];
  });
}

/** Reads the entries' files; what is wrong in one of another track keeps nobody from working on this one. */
export function readEntryFiles(track: string, files: readonly InputFile[]): Read {
  const read: Read & { own: StoredEntry[]; others: StoredEntry[] } = {
    own: [],
    others: [],
    merged: [],
    violations: [],
    notes: [],
  };
  for (const file of files) {
    const place = placeOfEntry(file.path);
    // What a power cut left empty was never written: a log says it again.
    if (place === null || file.text === '') continue;
    const found = readEntryFile(file, place.kind);
    const isOwn = place.track === track;
    if (!isStored(found)) {
      if (isOwn) read.violations.push(found);
      else read.notes.push(`${file.path}:${found.line} is left aside: ${found.found}`);
    } else if (!isOwn) read.others.push(found);
    else {
      read.own.push(found);
      if (file.text.includes('<<<<<<< ') && findConflict(file.path, file.text) !== null)
        read.merged.push(found);
    }
  }
  read.notes.push(...findSameIds(read.own));
  return read;
}

const BULLET = /^\s*(?:[-*+]|\d+[.)]) +(?:Invariant: +)?(?:\[I-[A-Za-z0-9]{1,12}\] +)?/;

/** Invariants of all tracks, each once, but for those that a document has taken up in the very words. */
function listInvariants(entries: readonly StoredEntry[], accepted: readonly string[]): StoredEntry[] {
  const taken = new Set(
    accepted.flatMap((text) => textLines(text).map((line) => oneLine(line.text.replace(BULLET, '')))),
  );
  const dropped = new Set(entries.filter((each) => each.isDropped).map(({ entry }) => entry.text));
  const found = new Map<string, StoredEntry>();
  for (const each of [...entries].sort(byDate)) {
    const { text } = each.entry;
    if (!found.has(text) && !dropped.has(text) && !taken.has(text)) found.set(text, each);
  }
  return [...found.values()];
}

/** The items of a document's block. */
export function itemsOf(
  { path, kind }: TargetFile,
  { own, others }: StoredEntries,
  outside: (path: string) => string,
): string[] {
  if (kind !== 'invariant') return formatItems(kind, own);
  const accepted = path === CORE_FILE ? [CORE_FILE] : [INVARIANTS_FILE, CORE_FILE];
  const all = [...own, ...others].filter(({ entry }) => entry.kind === 'invariant');
  return formatItems(kind, listInvariants(all, accepted.map(outside)));
}
