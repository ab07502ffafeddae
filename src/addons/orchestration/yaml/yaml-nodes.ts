// Finds where nodes of a YAML text begin and end, with the marks and comments that belong to them.
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { lineEnd, lineStart } from '../../../text/text-edits.ts';

export type YamlEntry = Pair<Node, Node | null>;

interface Token {
  type: string;
  offset: number;
  source: string;
}
interface EntryToken {
  start?: Token[];
  sep?: Token[];
}

/** Column of a block collection's keys or dashes; null for one in brackets. */
export function columnOf(node: unknown): number | null {
  const token = (node as Node | null)?.srcToken as { type: string; indent: number } | undefined;
  return token?.type === 'block-map' || token?.type === 'block-seq' ? token.indent : null;
}

export const isCollection = (node: unknown): node is YAMLMap | YAMLSeq => isMap(node) || isSeq(node);

/** Whether a map or list is written in lines, not in brackets. */
export const isBlock = (node: unknown): boolean => columnOf(node) !== null;

/** Whether a node is a null that is written as nothing. */
export const isNothing = (node: unknown): boolean =>
  node === null || node === undefined || (isScalar(node) && node.srcToken === undefined);

/** Whether a node is a scalar written with `|` or `>`. */
export const isBlockScalar = (node: unknown): node is Scalar =>
  isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);

export const rangeOf = (node: unknown): [from: number, to: number] => {
  const range = (node as Node | Alias | null)?.range;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
};

const lastEnd = (tokens: readonly Token[] | undefined, types: readonly string[]): number | null => {
  const last = tokens?.filter((token) => types.includes(token.type)).at(-1);
  return last === undefined ? null : last.offset + last.source.length;
};

/** Offset after the colon of an entry, and after an anchor or tag that follows it; null without a colon. */
export function colonEnd(entry: YamlEntry): { colon: number; marks: number } | null {
  const { sep } = (entry as unknown as { srcToken?: EntryToken }).srcToken ?? {};
  const colon = lastEnd(sep, ['map-value-ind']);
  return colon === null ? null : { colon, marks: lastEnd(sep, ['map-value-ind', 'anchor', 'tag']) ?? colon };
}

/** Offset of the dash of a list's item, and the one after it with its anchor or tag; null in brackets. */
export function dashOf(list: YAMLSeq, index: number): { dash: number; marks: number } | null {
  const items = (list.srcToken as unknown as { items?: EntryToken[] } | undefined)?.items;
  const start = items?.[index]?.start;
  const dash = start?.find((token) => token.type === 'seq-item-ind');
  return dash === undefined
    ? null
    : { dash: dash.offset, marks: lastEnd(start, ['seq-item-ind', 'anchor', 'tag']) ?? dash.offset + 1 };
}

export function entryEnd(entry: YamlEntry): number {
  if (!isNothing(entry.value)) return contentEnd(entry.value);
  return colonEnd(entry)?.marks ?? rangeOf(entry.key)[1];
}

export const itemEnd = (list: YAMLSeq, index: number): number => {
  const item = list.items[index];
  return isNothing(item) ? (dashOf(list, index)?.marks ?? rangeOf(item)[1]) : contentEnd(item);
};

/** Offset after the last character of a value, or after the line end of a `|` or `>` text. */
export function contentEnd(node: unknown): number {
  if (!isCollection(node) || !isBlock(node)) return rangeOf(node)[1];
  if (isSeq(node)) return itemEnd(node, node.items.length - 1);
  return entryEnd(node.items.at(-1) as YamlEntry);
}

/** Offset after the line on which a value ends. */
export const endOfLines = (text: string, end: number): number =>
  end > 0 && text[end - 1] === '\n' ? end : lineEnd(text, end);

/** Offset for a new line below a value: after its lines, and after comments that are indented deeper than it. */
export function findOffsetBelow(text: string, end: number, column: number): number {
  let at = endOfLines(text, end);
  for (;;) {
    const next = lineEnd(text, at);
    const comment = /^( *)#/.exec(text.slice(at, next));
    if (comment === null || (comment[1]?.length ?? 0) <= column) return at;
    at = next;
  }
}

/** Whether only blanks precede an offset on its line. */
export const isFirstOnLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === '';

export { isAlias, isMap, isScalar, isSeq };
