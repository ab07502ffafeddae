// The entries of a project's tracks as its files hold them (of two versions one is made), and which of them a block shows.
import { CORE_FILE, INVARIANTS_FILE, isTrackId, TRACKS_FOLDER } from '../layout.ts';
import { findConflict, formatItems, splitConflict, type TargetFile } from './block.ts';
import type { InputFile } from './collect.ts';
import type { EntryViolation, Kind, TrackEntry } from './entry.ts';
import { FIELDS, joinLines, RISK_STATES, SEVERITIES, TASK_STATES } from './entry.ts';
import {
  compareByDate,
  compareByUnits,
  digestStatement,
  formatEntryFile,
  type Hash,
  hasFirstText,
  parseEntryFile,
  parseEntryName,
  readEntryStatus,
  type StoredEntry,
} from './entry-file.ts';
import { listTextLines } from './markdown.ts';

interface MergedVersions {
  merged: StoredEntry;
  /** A sentence for each field of which one of two values had to yield. */
  notes: string[];
}

const lastTime = ({ changed, entry }: StoredEntry): string => changed ?? entry.at ?? '';

const byText = (a: StoredEntry, b: StoredEntry): number =>
  compareByUnits(formatEntryFile(a), formatEntryFile(b));

const fieldOf = ({ entry }: StoredEntry, name: string): string | null =>
  (entry as unknown as Partial<Record<string, string | null>>)[name] ?? null;

/** A version as it was last said, which its digest proves; null where more than a status or a field was changed since. */
function findSaid(version: StoredEntry, hash: Hash): StoredEntry | null {
  const { entry, said } = version;
  const asSaid: TrackEntry[] =
    entry.kind === 'task'
      ? TASK_STATES.map((state) => ({ ...entry, state }))
      : entry.kind === 'risk'
        ? RISK_STATES.flatMap((status) =>
            SEVERITIES.flatMap((severity) =>
              [entry.mitigation, null].map((mitigation) => ({ ...entry, status, severity, mitigation })),
            ),
          )
        : [];
  const at = lastTime(version) || null;
  const found = asSaid.find((each) =>
    [null, entry.id].some((id) => digestStatement({ ...each, id, at }, hash) === said),
  );
  return found === undefined ? null : { ...version, isDropped: false, entry: { ...found, id: entry.id } };
}

const splitParagraphs = (text: string): string[] => text.trim().split(/\n{2,}/);

/** Whether a paragraph holds every line of another one. */
const holdsLines = (whole: string, part: string): boolean => {
  const lines = whole.split('\n');
  return part.split('\n').every((line) => lines.includes(line));
};

/** Words below an entry, of both: each paragraph once, those of one side alone behind the one that they follow there. */
function mergeRests(a: string, b: string): string {
  if (a.includes(b)) return a;
  if (b.includes(a)) return b;
  const merged = splitParagraphs(a);
  let at = merged.length;
  for (const own of splitParagraphs(b)) {
    const known = merged.findIndex((each) => holdsLines(each, own) || holdsLines(own, each));
    if (known < 0) merged.splice(at++, 0, own);
    else {
      if (!holdsLines(merged[known] ?? '', own)) merged[known] = own;
      at = known + 1;
    }
  }
  return `${merged.join('\n\n')}\n`;
}

/**
 * One of two versions of an entry. What only one of them has stays. Where they differ, what a person set in the file
 * stands before what was noted, and else what was said later; words that yield stand below the entry.
 */
