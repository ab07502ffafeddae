// Plans the text edits that add keys to a YAML map or items to a list, or remove some.
import type { YAMLMap, YAMLSeq } from 'yaml';
import type { Data, Path } from '../../../text/data-diff.ts';
import { lineStart, linesAt, type Span } from '../../../text/text-edits.ts';
import { type EditContext, type FoundNode, refuse } from './yaml-draft.ts';
import {
  columnOf,
  dashOf,
  endOfLines,
  entryEnd,
  findOffsetBelow,
  isBlock,
  isCollection,
  isFirstOnLine,
  isMap,
  isNothing,
  isSeq,
  itemEnd,
  rangeOf,
  type YamlEntry,
} from './yaml-nodes.ts';
import { bracketText, itemLines, keyText, renderEntry } from './yaml-render.ts';
import { readPairKey } from './yaml-text.ts';
import { hasComment, setValue } from './yaml-values.ts';

const entriesOf = (node: YAMLMap): YamlEntry[] => node.items as unknown as YamlEntry[];

/** The entry after which each new key goes: the nearest one that customarily precedes it, else the last. */
function placesOf(there: readonly string[], added: readonly string[], order: readonly string[]): number[] {
  const places = new Map<string, number>(there.map((key, index) => [key, index]));
  return added.map((key) => {
    const before = order.slice(0, Math.max(0, order.indexOf(key))).reverse();
    const neighbour = before.find((each) => places.has(each));
    const place = neighbour === undefined ? there.length - 1 : (places.get(neighbour) ?? there.length - 1);
    places.set(key, place);
    return place;
  });
}

/** Whether the author separates sections (entries that are maps or lists in lines) by blank lines. */
function hasBlankLines(text: string, entries: readonly YamlEntry[]): boolean {
  let yes = 0;
  let all = 0;
  entries.forEach((entry, index) => {
    const before = entries[index - 1];
    if (before === undefined || !(isBlock(entry.value) || isBlock(before.value))) return;
    all++;
    const between = text.slice(entryEnd(before), rangeOf(entry.key)[0]);
    if (
      /\n[ \t]*\r?\n/.test(
        isBlock(before.value) && text[entryEnd(before) - 1] === '\n' ? `\n${between}` : between,
      )
    )
      yes++;
  });
  return yes * 2 > all;
}

function addLines(draft: EditContext, path: Path, node: YAMLMap, added: readonly [string, Data][]): Span[] {
  const { text, style } = draft;
  const entries = entriesOf(node);
  const column = columnOf(node) ?? 0;
  const order = draft.order(path);
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const sorted = [...added].sort((a, b) => rank(a[0]) - rank(b[0]));
  const places = placesOf(
    entries.map(readPairKey),
    sorted.map(([key]) => key),
    order,
  );
  const isSpaced = hasBlankLines(text, entries);
  return sorted.map((entry, index) => {
    const neighbour = entries[places[index] ?? 0] as YamlEntry;
    const lines = renderEntry(entry, column, style, path, draft.remarks);
    const isSection = lines.length > 1 || isBlock(neighbour.value);
    return linesAt(
      text,
      findOffsetBelow(text, entryEnd(neighbour), column),
      isSpaced && isSection && lines[0] !== '' ? ['', ...lines] : lines,
      style.eol,
    );
  });
}

/** Inserts after the opening bracket of an empty collection; refused when it holds a comment. */
function inEmptyBrackets(draft: EditContext, path: Path, node: unknown, inner: string): Span[] {
  const [from, to] = rangeOf(node);
  if (hasComment(draft.text.slice(from, to))) refuse(path, node, 'holds comments that would be lost');
  return [{ from: from + 1, to: to - 1, text: inner }];
}

