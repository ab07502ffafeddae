// An entry as a file of its own: front matter, and its text in the structured bullet schema; its name is its content.
import { trackFolder } from '../layout.ts';
import type { EntryViolation, FieldName, Kind, TrackEntry } from './entry.ts';
import { findLabel, formatEntry, ID_LETTERS, RISK_STATES, TASK_STATES } from './entry.ts';
import type { EntryDraft } from './parse-entries.ts';
import { isTime, locateEntries } from './read-entries.ts';

/** SHA-256 of a text as UTF-8, in hexadecimal digits. */
export type Hash = (text: string) => string;

export interface StoredEntry {
  /** From the project's root. */
  path: string;
  /** With its id; `at` is when it was first noted. */
  entry: TrackEntry & { id: string };
  /** Somebody took it out: it stays as a file, and is in no block. Never a decision, which is only added to. */
  isDropped: boolean;
  /** Time of the last statement that changed it; null before any did. */
  changed: string | null;
  session: string | null;
  /** The file in which it was first said. */
  origin: string | null;
  /** Digest of the last statement that was taken into it. */
  said: string | null;
  /** Digits of the other texts under which it was spoken of since a person corrected its own. */
  also: readonly string[];
  /** Lines below the front matter that are none of the entry: a person's words, which stay. */
  rest: string;
}

/** By UTF-16 units, as every machine sorts: no locale has a say. */
export const compareByUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By the date of the entry, those without one first, then by id and file. */
export const compareByDate = (a: StoredEntry, b: StoredEntry): number =>
  compareByUnits(a.entry.at ?? '', b.entry.at ?? '') ||
  compareByUnits(a.entry.id, b.entry.id) ||
  compareByUnits(a.path, b.path);

export const joinEntriesFolder = (track: string): string => `${trackFolder(track)}/entries`;

const NAME = /^(decision|risk|task|invariant)-[0-9a-f]{10}\.md$/;

/** The kind that the name of an entry's file says; null for another file. */
export const parseEntryName = (name: string): Kind | null =>
  (NAME.exec(name)?.[1] as Kind | undefined) ?? null;

/** By which a statement is recognised. */
export const digestStatement = (entry: TrackEntry, hash: Hash): string =>
  hash(formatEntry(entry, ['track']).join('\n')).slice(0, 12);

/** What an entry says whatever becomes of it: of a decision all, of the others their words. */
function formatIdentity(entry: TrackEntry): string {
  const words = entry.kind === 'decision' ? [entry.text, entry.reason, entry.impact] : [entry.text];
  return JSON.stringify([entry.kind, ...words.map((each) => each.normalize('NFC'))]);
}

/** Digits of what an entry says, of which its name is made. */
export const digestIdentity = (entry: TrackEntry, hash: Hash): string =>
  hash(`${entry.id ?? ''}\n${formatIdentity(entry)}`).slice(0, 10);

/** The path of an entry's file, and its id: the one that was given to it, or one of its content. */
export function nameEntry(track: string, entry: TrackEntry, hash: Hash): { path: string; id: string } {
  const digits = digestIdentity(entry, hash);
  return {
    path: `${joinEntriesFolder(track)}/${entry.kind}-${digits}.md`,
    id: entry.id ?? `${ID_LETTERS[entry.kind]}-${digits}`,
  };
}

/** Whether the text of an entry is that of which its file's name is made. */
export function hasFirstText(track: string, { entry, path }: StoredEntry, hash: Hash): boolean {
  return [null, entry.id].some((id) => nameEntry(track, { ...entry, id }, hash).path === path);
}

const STATUS: Readonly<Record<Kind, readonly string[]>> = {
  decision: [],
  risk: RISK_STATES,
  task: TASK_STATES,
  invariant: [],
};

/** The status as the front matter has it. */
export function readEntryStatus({ entry, isDropped }: StoredEntry): string | null {
  if (isDropped) return 'dropped';
  if (entry.kind === 'risk') return entry.status;
  return entry.kind === 'task' ? entry.state : null;
}

