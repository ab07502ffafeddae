// Plans the text edits that replace an existing value of a YAML text.
import { Lexer, type Scalar } from 'yaml';
import { type Data, isMap as isDataMap, type Path } from '../../../text/data-diff.ts';
import { lineEnd, lineStart, linesAt, type Span } from '../../../text/text-edits.ts';
import { type EditContext, type FoundNode, refuse } from './yaml-draft.ts';
import {
  colonEnd,
  columnOf,
  contentEnd,
  dashOf,
  endOfLines,
  isBlock,
  isBlockScalar,
  isCollection,
  isFirstOnLine,
  isNothing,
  isScalar,
  isSeq,
  rangeOf,
} from './yaml-nodes.ts';
import { bracketText, type Rendered, renderEntry, scalarText, valueLines } from './yaml-render.ts';
import type { Quote } from './yaml-style.ts';

/** Whether a piece of YAML holds a comment. */
export const hasComment = (text: string): boolean =>
  text.includes('#') && [...new Lexer().lex(text)].some((token) => token.startsWith('#'));

/** Offset after the colon or dash of a value, with its anchor or tag. */
function markEnd({ holder }: FoundNode): number | null {
  if (holder === null) return null;
  if (holder.entry !== null) return colonEnd(holder.entry)?.marks ?? null;
  return isSeq(holder.node) ? (dashOf(holder.node, holder.index)?.marks ?? null) : null;
}

/** Column of the key or dash of a value. */
const columnFor = ({ holder }: FoundNode): number => columnOf(holder?.node) ?? 0;

/** The lines of a value in its column, below a key or after a dash. */
function rendered(draft: EditContext, path: Path, found: FoundNode, value: Data): Rendered {
  const { style, remarks } = draft;
  const column = columnFor(found);
  if (!isSeq(found.holder?.node)) return valueLines(value, column, style, path, remarks);
  if (!isDataMap(value) || Object.keys(value).length === 0)
    return {
      first: typeof value === 'object' ? bracketText(value, style) : scalarText(value, style.quote),
      rest: [],
    };
  // The first key replaces the old value, the others follow below it.
  const at = isNothing(found.node) ? (markEnd(found) ?? 0) : rangeOf(found.node)[0];
  const inner = at - lineStart(draft.text, at) + (isNothing(found.node) ? 1 : 0);
  const lines = Object.entries(value).flatMap((entry) => renderEntry(entry, inner, style, path, remarks));
  return { first: lines[0]?.slice(inner) ?? '', rest: lines.slice(1) };
}

/** The quotes of the text that is replaced, or those of the section if that was no text. */
function quoteFor(draft: EditContext, old: unknown): Quote {
  if (!isScalar(old) || typeof old.value !== 'string') return draft.style.quote;
  return old.type === 'QUOTE_SINGLE' ? 'single' : old.type === 'PLAIN' ? 'plain' : 'double';
}

/** Whether a node is an unquoted time: only then a new time stays unquoted, as some parsers take it for a date. */
const isPlainTime = (node: unknown): boolean =>
  isScalar(node) && node.type === 'PLAIN' && TIME.test(String(node.value));
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const textInPlaceOf = (draft: EditContext, old: unknown, value: Data): string =>
  isPlainTime(old) && TIME.test(String(value)) ? String(value) : scalarText(value, quoteFor(draft, old));

/** A text as the mark `|` or `>` and its lines; null when it has to be quoted. */
function blockText(value: Data, old: Scalar): { mark: string; lines: string[] } | null {
  if (typeof value !== 'string' || value === '' || /^[\s]|[^\P{C}\n]|\u2028|\u2029/u.test(value)) return null;
  const body = value.replace(/\n$/, '');
  if (body.endsWith('\n') || /^[ \t]+$/m.test(body)) return null;
  const lines = body.split('\n');
  const kind = old.type === 'BLOCK_FOLDED' && lines.length === 1 ? '>' : '|';
  return { mark: `${kind}${value.endsWith('\n') ? '' : '-'}`, lines };
}