/** Spans that add keys to a map. */
export function addEntries(
  draft: EditContext,
  path: Path,
  found: FoundNode,
  added: readonly [string, Data][],
): Span[] {
  const { node } = found;
  if (path.length === 0 && isNothing(node)) {
    const lines = added.flatMap((entry) => renderEntry(entry, 0, draft.style, path, draft.remarks));
    return [linesAt(draft.text, draft.text.length, lines, draft.style.eol)];
  }
  if (!isMap(node)) return refuse(path, node, 'is no map');
  if (isBlock(node)) return addLines(draft, path, node as YAMLMap, added);
  const inner = added.map(([key, value]) => `${keyText(key)}: ${bracketText(value, draft.style)}`).join(', ');
  if (node.items.length > 0) {
    const end = entryEnd(node.items.at(-1) as unknown as YamlEntry);
    return [{ from: end, to: end, text: `, ${inner}` }];
  }
  if (found.holder !== null && columnOf(found.holder.node) === null)
    return inEmptyBrackets(draft, path, node, inner);
  return setValue(draft, path, { ...found, inBrackets: false }, Object.fromEntries(added));
}

/** Spans that add items at the end of a list. */
export function appendItems(
  draft: EditContext,
  path: Path,
  found: FoundNode,
  items: readonly Data[],
): Span[] {
  const { text, style } = draft;
  const { node } = found;
  if (!isSeq(node)) return refuse(path, node, 'is no list');
  if (isBlock(node)) {
    const column = columnOf(node) ?? 0;
    const lines = items.flatMap((each) => itemLines(each, column, style, path, draft.remarks));
    return [
      linesAt(text, findOffsetBelow(text, itemEnd(node, node.items.length - 1), column), lines, style.eol),
    ];
  }
  const inner = items.map((each) => bracketText(each, style)).join(', ');
  if (node.items.length > 0) {
    const end = itemEnd(node, node.items.length - 1);
    return [{ from: end, to: end, text: `, ${inner}` }];
  }
  if (found.holder !== null && columnOf(found.holder.node) === null)
    return inEmptyBrackets(draft, path, node, inner);
  return setValue(draft, path, { ...found, inBrackets: false }, [...items]);
}

/** The range of a key or item. */
interface Part {
  from: number;
  to: number;
}

function partsOf(node: YAMLMap | YAMLSeq): Part[] {
  if (isMap(node))
    return entriesOf(node).map((entry) => ({ from: rangeOf(entry.key)[0], to: entryEnd(entry) }));
  return node.items.map((item, index) => ({
    from: dashOf(node, index)?.dash ?? rangeOf(item)[0],
    to: itemEnd(node, index),
  }));
}

/** Spans that remove keys or items, with their whole lines if they have their own. */
export function removeParts(
  draft: EditContext,
  path: Path,
  found: FoundNode,
  keys: readonly (string | number)[],
): Span[] {
  const { text } = draft;
  const { node } = found;
  if (!isCollection(node)) return refuse(path, node, 'is no map or list');
  const isGone = (index: number): boolean =>
    isMap(node)
      ? keys.includes(readPairKey(node.items[index] as unknown as YamlEntry))
      : keys.includes(index);
  const parts = partsOf(node);
  const gone = parts.flatMap((part, index) => (isGone(index) ? [{ ...part, index }] : []));
  if (gone.length === parts.length) return refuse(path, node, 'would be left empty');
  if (isBlock(node)) {
    return gone.map(({ from, to }) => {
      if (!isFirstOnLine(text, from)) refuse(path, node, 'begins on the line of something else');
      return { from: lineStart(text, from), to: endOfLines(text, to), text: '' };
    });
  }
  const spans: Span[] = [];
  for (let first = 0; first < parts.length; first++) {
    if (!isGone(first)) continue;
    let last = first;
    while (last + 1 < parts.length && isGone(last + 1)) last++;
    const next = parts[last + 1];
    const span = next
      ? { from: parts[first]?.from ?? 0, to: next.from, text: '' }
      : { from: parts[first - 1]?.to ?? 0, to: parts[last]?.to ?? 0, text: '' };
    if (hasComment(text.slice(span.from, span.to))) refuse(path, node, 'holds comments that would be lost');
    spans.push(span);
    first = last;
  }
  return spans;
}
