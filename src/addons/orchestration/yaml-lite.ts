// Reads maps, lists and values of a YAML file by indentation, without a parser; the odd rest is left out.
// A full parser costs a hook more than its whole budget; this one answers "nothing" where it does not understand.
import {
  foldLines,
  isSafe,
  NODE_PROPERTIES,
  type Outline,
  parseKeyLine,
  readBrackets,
  readQuotedText,
  readScalar,
  trim,
  trimEnd,
  trimStart,
  withoutComment,
} from './yaml-lite-values.ts';

export type { Outline } from './yaml-lite-values.ts';

/** A line with something on it. */
interface Row {
  indent: number;
  text: string;
  /** Its position among all lines. */
  line: number;
}

/** One document: all of its lines, and those that matter, which are no comments and not blank. */
interface Sheet {
  lines: readonly string[];
  rows: Row[];
}

interface Parsed {
  value: Outline;
  /** The row behind it. */
  next: number;
}

const indentOf = (line: string): number => line.length - trimStart(line).length;
const isItem = (text: string): boolean => /^-(?:[ \t]|$)/.test(text);
/** Lists in lists on one line, deeper than anybody writes. */
const TOO_DEEP = /^(?:-[ \t]+){20}/;

/** The first row from one on that stands on a line or below it. */
function rowFrom(rows: readonly Row[], from: number, line: number): number {
  let at = from;
  while (at < rows.length && (rows[at]?.line ?? line) < line) at++;
  return at;
}

/** The row behind all those that are indented deeper. */
function behind(rows: readonly Row[], from: number, indent: number): number {
  let at = from;
  while (at < rows.length && (rows[at]?.indent ?? 0) > indent) at++;
  return at;
}

/** Lines below `>`: those that begin with blanks stay by themselves. */
const foldedBlock = (text: string): string =>
  text.replace(/(?<=(?:^|\n)(?![ \t])[^\n]*)\n(\n*)(?![ \t\n])/g, (_, empty: string) => empty || ' ');

/** The text below `|` or `>`, to the first line that is not indented deeper; a number behind the mark is its indentation. */
function blockAt({ lines, rows }: Sheet, at: number, indent: number, mark: string): Parsed {
  const from = (rows[at]?.line ?? 0) + 1;
  let end = from;
  while (end < lines.length && (trim(lines[end] ?? '') === '' || indentOf(lines[end] ?? '') > indent)) end++;
  const body = lines.slice(from, end);
  const given = /\d/.exec(mark)?.[0];
  const margin =
    given === undefined
      ? indentOf(body.find((each) => trim(each) !== '') ?? '')
      : Math.max(0, indent) + Number(given);
  const text = body.map((each) => trimEnd(each.slice(Math.min(margin, indentOf(each))))).join('\n');
  return {
    value: (mark.startsWith('|') ? text : foldedBlock(trimEnd(text))).replace(/\n+$/, ''),
    next: rowFrom(rows, at + 1, end),
  };
}

/** All lines of a value that begins on a row: what is not indented deeper belongs to something else. */
function linesOf(
  { lines, rows }: Sheet,
  at: number,
  indent: number,
  first: string,
  closing = /(?!)/,
): { texts: string[]; next: number } {
  const from = (rows[at]?.line ?? 0) + 1;
  let end = from;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (trim(line) !== '' && indentOf(line) <= indent && !closing.test(line)) break;
    end++;
  }
  const more = lines.slice(from, end).map(trim);
  return { texts: [first, ...more], next: rowFrom(rows, at + 1, end) };
}

/** A text without quotes, with the lines that it goes on over. */
function plainText(texts: readonly string[]): Outline {
  const [first = '', ...more] = texts.filter((text) => !text.startsWith('#'));
  const odd = more.findIndex((text) => parseKeyLine(text) !== null);
  const lines = [first, ...(odd < 0 ? more : more.slice(0, odd))].map(withoutComment);
  const text = foldLines(trimEnd(lines.join('\n')));
  return text === lines[0] ? readScalar(text) : text;
}

