// What was said about a track, and where? A statement is an entry with its evidence, known again by a digest.
import type { Entry, Source } from './entry.ts';
import { entryLines } from './entry-text.ts';

/** Where a line of ours comes from: it stands below the entry, as a comment. */
export interface Evidence extends Source {
  /** Of what was said there: 12 hexadecimal digits. */
  digest: string;
}

export interface Statement<E extends Entry = Entry> {
  entry: E;
  evidence: Evidence;
}

/** SHA-256 of a text as UTF-8, in hexadecimal digits. */
export type Hash = (text: string) => string;

/** The same for equal entries, wherever they stand. */
export const digestOf = (entry: Entry, hash: Hash): string =>
  hash(entryLines(entry, ['track']).join('\n')).slice(0, 12);

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
