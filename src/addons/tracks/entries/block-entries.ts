// Reads and writes the content of a block: entries with their evidence, and foreign lines, which stay as they are.
import type { Block } from './blocks.ts';
import { BLOCKS } from './blocks.ts';
import { type EntryViolation, findLabel, type TrackEntry } from './entry.ts';
import { formatEntry } from './entry-text.ts';
import { locateEntries } from './read-entries.ts';
import { type Evidence, evidenceLine, evidenceOf } from './statement.ts';
import { scanLines } from './text-lines.ts';

/** An entry of a block, with what was said about it, oldest first. */
export interface ManagedEntry<E extends TrackEntry = TrackEntry> {
  entry: E;
  evidence: readonly Evidence[];
  /** Blanks before its bullet. */
  indent: string;
}

/** A piece of a block: an entry, or lines of others with their ends. */
export type BlockItem<E extends TrackEntry = TrackEntry> = ManagedEntry<E> | { foreign: string };
export const isManaged = <E extends TrackEntry>(piece: BlockItem<E>): piece is ManagedEntry<E> =>
  'entry' in piece;

export interface BlockContent<E extends TrackEntry = TrackEntry> {
  pieces: BlockItem<E>[];
  violations: EntryViolation[];
}

/** What may not be in a block: another kind, two entries with one id, and what hides what comes behind it. */
function faultsIn(block: Block, entries: readonly TrackEntry[], open: { kind: string; line: number } | null) {
  const kind = BLOCKS[block.name];
  const faults: Omit<EntryViolation, 'file'>[] = [];
  const ids = new Set<string>();
  for (const { kind: own, id, source } of entries) {
    const { line } = source;
    if (own !== kind)
      faults.push({
        line,
        found: `a ${own} in the block of ${block.name}`,
        expected: `a ${findLabel(kind)}, or this entry outside of the block`,
      });
    // A decision that is made anew keeps its id: both stay.
    if (id !== null && kind !== 'decision' && ids.has(id))
      faults.push({ line, found: `a second ${kind} ${id}`, expected: 'an id of its own, or none' });
    if (id !== null) ids.add(id);
  }
  if (open !== null)
    faults.push({
      line: open.line + block.line - 1,
      found: `a ${open.kind === 'code' ? 'code block' : 'comment'} without end`,
      expected: `its end before the end of the block`,
    });
  return faults;
}

/** Reads a block; lines are counted in the whole file. */
export function readBlock<E extends TrackEntry>(file: string, block: Block): BlockContent<E> {
  const { entries, lines, violations, open } = locateEntries(file, block.text);
  const { lines: all } = scanLines(block.text);
  const owner = new Map<number, number>();
  lines.forEach((each, index) => {
    for (const line of each) owner.set(line, index);
  });
  const kept: (ManagedEntry<E> & { evidence: Evidence[] })[] = [];
  const pieces: BlockItem<E>[] = [];
  all.forEach(({ text, line, from }, index) => {
    const of = owner.get(line);
    const entry = of === undefined ? undefined : (entries[of] as E | undefined);
    const evidence = evidenceOf(text);
    const last = kept.at(-1);
    if (entry !== undefined) {
      if (entry.source.line !== line) return;
      const indent = /^\s*/.exec(text)?.[0] ?? '';
      const piece = {
        entry: { ...entry, source: { file, line: line + block.line - 1 } },
        evidence: [],
        indent,
      };
      kept.push(piece);
      pieces.push(piece);
    } else if (evidence !== null && last !== undefined) last.evidence.push(evidence);
    else {
      const foreign = block.text.slice(from, all[index + 1]?.from ?? block.text.length);
      if (foreign !== '') pieces.push({ foreign });
    }
  });
  const shifted = violations.map((each) => ({ ...each, line: each.line + block.line - 1 }));
  const faults = faultsIn(
    block,
    kept.map((each) => each.entry),
    open,
  );
  return { pieces, violations: [...shifted, ...faults.map((each) => ({ file, ...each }))] };
}

/** Lines of an entry with its evidence, each with its end. */
export const formatManaged = ({ entry, evidence, indent }: ManagedEntry, eol: string): string =>
  [...formatEntry(entry, ['track']), ...evidence.map(evidenceLine)]
    .map((line) => `${indent}${line}${eol}`)
    .join('');

/** A block's content in its normal form: entries written anew, lines of others as they were. */
export const formatContent = (pieces: readonly BlockItem[], eol: string): string =>
  pieces.map((piece) => (isManaged(piece) ? formatManaged(piece, eol) : piece.foreign)).join('');
