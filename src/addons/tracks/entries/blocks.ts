// Finds and replaces the blocks that we write between two marks of ours; no byte outside of them changes.
import { applySpans, detectEol } from '../../../text/text-edits.ts';
import type { EntryViolation } from './entry.ts';
import { scanLines } from './text-lines.ts';

/** What a block holds, by its name. */
export const BLOCKS = {
  plan: 'task',
  risks: 'risk',
  decisions: 'decision',
  invariants: 'invariant',
} as const;
export type BlockName = keyof typeof BLOCKS;
export const openMark = (name: BlockName): string => `<!-- plimsoll:${name} -->`;
export const closeMark = (name: BlockName): string => `<!-- /plimsoll:${name} -->`;

const MARK = /^ {0,3}<!--\s*(\/?)plimsoll:(plan|risks|decisions|invariants)\s*-->\s*$/;

export interface Block {
  name: BlockName;
  /** Offsets of what stands between its marks: from the line behind the first to the line of the second. */
  from: number;
  to: number;
  /** Number of the first line between the marks. */
  line: number;
  /** What stands there. */
  text: string;
  /** How the line of its first mark ends. */
  eol: string;
}

export interface Blocks {
  blocks: Block[];
  violations: EntryViolation[];
}

/**
 * All blocks of a text. A mark in a code block is an example; one behind a code block that never ends is none: it is how
 * a block stands that was put at the end of such a file.
 */
export function findBlocks(file: string, text: string): Blocks {
  if (!text.includes('plimsoll:')) return { blocks: [], violations: [] };
  const { lines, open } = scanLines(text);
  const blocks: Block[] = [];
  const violations: EntryViolation[] = [];
  let begun: { name: BlockName; line: number; from: number } | null = null;
  const missing = (name: BlockName, line: number): EntryViolation => ({
    file,
    line,
    found: `${openMark(name)} without end`,
    expected: `${closeMark(name)} behind it`,
  });
  lines.forEach(({ text: own, kind, line, from }, index) => {
    const [, slash, word] = own.includes('plimsoll:') ? (MARK.exec(own) ?? []) : [];
    const name = word as BlockName | undefined;
    if (name === undefined || (kind === 'code' && !(open?.kind === 'code' && line > open.line))) return;
    if (slash === '') {
      if (begun !== null) violations.push(missing(begun.name, begun.line));
      if (blocks.some((each) => each.name === name))
        violations.push({ file, line, found: `a second ${openMark(name)}`, expected: 'one in a file' });
      begun = { name, line, from: lines[index + 1]?.from ?? text.length };
    } else if (begun?.name === name) {
      const { from: start, line: at } = begun;
      const eol = text.slice(0, start).endsWith('\r\n') ? '\r\n' : '\n';
      blocks.push({ name, from: start, to: from, line: at + 1, text: text.slice(start, from), eol });
      begun = null;
    } else
      violations.push({
        file,
        line,
        found: `${closeMark(name)} without a beginning`,
        expected: `${openMark(name)} before it`,
      });
  });
  if (begun !== null) violations.push(missing((begun as Block).name, (begun as Block).line));
  return { blocks, violations };
}

/** The text without what stands in blocks; every line keeps its number. */
export const outsideOf = (text: string, blocks: readonly Block[]): string =>
  applySpans(
    text,
    blocks.map(({ from, to, text: own }) => ({ from, to, text: own.replace(/[^\n]/g, '') })),
  );

/** How lines end that are put into a file: as those of its block, else as those of the file. */
export const eolIn = (text: string, block: Block | undefined): string => block?.eol ?? detectEol(text);

/**
 * The text with other content in a block. Where the block is missing it is put at the end, behind an empty line; a file
 * that is not there yet (null) begins with a title.
 *
 * @param content whole lines with their ends
 */
export function withBlock(
  text: string | null,
  block: Block | undefined,
  { name, title, content }: { name: BlockName; title: string; content: string },
): string {
  if (block !== undefined && text !== null)
    return applySpans(text, [{ from: block.from, to: block.to, text: content }]);
  const before = text ?? `# ${title}\n`;
  const eol = detectEol(before);
  const isOpen = before !== '' && !/^\uFEFF$|\n$/.test(before);
  const isApart = before.replace(/^\uFEFF/, '') === '' || /\n\r?\n$/.test(before);
  const gap = `${isOpen ? eol : ''}${isApart ? '' : eol}`;
  return `${before}${gap}${openMark(name)}${eol}${content}${closeMark(name)}${eol}`;
}