/** What stands behind a key or a dash: on its own line, or below it. `indent` is that of the key or dash. */
function valueAt(sheet: Sheet, at: number, indent: number, rest: string, isOfKey: boolean): Parsed {
  const { rows } = sheet;
  const text = rest.replace(NODE_PROPERTIES, '');
  const mark = /^[|>][-+\d]*(?=[ \t]|$)/.exec(text)?.[0];
  if (mark !== undefined) return blockAt(sheet, at, indent, mark);
  if (/^["']/.test(text)) {
    const { texts, next } = linesOf(sheet, at, indent, text);
    return { value: readQuotedText(texts.join('\n')), next };
  }
  if (/^[[{]/.test(text)) {
    const { texts, next } = linesOf(sheet, at, indent, text, /^[ \t]*[\]}]/);
    return { value: readBrackets(texts.join('\n')), next };
  }
  if (text.startsWith('*')) return { value: null, next: behind(rows, at + 1, indent) };
  if (withoutComment(text) !== '') {
    const { texts, next } = linesOf(sheet, at, indent, text);
    return { value: plainText(texts), next };
  }
  const below = rows[at + 1];
  const isBelow =
    below !== undefined &&
    (below.indent > indent || (isOfKey && below.indent === indent && isItem(below.text)));
  return isBelow ? parse(sheet, at + 1, indent) : { value: null, next: at + 1 };
}

/** The lines from one on: a list, a map, or a value on a line of its own. */
function parse(sheet: Sheet, from: number, above: number): Parsed {
  const { rows } = sheet;
  const { indent, text } = rows[from] ?? { indent: 0, text: '' };
  if (isItem(text)) return parseList(sheet, from, indent);
  // What is odd may come first.
  const isMap =
    parseKeyLine(text) !== null ||
    (!/^["'[{|>]/.test(text) &&
      rows
        .slice(from + 1, behind(rows, from, above))
        .some((row) => row.indent === indent && parseKeyLine(row.text) !== null));
  return isMap ? parseMap(sheet, from, indent) : valueAt(sheet, from, above, text, false);
}

function parseList(sheet: Sheet, from: number, indent: number): Parsed {
  const { rows } = sheet;
  const list: Outline[] = [];
  let at = from;
  for (let row = rows[at]; row?.indent === indent && isItem(row.text); row = rows[at]) {
    const rest = trimStart(row.text.slice(1));
    const inner = indent + (row.text.length - rest.length);
    const isList = isItem(rest) && !TOO_DEEP.test(rest);
    // The item's first key, or its first dash, stands on the row of its dash: from here on the row is that one.
    const isNested = isList || parseKeyLine(rest) !== null;
    if (isNested) rows[at] = { ...row, indent: inner, text: rest };
    const parsed = isNested
      ? (isList ? parseList : parseMap)(sheet, at, inner)
      : valueAt(sheet, at, indent, rest, false);
    list.push(parsed.value);
    at = parsed.next;
  }
  return { value: list, next: at };
}

function parseMap(sheet: Sheet, from: number, indent: number): Parsed {
  const { rows } = sheet;
  const map: { [key: string]: Outline } = {};
  let at = from;
  for (let row = rows[at]; row !== undefined && row.indent >= indent; row = rows[at]) {
    const found = row.indent === indent ? parseKeyLine(row.text) : null;
    if (found === null) {
      at++; // not understood: left out
      continue;
    }
    const { value, next } = valueAt(sheet, at, indent, found.rest, true);
    at = next;
    if (isSafe(found.key) && !(Object.hasOwn(map, found.key) && value === null)) map[found.key] = value;
  }
  return { value: map, next: at };
}

/** Tabs at the beginning of a line as two columns each: what was meant, where YAML allows none. */
const withoutTabs = (line: string): string =>
  line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '));

/** The documents of a file, without BOM and CR. */
function sheetsOf(source: string): Sheet[] {
  const documents: string[][] = [[]];
  for (const line of source.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^(?:---|\.\.\.)(?:[ \t]|$)/.test(line)) documents.push([]);
    else documents.at(-1)?.push(line.includes('\t') ? withoutTabs(line) : line);
  }
  return documents.map((lines) => ({
    lines,
    rows: lines.flatMap((line, at) =>
      /^[ \t]*(?:#|$)/.test(line) ? [] : [{ indent: indentOf(line), text: trim(line), line: at }],
    ),
  }));
}

function sectionsIn(sheet: Sheet, sections: readonly string[]): Record<string, Outline> {
  const result: Record<string, Outline> = {};
  if (sheet.rows[0]?.text.startsWith('{')) {
    const { value } = valueAt(sheet, 0, -1, sheet.rows[0].text, false);
    for (const [key, each] of Object.entries(value ?? {})) if (sections.includes(key)) result[key] = each;
    return result;
  }
  sheet.rows.forEach((row, at) => {
    const found = row.indent === 0 ? parseKeyLine(row.text) : null;
    if (found !== null && sections.includes(found.key))
      result[found.key] = valueAt(sheet, at, 0, found.rest, true).value;
  });
  return result;
}

/**
 * The top-level sections named, of a YAML text; sections that are missing or not understood are left out. Of several
 * documents the first that has one of the sections counts, the first name most. A section that stands twice counts as it
 * stands last, as lenient parsers read it. Never throws.
 */
export function readOutline(source: string, sections: readonly string[]): Record<string, Outline> {
  const found = sheetsOf(source).map((sheet) => sectionsIn(sheet, sections));
  const main = sections.map((name) => found.find((each) => Object.hasOwn(each, name)));
  return main.find((each) => each !== undefined) ?? {};
}
