// Gives the nodes of a parsed YAML document other data; comments stay with their nodes, or move to the next one.
import { diffArrays } from 'diff';
import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import type { Data, DataMap, Path } from '../../../text/json.ts';
import { isMap as isDataMap, isSameData, own } from '../../../text/json.ts';
import { refuseChange } from '../state/section.ts';
import { listPairs, readPairKey } from './yaml-text.ts';

export interface NodeOptions {
  /** The customary order of the keys of a map. */
  order: (path: Path) => readonly string[];
  /** Comments for a new key: lines above it, words beside it. */
  remarks: (path: Path) => { above?: readonly string[]; beside?: string } | undefined;
}

interface EditContext extends NodeOptions {
  text: string;
  lineOf: (node: Node) => number;
  /** The comments beside and in what is removed, which go with it. */
  dropped: string[];
  /** The comments of new keys. */
  added: string[];
}

export type Entry = Pair<Node, Node | null>;
type Holder = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

/** Longer lists in brackets are hard to read, so they are written with one item per line. */
const WIDEST = 100;
/** Texts that no parser of any version takes for something else when they stand without quotes. */
const PLAIN =
  /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[\p{L}_](?:[\p{L}\p{N} _.,/()+-]*[\p{L}\p{N}_.)])?$/iu;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Texts that only double quotes can hold. */
const UNPRINTABLE = /[^\P{C}\n]|\u2028|\u2029/u;

/** How a text is written: as the one that it replaces, if that way can hold it, else in double quotes. */
function textType(text: string, old: Scalar): Scalar.Type {
  const type = old.type ?? Scalar.QUOTE_DOUBLE;
  // Some parsers take an unquoted time for a date, so it is replaced by one.
  const isTime = TIME.test(text) && TIME.test(String(old.value));
  const fits =
    type === Scalar.PLAIN
      ? PLAIN.test(text) || isTime
      : type === Scalar.QUOTE_SINGLE
        ? !text.includes('\n')
        : text !== '' && !/^\s|\n\n$/.test(text) && !/^[ \t]+$/m.test(text);
  if (!fits || UNPRINTABLE.test(text)) return Scalar.QUOTE_DOUBLE;
  return type === Scalar.BLOCK_FOLDED && /\n./.test(text) ? Scalar.BLOCK_LITERAL : type;
}

function createPair(key: string, value: Data, path: Path, context: EditContext): Entry {
  const pair: Entry = new Pair(new Scalar(key) as Node, createNode(value, path, context));
  (pair.key as Scalar).type = PLAIN.test(key) && !/[ ,()+]/.test(key) ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
  const { above = [], beside } = context.remarks(path) ?? {};
  pair.key.spaceBefore = above[0] === '';
  pair.key.commentBefore = joinComments(above.map((line) => line.slice(1)));
  if (beside !== undefined && pair.value !== null) pair.value.comment = ` ${beside}`;
  context.added.push(...above, ...(beside === undefined ? [] : [`# ${beside}`]));
  return pair;
}

function createNode(value: Data, path: Path, context: EditContext, old: Node | null = null): Node {
  if (Array.isArray(value)) {
    const list = new YAMLSeq<Node>();
    list.items = value.map((each) => createNode(each, [...path, 0], context));
    list.flow = list.items.every(isScalar) && JSON.stringify(value).length <= WIDEST;
    return list;
  }
  if (isDataMap(value)) {
    const map = new YAMLMap<Node, Node | null>();
    map.items = Object.entries(value).map(([key, each]) => createPair(key, each, [...path, key], context));
    map.flow = map.items.length === 0;
    return map;
  }
  const scalar = new Scalar(value);
  if (typeof value === 'string')
    scalar.type = isScalar(old) && typeof old.value === 'string' ? textType(value, old) : Scalar.QUOTE_DOUBLE;
  return scalar;
}

const joinComments = (comments: readonly (string | null | undefined)[]): string | null =>
  comments.filter(Boolean).join('\n') || null;

/** All comment lines in a node, without their `#`. */
function commentsIn(part: Node | Entry): string[] {
  const found: string[] = [];
  visit(part as Node, {
    Node: (_, node) => void found.push(...`${node.commentBefore ?? ''}\n${node.comment ?? ''}`.split('\n')),
  });
  return found.filter((line) => line !== '');
}

/** A new node in place of an old one, with its comments. */
function replaceNode(old: Node | null, value: Data, path: Path, context: EditContext): Node {
  const node = createNode(value, path, context, old);
  if (old === null) return node;
  node.spaceBefore = old.spaceBefore ?? false;
  const inner = isCollection(old) ? (old.items as (Node | Entry)[]).flatMap(commentsIn) : [];
  // Beside a value in lines there is no place for a comment.
  const isBeside = !isCollection(node) || node.flow === true;
  node.commentBefore = joinComments([old.commentBefore, ...inner, isBeside ? null : old.comment]);
  node.comment = isBeside ? (old.comment ?? null) : null;
  return node;
}

/** Prepares a collection for what comes in: an empty one is no longer written in brackets. */
function openBrackets(holder: Holder, flow: boolean): void {
  if (holder.items.length > 0) return;
  holder.flow = flow;
  if (flow) return;
  holder.commentBefore = joinComments([holder.commentBefore, holder.comment]);
  holder.comment = null;
}