function mergeVersions(track: string, a: StoredEntry, b: StoredEntry, hash: Hash): MergedVersions {
  const isAFirst = (compareByUnits(a.entry.at ?? '~', b.entry.at ?? '~') || byText(a, b)) <= 0;
  const isALast = (-compareByUnits(lastTime(a), lastTime(b)) || byText(a, b)) <= 0;
  const [first, second] = isAFirst ? [a, b] : [b, a];
  const [last, before] = isALast ? [a, b] : [b, a];
  const notes: string[] = [];
  const yielded: string[] = [];
  const isByHand = (version: StoredEntry, name: string): boolean => {
    if (name === 'text') return !hasFirstText(track, version, hash);
    if (name === 'status' && version.isDropped) return true;
    const said = findSaid(version, hash);
    if (said === null) return false;
    return name === 'status'
      ? readEntryStatus(said) !== readEntryStatus(version)
      : fieldOf(said, name) !== fieldOf(version, name);
  };
  const choose = (name: string, of: (version: StoredEntry) => string | null): string | null => {
    const [old, now] = [of(before), of(last)];
    if (old === now || old === null || now === null) return now ?? old;
    const isOldKept = isByHand(before, name) && !isByHand(last, name);
    const [taken, left] = isOldKept ? [old, now] : [now, old];
    const isWord = name === 'status' || name === 'severity';
    if (!isWord) yielded.push(`The ${name} of the other branch: ${left}`);
    const why = isOldKept ? 'which was set in its file' : 'which was said later';
    notes.push(
      `${last.path}: two branches set its ${name}. "${taken}", ${why}, stands, and not "${left}"${isWord ? '' : ', which stands below it'}`,
    );
    return taken;
  };
  const status = choose('status', readEntryStatus);
  const isDropped = status === 'dropped';
  const { kind } = last.entry;
  const own = FIELDS[kind].flatMap(({ name, isList }) =>
    isList || ['status', 'state', 'at', 'transcript', 'track'].includes(name) ? [] : [name],
  );
  const fields = ['text', ...own].map((name) => [name, choose(name, (each) => fieldOf(each, name))]);
  const state = isDropped || status === null ? {} : { [kind === 'task' ? 'state' : 'status']: status };
  const criteria = ({ entry }: StoredEntry): readonly string[] =>
    entry.kind === 'task' ? entry.acceptance : [];
  const lists = kind === 'task' ? { acceptance: [...new Set([first, second].flatMap(criteria))] } : {};
  const rest = mergeRests(before.rest, last.rest);
  const below = yielded.filter((line) => !rest.includes(line)).map((line) => `${line}\n`);
  return {
    merged: {
      ...last,
      isDropped,
      changed: last === first ? last.changed : (last.changed ?? last.entry.at),
      session: first.session ?? second.session,
      origin: first.origin ?? second.origin,
      said: last.said ?? before.said,
      also: [...new Set([...first.also, ...second.also])].sort(),
      entry: {
        ...last.entry,
        ...Object.fromEntries(fields),
        ...state,
        ...lists,
        at: first.entry.at ?? second.entry.at,
        transcript: first.entry.transcript ?? second.entry.transcript,
      } as StoredEntry['entry'],
      rest: [rest, ...below].filter((each) => each !== '').join('\n'),
    },
    notes,
  };
}

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
export function parseEntryPath(path: string): { track: string; kind: Kind } | null {
  const [, track = '', name = ''] = PATH.exec(path) ?? [];
  const kind = parseEntryName(name);
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
    const place = parseEntryPath(file.path);
    if (place?.track !== track || file.text === '') return [];
    const versions = readVersions(file, place.kind);
    return 'file' in versions ? [versions] : [];
  });

/** Two entries of one id in a track: whoever names it cannot mean both. A decision that is made anew keeps its id. */
function findSameIds(entries: readonly StoredEntry[]): string[] {
  const named = new Map<string, StoredEntry>();
  return [...entries].sort(compareByDate).flatMap((each) => {
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
    const place = parseEntryPath(file.path);
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
    accepted.flatMap((text) => listTextLines(text).map((line) => joinLines(line.text.replace(BULLET, '')))),
  );
  const dropped = new Set(entries.filter((each) => each.isDropped).map(({ entry }) => entry.text));
  const found = new Map<string, StoredEntry>();
  for (const each of [...entries].sort(compareByDate)) {
    const { text } = each.entry;
    if (!found.has(text) && !dropped.has(text) && !taken.has(text)) found.set(text, each);
  }
  return [...found.values()];
}

/** The items of a document's block. */
export function listBlockItems(
  { path, kind }: TargetFile,
  { own, others }: StoredEntries,
  outside: (path: string) => string,
): string[] {
  if (kind !== 'invariant') return formatItems(kind, own);
  const accepted = path === CORE_FILE ? [CORE_FILE] : [INVARIANTS_FILE, CORE_FILE];
  const all = [...own, ...others].filter(({ entry }) => entry.kind === 'invariant');
  return formatItems(kind, listInvariants(all, accepted.map(outside)));
}
