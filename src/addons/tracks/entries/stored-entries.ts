// The entries of a project's tracks as its files hold them, and which of them a document's block shows.
import { CORE_FILE, INVARIANTS_FILE, isTrackId, TRACKS_FOLDER } from '../layout.ts';
import { findConflict, formatItems, splitConflict, type TargetFile } from './block.ts';
import type { InputFile } from './collect.ts';
import { type EntryViolation, type Kind, oneLine } from './entry.ts';
import { byDate, type Hash, kindOfName, parseEntryFile, type StoredEntry } from './entry-file.ts';
import { textLines } from './markdown.ts';
import { mergeVersions } from './merge-versions.ts';

export interface StoredEntries {
  own: readonly StoredEntry[];
  /** Invariants of other tracks, which hold here too. */
  others: readonly StoredEntry[];
}

interface Read extends StoredEntries {
  /** Those of `own` that git could not merge, and that are one again. */
  merged: StoredEntry[];
  /** Both versions of each of these. */
  versions: StoredEntry[];
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

/** Reads an entry's file; one that git could not merge gives two versions. */
function readVersions({ path, text }: InputFile, kind: Kind): StoredEntry[] | EntryViolation {
  const conflict = findConflict(path, text);
  const sides = conflict === null ? [text] : splitConflict(text);
  const versions: StoredEntry[] = [];
  for (const side of sides ?? []) {
    const version = parseEntryFile(path, kind, side);
    if ('file' in version) return conflict ?? version;
    versions.push(version);
  }
  return conflict !== null && sides === null ? conflict : versions;
}

/** What is wrong with the entries' files of a track. */
export const findEntryFaults = (track: string, files: readonly InputFile[]): EntryViolation[] =>
  files.flatMap((file) => {
    const place = placeOfEntry(file.path);
    if (place?.track !== track || file.text === '') return [];
    const versions = readVersions(file, place.kind);
    return 'file' in versions ? [versions] : [];
  });

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
export function readEntryFiles(track: string, files: readonly InputFile[], hash: Hash): Read {
  const read: Read & { own: StoredEntry[]; others: StoredEntry[] } = {
    own: [],
    others: [],
    merged: [],
    versions: [],
    violations: [],
    notes: [],
  };
  for (const file of files) {
    const place = placeOfEntry(file.path);
    // What a power cut left empty was never written: a log says it again.
    if (place === null || file.text === '') continue;
    const versions = readVersions(file, place.kind);
    const isOwn = place.track === track;
    if ('file' in versions) {
      if (isOwn) read.violations.push(versions);
      else read.notes.push(`${file.path}:${versions.line} is left aside: ${versions.found}`);
      continue;
    }
    const [one, other] = versions;
    if (one === undefined) continue;
    const { merged, notes } =
      other === undefined ? { merged: one, notes: [] } : mergeVersions(place.track, one, other, hash);
    (isOwn ? read.own : read.others).push(merged);
    if (!isOwn || other === undefined) continue;
    read.merged.push(merged);
    read.versions.push(...versions);
    read.notes.push(...notes);
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
