// The lines that we keep of a session whose host stores it where no reader of ours goes: facts and entries as they are.

import { isObject } from '../text/json.ts';
import type { EntryReader, LineFact, TranscriptEntry } from './entry.ts';
import type { FactReader, SessionInfo } from './host.ts';

/** An entry without its place, which its line knows. */
export type OwnEntry = TranscriptEntry extends infer E
  ? E extends TranscriptEntry
    ? Omit<E, 'id' | 'offset' | 'time'>
    : never
  : never;

/** One line. The fact stands first: readers look for its words at the beginning of long lines. */
export interface OwnLine {
  fact?: LineFact;
  /** The host's id of what it tells of; a line is kept once. */
  id: string;
  /** Of the line that it follows in the session, or null. */
  parent: string | null;
  /** ISO time. */
  at: string;
  entries?: OwnEntry[];
}

const isLine = (line: unknown): line is OwnLine =>
  isObject(line) && typeof line.id === 'string' && typeof line.at === 'string';

export const ownFacts: FactReader = {
  markers: ['"kind":"boundary"', '"kind":"injection"', '"kind":"unmeasured"'],
  usageMarkers: ['"fact":{"kind":"usage"'],
  readFact: (line) => (isLine(line) ? (line.fact ?? null) : null),
  countCharacters: (line) =>
    isLine(line)
      ? (line.entries ?? []).reduce((sum, each) => sum + ('text' in each ? each.text.length : 0), 0)
      : 0,
};

/** What holds of hosts whose every line is parsed, and is kept. */
export const PARSED_LINES = {
  skimEntry: () => 'parse',
  saysNothing: () => false,
  isLasting: () => true,
} satisfies Partial<EntryReader>;

export const ownEntries: EntryReader = {
  ...PARSED_LINES,
  readEntries: (line, offset) =>
    isLine(line)
      ? (line.entries ?? []).map(
          (each) => ({ ...each, id: line.id, offset, time: line.at }) as TranscriptEntry,
        )
      : [],
  readLink: (line) => (isLine(line) ? { id: line.id, parent: line.parent } : null),
};

/** The first line names the host and the session. */
export const readOwnSession = (line: unknown): SessionInfo | null =>
  isObject(line) && typeof line.session === 'string'
    ? { id: line.session, client: null, cwd: null, entrypoint: null, title: null }
    : null;