/** Replaces a `|` or `>` text; a comment beside the mark stays. */
function replaceBlockScalar(draft: EditContext, path: Path, found: FoundNode, value: Data): Span[] {
  const { text, style } = draft;
  const old = found.node as Scalar;
  const [from, to] = rangeOf(old);
  const mark = /^[|>][\d+-]*/.exec(text.slice(from, to))?.[0] ?? '|';
  const bodyFrom = Math.min(lineEnd(text, from), to);
  const body = text.slice(bodyFrom, to);
  const block = blockText(value, old);
  const pad = /^[^\S\n]*(?=\S)/m.exec(body)?.[0] ?? ' '.repeat(columnFor(found) + style.step);
  const { first, rest } =
    block === null
      ? rendered({ ...draft, style: { ...style, quote: 'double' } }, path, found, value)
      : { first: block.mark, rest: block.lines.map((line) => (line === '' ? '' : `${pad}${line}`)) };
  const isClosed = body.endsWith('\n');
  const lines = rest.length === 0 ? '' : `${rest.join(style.eol)}${isClosed ? style.eol : ''}`;
  return [
    { from, to: from + mark.length, text: first },
    { from: bodyFrom, to, text: lines },
  ];
}

/** Replaces lines of keys or items by another value; refused when a comment would be lost. */
function replaceBlock(draft: EditContext, path: Path, found: FoundNode, value: Data): Span[] {
  const { text, style } = draft;
  const mark = markEnd(found);
  const [from] = rangeOf(found.node);
  const to = endOfLines(text, contentEnd(found.node));
  const start = lineStart(text, from);
  const isEmpty = isCollectionData(value) && Object.keys(value as object).length === 0;
  if (
    mark === null ||
    start < mark ||
    !isFirstOnLine(text, isSeq(found.node) ? (dashOf(found.node, 0)?.dash ?? from) : from)
  )
    refuse(path, found.node, 'cannot be replaced where it stands');
  const kept = isEmpty ? commentLines(text.slice(start, to)) : [];
  if (!isEmpty && hasComment(text.slice(start, to)))
    refuse(path, found.node, 'holds comments that would be lost');
  const { first, rest } = rendered(draft, path, found, value);
  const lines = [...rest, ...kept];
  const replaced = lines.length === 0 ? '' : `${lines.join(style.eol)}${style.eol}`;
  return [
    ...(first === '' ? [] : [{ from: mark, to: mark, text: ` ${first}` }]),
    { from: start, to, text: replaced },
  ];
}

const isCollectionData = (value: Data): boolean => typeof value === 'object' && value !== null;

/** The lines of a stretch of text that are only a comment. */
const commentLines = (stretch: string): string[] =>
  stretch.split(/\r?\n/).filter((line) => /^\s*#/.test(line));

/** Spans that replace the value at a path. */
export function setValue(draft: EditContext, path: Path, found: FoundNode, value: Data): Span[] {
  const { text, style } = draft;
  const { node, inBrackets } = found;
  const mark = markEnd(found);
  const [from, to] = rangeOf(node);
  if (path.length === 0) refuse(path, node, 'cannot be replaced as a whole');
  if (inBrackets && found.holder !== null && columnOf(found.holder.node) === null) {
    if (isNothing(node) && mark === null) refuse(path, found.holder.node, 'has no value to replace');
    if (hasComment(text.slice(from, to))) refuse(path, node, 'holds comments that would be lost');
    const quoted = { ...style, quote: quoteFor(draft, node) };
    return isNothing(node)
      ? [{ from: mark ?? from, to: mark ?? from, text: ` ${bracketText(value, style)}` }]
      : [{ from, to, text: bracketText(value, quoted) }];
  }
  if (isBlockScalar(node)) return replaceBlockScalar(draft, path, found, value);
  if (isBlock(node)) return replaceBlock(draft, path, found, value);
  if (isCollection(node) && hasComment(text.slice(from, to)))
    refuse(path, node, 'holds comments that would be lost');
  const { first, rest } = isCollectionData(value)
    ? rendered(draft, path, found, value)
    : { first: textInPlaceOf(draft, node, value), rest: [] };
  const lines =
    rest.length === 0
      ? []
      : [linesAt(text, endOfLines(text, isNothing(node) ? (mark ?? to) : to), rest, style.eol)];
  if (isNothing(node)) {
    if (mark === null) refuse(path, node, 'has no place for a value');
    return [...(first === '' ? [] : [{ from: mark ?? 0, to: mark ?? 0, text: ` ${first}` }]), ...lines];
  }
  if (first !== '') return [{ from, to, text: first }, ...lines];
  // The value goes to lines of its own: in place of its line, where it has one, else nothing is left behind the colon.
  if (isFirstOnLine(text, from)) return [{ from: lineStart(text, from), to, text: rest.join(style.eol) }];
  return [{ from: mark ?? from, to, text: '' }, ...lines];
}
