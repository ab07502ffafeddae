// The types of a track's checks: what each reads and what it reports.
import type { EntryViolation } from '../entries/entry.ts';
import type { TextLine } from '../entries/markdown.ts';
import type { Entries } from '../entries/read-entries.ts';

export type CheckName =
  | 'sections'
  | 'schema'
  | 'tasks'
  | 'placeholders'
  | 'risks'
  | 'names'
  | 'decisions'
  | 'external';

/** Something in a track's files that is not yet as it must be. */
export interface TrackFinding {
  check: CheckName;
  /** From the project's root; null where it is about no file (an external command). */
  file: string | null;
  /** From 1; null where it is about the file as a whole. */
  line: number | null;
  message: string;
  /** What to do about it. */
  next: string;
}

/** One file of a track, as checks read it. */
export interface TrackFile {
  /** From the project's root. */
  path: string;
  /** What is meant: no code blocks, no comments. Empty where the file is missing. */
  lines: readonly TextLine[];
  /** Numbers of the lines that code blocks hold. */
  code: readonly number[];
  isThere: boolean;
  entries: Entries;
  /** What keeps a compaction from taking it up. */
  violations: readonly EntryViolation[];
}

export interface TrackTexts {
  track: string;
  spec: TrackFile;
  plan: TrackFile;
  risks: TrackFile;
  decisions: TrackFile;
}

/** A check finds nothing in a track that is ready to be worked on. */
export type TrackCheck = (texts: TrackTexts) => Omit<TrackFinding, 'check'>[];

export const listTrackFiles = ({ spec, plan, risks, decisions }: TrackTexts): TrackFile[] => [
  spec,
  plan,
  risks,
  decisions,
];
