// Documents with a generated block, and files that git could not merge: both sides, so that what is generated is made anew.
import { type Block, findBlock, type TargetFile } from './block.ts';
import type { EntryViolation } from './entry.ts';
import { textLines } from './text-lines.ts';

/** The first mark of git that nobody has taken out yet; null where there is none. */
export function findConflict(file: string, text: string): EntryViolation | null {
  if (!text.includes('<<<<<<< ')) return null;
  const mark = textLines(text).find((each) => each.text.startsWith('<<<<<<< '));
  if (mark === undefined) return null;
  const expected = 'one version of these lines, without the marks of git';
  return { file, line: mark.line, found: 'a merge conflict', expected };
}

/** The text as either side has it; null where the marks do not come in the order of git. */
export function splitConflict(text: string): [ours: string, theirs: string] | null {
  const sides: [string[], string[]] = [[], []];
  let part: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split('\n')) {
    const sign = /^(?:<{7} |\|{7}(?: |\r?$)|={7}\r?$|>{7} )/.exec(line)?.[0][0];
    if (sign === '<' && part === 'both') part = 'ours';
    else if (sign === '|' && part === 'ours') part = 'base';
    else if (sign === '=' && (part === 'ours' || part === 'base')) part = 'theirs';
    else if (sign === '>' && part === 'theirs') part = 'both';
    else if (sign !== undefined && sign !== '=') return null;
    else {
      if (part === 'both' || part === 'ours') sides[0].push(line);
      if (part === 'both' || part === 'theirs') sides[1].push(line);
    }
  }
  return part === 'both' ? [sides[0].join('\n'), sides[1].join('\n')] : null;
}

export interface TargetDocument {
  target: TargetFile;
  /** Without marks of git; null where it is not there yet. */
  text: string | null;
  /** What its block holds, on either side of a conflict. */
  blocks: Block[];
  /** Git could not merge it: its lines may come from either side. */
  isMerged: boolean;
  violations: EntryViolation[];
}

const cutBlock = (text: string, block: Block | null): string =>
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
      cutBlock(ours.side, ours.block) === cutBlock(theirs.side, theirs.block));
  if (conflict !== null && (sides === null || !isOneOutside))
    return { target, text, blocks: [], isMerged: false, violations: [conflict] };
  const base = ours?.block === null ? (theirs ?? ours) : ours;
  return {
    target,
    text: base?.side ?? null,
    blocks: found.flatMap(({ block }) => block ?? []),
    isMerged: conflict !== null,
    violations: found.flatMap((each) => each.violations),
  };
}
