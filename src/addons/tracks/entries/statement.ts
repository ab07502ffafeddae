// A statement: an entry with its evidence, recognised again by a digest.
import type { Source, TrackEntry } from './entry.ts';
import { formatEntry } from './entry-text.ts';

/** Where a line of ours comes from: it stands below the entry, as a comment. */
export interface Evidence extends Source {
  /** Digest of what was said there: 12 hexadecimal digits. */
  digest: string;
}

export interface Statement<E extends TrackEntry = TrackEntry> {
  entry: E;
  evidence: Evidence;
}

/** SHA-256 of a text as UTF-8, in hexadecimal digits. */
export type Hash = (text: string) => string;

/**
 * The same for equal entries, wherever they stand.
 *
 * @param nth of those that are equal in one document, from 1: what its author wrote twice is two
 */
export const hashEntry = (entry: TrackEntry, hash: Hash, nth = 1): string =>
  hash([...formatEntry(entry, ['track']), ...(nth > 1 ? [`#${nth}`] : [])].join('\n')).slice(0, 12);

/**
 * Whether an entry is an item of a document's list: a task or risk that stands beside another one of the same words. In a
 * log the later word is on the same entry, and an invariant is nothing but its words.
 */
export const isListed = ({ kind, source }: TrackEntry): boolean =>
  (kind === 'task' || kind === 'risk') && source.file.startsWith('docs/');

export const evidenceLine = ({ file, line, digest }: Evidence): string =>
  `  <!-- from ${file}:${line} #${digest} -->`;

const EVIDENCE = /^\s*<!-- from (\S+):(\d+) #([0-9a-f]{12}) -->\s*$/;

/** The evidence of a line; null when it is another line. */
export function evidenceOf(text: string): Evidence | null {
  const [, file, line, digest] = text.includes('<!-- from ') ? (EVIDENCE.exec(text) ?? []) : [];
  return file === undefined || digest === undefined ? null : { file, line: Number(line), digest };
}

/** By UTF-16 units, as every machine sorts: no locale has a say. */
export const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By time, those without one first; then by file and line. */
export const byTime = (a: Statement, b: Statement): number =>
  byUnits(a.entry.at ?? '', b.entry.at ?? '') ||
  byUnits(a.evidence.file, b.evidence.file) ||
  a.evidence.line - b.evidence.line;
