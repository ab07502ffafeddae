// Reads a YAML text leniently (data, offsets, faults; never throws), and applies the difference of two renderings to it.

import { diffArrays } from 'diff';
import type { Document, Node, Pair } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq, Lexer, LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Data, DataMap, Path } from '../../../text/json.ts';

// Applies the difference of two rendered YAML texts to the text that a person wrote.
interface Token {
  text: string;
  from: number;
  to: number;
}

/** Texts that differ in more tokens than this are not aligned: the search would take too long. */
const MOST_DIFFERENCES = 2_000;

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}_]+|\S/gu), ({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
  }));

/** For each token of one text its counterpart in the other; null when they have too little in common. */
function alignTokens(one: readonly Token[], other: readonly Token[]): Map<number, number> | null {
  const changes = diffArrays(
    one.map(({ text }) => text),
    other.map(({ text }) => text),
    { maxEditLength: MOST_DIFFERENCES },
  );
  if (changes === undefined) return null;
  const pairs = new Map<number, number>();
  let [i, j] = [0, 0];
  for (const { added, removed, count } of changes) {
    for (let step = 0; step < count && !added && !removed; step++) pairs.set(i + step, j + step);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}

const lead = (gap: string): string => /^\s*/.exec(gap)?.[0] ?? '';
const tail = (gap: string): string => /\s*$/.exec(gap)?.[0] ?? '';

/** A stretch between two tokens that changes: blanks around it stay as the person wrote them, if they are to stay. */
function changeGap(written: string, before: string, after: string, indented: string): string {
  const isBlank = before.trim() === '';
  // A comment that the rendering does not know stays in front of what is new.
  if (isBlank && written.trim() !== '')
    // The same holds for a comma behind the last item.
    return written.trim() === ',' && after.startsWith(',') ? written : written.trimEnd() + indented;
  if (after.trim() === '') return indented;
  const keepsLead = lead(before) === lead(after) && (!isBlank || before.includes('\n'));
  const keepsTail = tail(before) === tail(after);
  return lead(keepsLead ? written : indented) + indented.trim() + tail(keepsTail ? written : indented);
}

/** A column of a rendered text, at some place of it, and the column that it has in the written one. */
interface Column {
  at: number;
  rendered: number;
  written: number;
}

/** The column of a token that only blanks and dashes stand before on its line; null for others and for comments. */
function columnOf(text: string, token: Token): number | null {
  const column = token.from - (token.from === 0 ? 0 : text.lastIndexOf('\n', token.from - 1) + 1);
  return token.text !== '#' && /^[ -]*$/.test(text.slice(token.from - column, token.from)) ? column : null;
}

/** Gives a rendered line the column of its neighbours in the written text, else the distance from what it stands in. */
function columnAt(columns: readonly Column[], at: number, rendered: number): number {
  // A column counts as long as nothing stands further left.
  const isEnd = (each: Column): boolean => each.rendered <= rendered;
  const above = columns.findLast((each) => each.at < at && isEnd(each));
  const below = columns.find((each) => each.at >= at && isEnd(each));
  const beside = [above, below].find((each) => each?.rendered === rendered);
  if (beside !== undefined) return beside.written;
  return above === undefined ? rendered : above.written + rendered - above.rendered;
}

/**
 * The written text with what differs between `before` and `after`, which are rendered alike; everything between tokens
 * that stay (blanks, quotes, comments, line ends) stays as it is written, and new lines are indented as those around them.
 * @returns null when the written text is too different from the rendered one
 */
export function patchText(written: string, before: string, after: string, eol: string): string | null {
  const [mine, old, next] = [tokensOf(written), tokensOf(before), tokensOf(after)];
  const toOld = alignTokens(next, old);
  const toMine = alignTokens(old, mine);
  if (toOld === null || toMine === null) return null;
  const kept = next.flatMap((token, index) => {
    const oldIndex = toOld.get(index) ?? -1;
    const [oldToken, mineToken] = [old[oldIndex], mine[toMine.get(oldIndex) ?? -1]];
    return oldToken === undefined || mineToken === undefined ? [] : { token, oldToken, mineToken };
  });
  const columns = kept.flatMap(({ token, mineToken }): Column[] => {
    const rendered = columnOf(after, token);
    // A bracket behind its key is closed at the column of the key.
    const isBehind = /^[[{]$/.test(token.text);
    const start = written.lastIndexOf('\n', mineToken.from) + 1;
    const own = isBehind ? written.slice(start).search(/[^ -]/) : columnOf(written, mineToken);
    return rendered === null || own === null ? [] : [{ at: token.from, rendered, written: own }];
  });
  /** A stretch of the rendered text with its lines indented as the written ones. */
  const indented = (from: number, to: number): string =>
    after
      .slice(from, to)
      .replace(/\n( *)(?=([^ \n]?))/g, (line: string, pad: string, first: string, index: number) => {
        const at = from + index + line.length;
        if (first === '' && at < to) return eol;
        const column = columnAt(columns, at, pad.length);
        const place = columns.findIndex((each) => each.at >= at);
        if (columns[place]?.at !== at)
          columns.splice(place < 0 ? columns.length : place, 0, {
            at,
            rendered: pad.length,
            written: column,
          });
        return eol + ' '.repeat(column);
      });
  let result = '';
  let [atMine, atOld, atNext] = [0, 0, 0];
  const takeGap = (mineTo: number, oldTo: number, nextTo: number): void => {
    const [rendered, meant] = [before.slice(atOld, oldTo), after.slice(atNext, nextTo)];
    const own = written.slice(atMine, mineTo);
    result += rendered === meant ? own : changeGap(own, rendered, meant, indented(atNext, nextTo));
  };
  for (const { token, oldToken, mineToken } of kept) {
    takeGap(mineToken.from, oldToken.from, token.from);
    result += token.text;
    [atMine, atOld, atNext] = [mineToken.to, oldToken.to, token.to];
  }
  takeGap(written.length, before.length, after.length);
  return result;
}

/** A fault that the parser found. */
export interface YamlFault {
  offset: number;
  message: string;
}

interface YamlPart {
  document: Document.Parsed;
  /** Its data, null when they cannot be read. */
  data: Data;
}

export interface YamlText {
  text: string;
  parts: YamlPart[];
  /** The document with the wanted sections, or null when there is none. */
  main: YamlPart | null;
  faults: YamlFault[];
  /** Line of an offset, counted from 1. */
  lineAt(offset: number): number;
}

/** Deeper than anybody writes; the parser recurses for each level, and would crash the process. */
const DEEPEST = 200;

/** Whether a text nests deeper than we can parse, in brackets or in lines. */
function isTooDeep(text: string): boolean {
  // Each level of lines begins at least one column further right.
  if (new RegExp(`^[ \\t?:-]{${DEEPEST}}`, 'm').test(text)) return true;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

const isDataMap = (value: Data): value is DataMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/ at line \d+.*$/, '') ??
  '';

function dataOf(document: Document.Parsed, faults: YamlFault[]): Data {
  try {
    return (document.toJS() as Data | undefined) ?? null;
  } catch (error) {
    faults.push({ offset: document.range?.[0] ?? 0, message: firstLine(error) });
    return null;
  }
}

/**
 * Reads a text of one or several documents leniently: of a repeated key the last value counts, and merge keys are
 * followed.
 * @param sections the main document is the first that has one of these keys, the first key counting most; else the
 *   first that is a map
 */
export function readYaml(text: string, sections: readonly string[]): YamlText {
  const faults: YamlFault[] = [];
  const counter = new LineCounter();
  let documents: Document.Parsed[] = [];
  if (isTooDeep(text)) faults.push({ offset: 0, message: `Nested deeper than ${DEEPEST} levels` });
  try {
    const parsed = parseAllDocuments(faults.length > 0 ? '' : text, {
      keepSourceTokens: true,
      lineCounter: counter,
      logLevel: 'silent',
      merge: true,
      prettyErrors: false,
      uniqueKeys: false,
    });
    documents = Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    faults.push({ offset: 0, message: firstLine(error) });
  }
  const parts = documents.map((document) => {
    for (const error of document.errors)
      faults.push({ offset: error.pos[0], message: firstLine(error).replace(/"quote/, '" quote') });
    return { document, data: dataOf(document, faults) };
  });
  const maps = parts.filter((part) => isDataMap(part.data));
  const having = (key: string): YamlPart | undefined =>
    maps.find((part) => Object.hasOwn(part.data as DataMap, key));
  const main = sections.map(having).find((part) => part !== undefined) ?? maps[0] ?? parts[0] ?? null;
  return { text, parts, main, faults, lineAt: (offset) => Math.max(1, counter.linePos(offset).line) };
}

export const readPairKey = (pair: Pair): string => {
  const key = pair.key;
  return isScalar(key) ? String(key.value ?? '') : String(key);
};

/** All pairs of a map with this key; the last one counts. */
export const listPairs = (node: unknown, key: string | number): Pair<Node, Node | null>[] =>
  isMap<Node, Node | null>(node)
    ? (node.items as Pair<Node, Node | null>[]).filter((pair) => readPairKey(pair) === String(key))
    : [];

const offsetOf = (node: unknown): number | null => (node as Node | null | undefined)?.range?.[0] ?? null;

/** Offset of a path, or of the nearest existing one above it. Aliases are not followed. */
export function findOffset(part: YamlPart | null, path: Path): number {
  let node: unknown = part?.document.contents ?? null;
  let found = offsetOf(node) ?? 0;
  for (const step of path) {
    if (isAlias(node)) break;
    const pair = listPairs(node, step).at(-1);
    const item = isSeq(node) ? node.items[Number(step)] : undefined;
    const offset = offsetOf(pair?.key) ?? offsetOf(item);
    if (offset === null) break;
    found = offset;
    node = pair?.value ?? item ?? null;
  }
  return found;
}

/** A key that is repeated in a map, with the offsets of all its occurrences. */
interface Repeated {
  /** The keys above it; items of lists are not named. */
  path: string[];
  key: string;
  offsets: number[];
}

/** `<<`, which the parser turns into a symbol. */
const MERGE = /^(?:<<|Symbol\(<<\))$/;

/** Keys that are repeated in any map of a document, except merge keys, which may be. */
export function findRepeatedKeys(part: YamlPart | null): Repeated[] {
  const found: Repeated[] = [];
  if (part === null) return found;
  visit(part.document, {
    Map: (_, node, above) => {
      const offsets = new Map<string, number[]>();
      for (const pair of node.items as Pair[])
        offsets.set(readPairKey(pair), [...(offsets.get(readPairKey(pair)) ?? []), offsetOf(pair.key) ?? 0]);
      const path = above.flatMap((each) => (isPair(each) ? readPairKey(each) : []));
      for (const [key, list] of offsets)
        if (list.length > 1 && !MERGE.test(key)) found.push({ path, key, offsets: list });
    },
  });
  return found;
}
