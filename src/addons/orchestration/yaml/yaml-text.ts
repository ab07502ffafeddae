// Reads a YAML text leniently: its data, the offset of each part, and its faults. Never throws.
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
} from 'yaml';
import type { Data, DataMap, Path } from '../../../text/json.ts';

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
export const pairsOf = (node: unknown, key: string | number): Pair<Node, Node | null>[] =>
  isMap<Node, Node | null>(node)
    ? (node.items as Pair<Node, Node | null>[]).filter((pair) => readPairKey(pair) === String(key))
    : [];

const offsetOf = (node: unknown): number | null => (node as Node | null | undefined)?.range?.[0] ?? null;

/** Offset of a path, or of the nearest existing one above it. Aliases are not followed. */
export function offsetAt(part: YamlPart | null, path: Path): number {
  let node: unknown = part?.document.contents ?? null;
  let found = offsetOf(node) ?? 0;
  for (const step of path) {
    if (isAlias(node)) break;
    const pair = pairsOf(node, step).at(-1);
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
export function repeatedKeys(part: YamlPart | null): Repeated[] {
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