/** Takes the comments out of a part that do not stand beside what it says, but on lines around it. */
function takeAround(part: Node | Entry | null | undefined, context: EditContext): string[] {
  const node = isPair(part) ? part.value : part;
  const lines = node?.comment?.split('\n') ?? [];
  if (node === null || node === undefined) return [];
  if (isCollection(node) && !node.flow) {
    node.comment = null;
    return [...takeAround(node.items.at(-1) as Node | Entry | undefined, context), ...lines];
  }
  // Around an empty item in a list, the parser puts them all into one: those above, beside and below it.
  const beside = /^[ \t]*,?[ \t]*#(.*)/.exec(context.text.slice(node.range?.[1] ?? 0))?.[1];
  const at = beside === undefined ? -1 : lines.findIndex((line) => line.trimEnd() === beside.trimEnd());
  node.comment = at < 0 ? null : (lines.splice(at, 1)[0] ?? null);
  return lines;
}

/** Removes a key or item; comments above and below it move to what follows. */
function removePart(holder: Holder, index: number, context: EditContext): void {
  const headAt = (at: number): Node | null => {
    const part = holder.items[at];
    return isPair(part) ? part.key : (part ?? null);
  };
  const part = holder.items[index] as Node | Entry;
  const head = headAt(index);
  const around = [head?.commentBefore, ...takeAround(part, context)];
  if (head !== null) head.commentBefore = null;
  const next = headAt(index + 1);
  if (next !== null) {
    next.commentBefore = joinComments([...around, next.commentBefore]);
    if (head?.spaceBefore) next.spaceBefore = true;
  } else holder.comment = joinComments([...around, holder.comment]);
  context.dropped.push(...commentsIn(part).map((line) => `#${line}`));
  holder.items.splice(index, 1);
  if (holder.items.length === 0) holder.flow = true;
}

const isInLines = ({ value }: Entry): boolean => isCollection(value) && !value.flow && value.items.length > 0;

/** Adds a key at its customary place, below a blank line where the sections of the map have one. */
function addPair(map: YAMLMap<Node, Node | null>, pair: Entry, order: readonly string[]): void {
  openBrackets(map, false);
  const keys = map.items.map(readPairKey);
  const before = order.slice(0, Math.max(0, order.indexOf(readPairKey(pair))));
  const place = keys.indexOf(before.findLast((key) => keys.includes(key)) ?? keys.at(-1) ?? '') + 1;
  const above = map.items[place - 1];
  if ((isInLines(pair) || (above && isInLines(above))) && map.items.some(({ key }) => key.spaceBefore))
    pair.key.spaceBefore = true;
  map.items.splice(place, 0, pair);
}

function updateMap(
  map: YAMLMap<Node, Node | null>,
  before: DataMap,
  after: DataMap,
  path: Path,
  context: EditContext,
): void {
  const order = context.order(path);
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const keys = new Set([...Object.keys(before), ...Object.keys(after).sort((a, b) => rank(a) - rank(b))]);
  for (const key of keys) {
    const [was, is] = [own(before, key), own(after, key)];
    if (isSameData(was, is)) continue;
    const here = [...path, key];
    const [pair, again] = listPairs(map, key);
    if (again !== undefined)
      throw refuseChange(
        `"${here.join('.')}" stands twice (lines ${listPairs(map, key)
          .map((each) => context.lineOf(each.key))
          .join(' and ')}), and readers disagree on which one counts`,
        here,
        'merge the two into one by hand, then run this again',
      );
    if (pair !== undefined && is !== undefined)
      pair.value = updateNode(pair.value, was ?? null, is, here, context);
    else if (pair !== undefined) removePart(map, map.items.indexOf(pair), context);
    else if (is !== undefined) addPair(map, createPair(key, is, here, context), order);
    else
      throw refuseChange(
        `"${here.join('.')}" is not written in the file itself`,
        here,
        'it comes from a merge key (<<): write it out where it is used',
      );
  }
}

function updateList(
  list: YAMLSeq<Node>,
  before: Data[],
  after: Data[],
  path: Path,
  context: EditContext,
): void {
  let [at, from, stale] = [0, 0, 0];
  const dropStale = (): void => {
    for (; stale > 0; stale--, from++) removePart(list, at, context);
  };
  for (const { added, removed, count, value } of diffArrays(before, after, { comparator: isSameData })) {
    if (removed) stale = count;
    if (removed || added) {
      for (const each of removed ? [] : value) {
        // What comes in place of something takes over its comments.
        if (stale > 0) {
          list.items[at] = updateNode(
            list.items[at] ?? null,
            before[from++] ?? null,
            each,
            [...path, at],
            context,
          ) as Node;
          stale--;
        } else {
          const { flow = false, items } = createNode([each], path, context) as YAMLSeq<Node>;
          openBrackets(list, flow);
          list.items.splice(at, 0, ...items);
        }
        at++;
      }
      continue;
    }
    dropStale();
    at += count;
    from += count;
  }
  dropStale();
}

/** The node with other data: the same one where it is a map or list before and after, else a new one. */
export function updateNode(
  node: Node | null,
  before: Data,
  after: Data,
  path: Path,
  context: EditContext,
): Node | null {
  if (isSameData(before, after)) return node;
  const isMapStill = isDataMap(before) && isDataMap(after);
  const isListStill = Array.isArray(before) && Array.isArray(after);
  if (isAlias(node) && (isMapStill || isListStill))
    throw refuseChange(
      `"${path.join('.')}" is an alias (*${node.source}): a change would change what it points to`,
      path,
      'write the values out here in place of the alias',
    );
  if (isMap<Node, Node | null>(node) && isMapStill) updateMap(node, before, after, path, context);
  else if (isSeq<Node>(node) && isListStill) updateList(node, before, after, path, context);
  else return replaceNode(node, after, path, context);
  return node;
}