/** The text of an entry's file. */
export function formatEntryFile(stored: StoredEntry): string {
  const { entry, changed, session, origin, said, also, rest } = stored;
  const facts: [string, string | null][] = [
    ['kind', entry.kind],
    ['id', entry.id],
    ['date', entry.at],
    ['changed', changed],
    ['status', readEntryStatus(stored)],
    ['severity', entry.kind === 'risk' ? entry.severity : null],
    ['session', session],
    ['source', origin],
    ['transcript', entry.transcript],
    ['said', said],
    ['also', also.join(', ') || null],
  ];
  const [head = '', ...fields] = formatEntry({ ...entry, id: null }, [
    'severity',
    'status',
    'at',
    'transcript',
    'track',
  ]);
  // Without the empty line the words would be read back as part of the entry.
  const below = rest === '' ? '' : `\n${rest}`;
  const front = facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${['---', ...front, '---', '', head.replace(/^- \[.\] /, '- '), ...fields].join('\n')}\n${below}`;
}

const KEYS = [
  'kind',
  'id',
  'date',
  'changed',
  'status',
  'severity',
  'session',
  'source',
  'transcript',
  'said',
  'also',
];
const ID = /^[A-Z]-[A-Za-z0-9]{1,12}$/;

interface Front {
  facts: Map<string, { value: string; line: number }>;
  /** Lines up to the text. */
  lines: number;
}

function readFront(path: string, lines: readonly string[]): Front | EntryViolation {
  const facts: Front['facts'] = new Map();
  for (let at = 1; lines[0] === '---' && at < lines.length; at++) {
    const own = lines[at] ?? '';
    if (own === '---') return { facts, lines: at + 1 };
    const key = own.slice(0, Math.max(0, own.indexOf(':')));
    const value = own.slice(key.length + 1).trim();
    if (!KEYS.includes(key) || facts.has(key))
      return {
        file: path,
        line: at + 1,
        found: facts.has(key) ? `a second "${key}"` : JSON.stringify(own.slice(0, 40)),
        expected: `one of ${KEYS.join(', ')}, each once, with ":" and a value`,
      };
    if (value !== '') facts.set(key, { value, line: at + 1 });
  }
  return { file: path, line: 1, found: 'no front matter', expected: '"---", lines "key: value" and "---"' };
}

/** What is wrong with the listValues that the entry's own fields do not check. */
function checkFront(path: string, kind: Kind, { facts }: Front): EntryViolation | null {
  const fault = (key: string, expected: string): EntryViolation => {
    const { value, line } = facts.get(key) ?? { value: '', line: 1 };
    const found = value === '' ? `no ${key}` : `${key} ${JSON.stringify(value.slice(0, 40))}`;
    return { file: path, line, found, expected };
  };
  const factOf = (key: string): string => facts.get(key)?.value ?? '';
  const words = [...STATUS[kind], ...(kind === 'decision' ? [] : ['dropped'])];
  const id = factOf('id');
  const status = factOf('status');
  if (factOf('kind') !== kind) return fault('kind', `kind: ${kind}, as the file's name says`);
  if (!ID.test(id) || id[0] !== ID_LETTERS[kind])
    return fault('id', `an id like ${ID_LETTERS[kind]}-1a2b3c4d5e`);
  if (status !== '' && !words.includes(status))
    return fault('status', words.length === 0 ? 'no status: a decision stays' : `one of ${words.join(', ')}`);
  return kind === 'decision' && factOf('date') === ''
    ? fault('date', 'a time like 2026-01-31T09:00:00Z')
    : null;
}

/**
 * Reads the text of an entry's file: its fields stand in the front matter or below its bullet, never in both.
 *
 * @param kind what the file's name says
 */
export function parseEntryFile(path: string, kind: Kind, text: string): StoredEntry | EntryViolation {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const front = readFront(path, lines);
  if ('file' in front) return front;
  const wrong = checkFront(path, kind, front);
  if (wrong !== null) return wrong;
  const factOf = (key: string): string | null => front.facts.get(key)?.value ?? null;
  const isDropped = factOf('status') === 'dropped';
  const fieldOf = (name: FieldName, key: string): EntryDraft['fields'] => {
    const fact = front.facts.get(key);
    return fact === undefined || fact.value === 'dropped' ? [] : [{ name, ...fact }];
  };
  const below = [...lines.slice(0, front.lines).fill(''), ...lines.slice(front.lines)].join('\n');
  const found = locateEntries(path, below, [
    ...(kind === 'risk' ? [...fieldOf('severity', 'severity'), ...fieldOf('status', 'status')] : []),
    ...(kind === 'task' ? fieldOf('state', 'status') : []),
    ...fieldOf('at', 'date'),
    ...fieldOf('transcript', 'transcript'),
  ]);
  const [violation] = found.violations;
  if (violation !== undefined) return violation;
  const [entry, more] = found.entries;
  if (entry?.kind !== kind || more !== undefined || entry.id !== null || entry.track !== null)
    return {
      file: path,
      line: (more ?? entry)?.source.line ?? lines.length,
      found: more === undefined ? 'no entry as the front matter says it' : 'a second entry',
      expected: `one bullet "- ${findLabel(kind)}: …" without an id and a track`,
    };
  const own = new Set(found.lines[0]);
  const rest = lines
    .filter((_, index) => index >= front.lines && !own.has(index + 1))
    .join('\n')
    .replace(/^\n+/, '');
  return {
    path,
    entry: { ...entry, id: factOf('id') ?? '' },
    isDropped,
    changed: isTime(factOf('changed') ?? '') ? factOf('changed') : null,
    session: factOf('session'),
    origin: factOf('source'),
    said: factOf('said'),
    also: factOf('also')?.match(/[0-9a-f]{10}/g) ?? [],
    rest,
  };
}
