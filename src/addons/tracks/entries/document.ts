// A document with a generated block, also where git could not merge two versions that differ in nothing else.
import { type Block, findBlock, type TargetFile } from './block.ts';
import { findConflict, splitConflict } from './conflict.ts';
import type { EntryViolation } from './entry.ts';

export interface TargetDocument {
  target: TargetFile;
  /** Without marks of git; null where it is not there yet. */
  text: string | null;
  /** What its block holds, on either side of a conflict. */
  blocks: Block[];
  violations: EntryViolation[];
}

const withoutBlock = (text: string, block: Block | null): string =>
  block === null ? text.trimEnd() : `${text.slice(0, block.from)}${text.slice(block.to)}`.trimEnd();

/** Reads a document. A conflict within its block needs nobody: what is generated is generated anew. */
export function readDocument(target: TargetFile, text: string | null): TargetDocument {
  const { path } = target;
  const conflict = text === null ? null : findConflict(path, text);
  const sides = conflict === null || text === null ? null : splitConflict(text);
  const found = (sides ?? (text === null ? [] : [text])).map((side) => ({ side, ...findBlock(path, side) }));
  const [ours, theirs] = found;
  const isOneOutside =
    sides === null ||
    (ours !== undefined &&
      theirs !== undefined &&
      withoutBlock(ours.side, ours.block) === withoutBlock(theirs.side, theirs.block));
  if (conflict !== null && (sides === null || !isOneOutside))
    return { target, text, blocks: [], violations: [conflict] };
  const base = ours?.block === null ? (theirs ?? ours) : ours;
  return {
    target,
    text: base?.side ?? null,
    blocks: found.flatMap(({ block }) => block ?? []),
    violations: found.flatMap((each) => each.violations),
  };
}
