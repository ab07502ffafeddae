// Sets or removes one key of a TOML text and keeps every other line and every comment. It writes tables with headers
// alone, and changes no inline or dotted ones.
import { parse as parseToml } from 'smol-toml';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { applySpans, detectEol, findLines, type Span } from '../../text/text-edits.ts';
import type { TomlLine } from './toml-text.ts';
import { findLine, formatKey, formatValue, isBelow, readComments, readTomlLines } from './toml-text.ts';

type Table = Record<string, unknown>;
type Path = readonly string[];
type TomlPair = TomlLine & { kind: 'pair' };

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const isSamePath = (a: Path, b: Path): boolean => a.length === b.length && isBelow(a, b);

export function readValueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const part of path) {
    if (!isTable(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Whether two values are equal, whatever kind of objects a parser makes. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (isTable(a) && isTable(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSameValue(each, b[index]));
  return a instanceof Date && b instanceof Date ? a.toISOString() === b.toISOString() : Object.is(a, b);
}

function withValue(table: Table, [name = '', ...rest]: Path, value: unknown): Table {
  const below = table[name];
  return {
    ...table,
    [name]: rest.length === 0 ? value : withValue(isTable(below) ? below : {}, rest, value),
  };
}

/** The table without a key, and without the tables above it that are empty then. */
function withoutValue(table: Table, [name = '', ...rest]: Path): Table {
  const { [name]: below, ...others } = table;
  if (rest.length === 0) return others;
  if (!isTable(below)) return table;
  const left = withoutValue(below, rest);
  return Object.keys(left).length === 0 ? others : { ...table, [name]: left };
}

function refuse(text: string, path: Path, because: string, hint = 'change the file by hand'): PlimsollError {
  const line = findLine(text, path);
  return new PlimsollError('change-refused', `"${formatKey(path)}" ${because}`, { hint, line });
}

/** The new text, if it holds the wanted data and every comment. */
function applyChecked(
  text: string,
  path: Path,
  spans: readonly Span[],
  isWanted: (data: Table) => boolean,
): string {
  let changed = applySpans(text, spans);
  // A text that did not end with a line break still does not.
  if (text !== '' && !text.endsWith('\n') && changed.endsWith('\n'))
    changed = changed.slice(0, -detectEol(changed).length);
  try {
    if (isWanted(parseToml(changed)) && isSameValue(readComments(changed), readComments(text)))
      return changed;
  } catch {
    // The parser refuses it.
  }
  throw refuse(text, path, 'cannot be changed without a change to other lines or comments');
}

const findPair = (lines: readonly TomlLine[], path: Path): TomlPair | undefined =>
  lines.find((line): line is TomlPair => line.kind === 'pair' && isSamePath(line.path, path));

/** @throws PlimsollError `change-refused` where a table above a key is none, or is not written with a header */
function checkTables(text: string, lines: readonly TomlLine[], path: Path): void {
  const data = parseToml(text);
  const hasLine = findPair(lines, path) !== undefined;
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const found = readValueAt(data, above);
    if (found === undefined) return;
    if (!isTable(found))
      throw refuse(
        text,
        above,
        `is a ${Array.isArray(found) ? 'list' : 'value'}, but settings are kept below it`,
        `write it once, as a table [${formatKey(above)}], or take it out; then run this again`,
      );
    const isInline = findPair(lines, above) !== undefined;
    const isDotted = lines.some(
      (line) => line.kind === 'pair' && isBelow(line.path, above) && line.above.length < depth,
    );
    if (!hasLine && (isInline || isDotted))
      throw refuse(
        text,
        above,
        isInline ? 'is an inline table' : 'is written with dotted keys',
        `write it as a table of its own, below a line [${formatKey(above)}], then run this again`,
      );
  }
}

const indentOf = (text: string, line: TomlLine): string => /^[ \t]*/.exec(text.slice(line.from))?.[0] ?? '';

/** Adds a table without entries at the end. */
function addTable(text: string, lines: readonly TomlLine[], path: Path, entries: readonly string[]): Span {
  const isSpaced = text.trim() === '' || lines.at(-1)?.kind === 'blank';
  const table = [`[${formatKey(path)}]`, ...entries];
  return findLines(text, text.length, isSpaced ? table : ['', ...table], detectEol(text));
}

/** Adds a pair to its table: after the last one there, else after its header; a table that is missing comes last. */
function addPair(text: string, lines: readonly TomlLine[], path: Path, written: string): Span {
  const eol = detectEol(text);
  const parent = path.slice(0, -1);
  const pair = `${formatKey(path.slice(-1))} = ${written}`;
  const header = lines.findIndex((line) => line.kind === 'header' && isSamePath(line.path, parent));
  if (header < 0 && parent.length > 0) return addTable(text, lines, parent, [pair]);
  const next = lines.findIndex((line, at) => at > header && line.kind === 'header');
  const block = lines.slice(header + 1, next < 0 ? lines.length : next);
  const last = block.findLast((line) => line.kind === 'pair');
  if (last !== undefined) return findLines(text, last.to, [`${indentOf(text, last)}${pair}`], eol);
  const top = lines[header];
  if (top !== undefined) {
    // Comments right below the header belong to it, unless they reach down to the next one.
    const comments = block.findIndex((line) => line.kind !== 'comment');
    const own = comments < 0 ? (next < 0 ? block : []) : block.slice(0, comments);
    return findLines(text, (own.at(-1) ?? top).to, [`${indentOf(text, top)}${pair}`], eol);
  }
  if (next < 0) return findLines(text, text.length, [pair], eol);
  // Above the first header, with a blank line between; comments at the very top are the file's own.
  const first = block.findLastIndex((line) => line.kind !== 'comment') + 1;
  return findLines(text, lines[first === 0 ? next : first]?.from ?? 0, [pair, ''], eol);
}

/** Sets a table entry by entry. */
function setTable(text: string, path: Path, old: Table | undefined, value: Table): string {
  const withTable = (given: string): string =>
    applySpans(given, [addTable(given, readTomlLines(given), path, [])]);
  let changed = old === undefined ? withTable(text) : text;
  for (const [name, each] of Object.entries(value)) changed = setKey(changed, [...path, name], each);
  for (const name of Object.keys(old ?? {}))
    if (!Object.hasOwn(value, name)) changed = unsetKey(changed, [...path, name]);
  return readValueAt(parseToml(changed), path) === undefined ? withTable(changed) : changed;
}

/**
 * The text with a key set: an existing value is replaced in place, a new one is put after its neighbours.
 * @param literal the value as the user wrote it, to be kept in that form
 * @throws PlimsollError `change-refused`, and what the parser throws on a text that is no TOML
 */
export function setKey(text: string, path: Path, value: unknown, literal?: string): string {
  if (text.startsWith('\uFEFF')) return `\uFEFF${setKey(text.slice(1), path, value, literal)}`;
  const data: Table = parseToml(text);
  const old = readValueAt(data, path);
  if (isSameValue(old, value)) return text;
  const lines = readTomlLines(text);
  checkTables(text, lines, path);
  const pair = findPair(lines, path);
  const written = literal ?? formatValue(value);
  const isWanted = (found: Table): boolean => isSameValue(found, withValue(data, path, value));
  if (pair !== undefined) {
    const eol = detectEol(text);
    const moved = pair.inside.map((comment) => `${indentOf(text, pair)}${comment}${eol}`).join('');
    return applyChecked(
      text,
      path,
      [
        { from: pair.from, to: pair.from, text: moved },
        { ...pair.value, text: written },
      ],
      isWanted,
    );
  }
  if (Array.isArray(old)) throw refuse(text, path, 'is a list of tables with headers of their own');
  if (isTable(value) && (old === undefined || isTable(old))) return setTable(text, path, old, value);
  if (old !== undefined)
    throw refuse(
      text,
      path,
      'is a table, but a value is wanted',
      `take the table out first: plimsoll config unset ${formatKey(path)}`,
    );
  return applyChecked(text, path, [addPair(text, lines, path, written)], isWanted);
}

/** Removes a line; its comments stay on lines of their own. */
function removeLine(text: string, lines: readonly TomlLine[], line: TomlLine): Span {
  const comments = 'comment' in line && line.comment !== null ? [line.comment] : [];
  if (line.kind === 'pair') comments.unshift(...line.inside);
  const index = lines.indexOf(line);
  const next = lines[index + 1];
  // Of the blank lines around a line on its own, one stays.
  const isAlone = (index === 0 || lines[index - 1]?.kind === 'blank') && next?.kind === 'blank';
  const to = comments.length === 0 && isAlone ? next.to : line.to;
  const start = indentOf(text, line);
  return { from: line.from, to, text: comments.map((each) => `${start}${each}${detectEol(text)}`).join('') };
}

/** Removes a pair, with its table if that holds nothing else, not even a comment. */
function removePair(text: string, lines: readonly TomlLine[], pair: TomlPair): Span {
  const index = lines.indexOf(pair);
  const header = lines.findLastIndex((line, at) => at < index && line.kind === 'header');
  const [above, top] = [lines[header - 1], lines[header]];
  const next = lines.findIndex((line, at) => at > index && line.kind === 'header');
  const block = lines.slice(header + 1, next < 0 ? lines.length : next);
  const isLone =
    [top, pair].every((line) => line !== undefined && 'comment' in line && line.comment === null) &&
    pair.inside.length === 0 &&
    !(top?.kind === 'header' && top.isArray) &&
    above?.kind !== 'comment' &&
    block.every((line) => line === pair || line.kind === 'blank');
  if (!isLone || top === undefined) return removeLine(text, lines, pair);
  // The blank line above goes too, when another one or the end follows.
  const isSpaced = index + 1 >= lines.length || lines[index + 1]?.kind === 'blank';
  return { from: isSpaced && above?.kind === 'blank' ? above.from : top.from, to: pair.to, text: '' };
}

/**
 * The text without a key. Comments beside it stay, on lines of their own; a table that is then empty, even of comments,
 * goes too.
 * @throws PlimsollError `change-refused`, and what the parser throws on a text that is no TOML
 */
export function unsetKey(text: string, path: Path): string {
  if (text.startsWith('\uFEFF')) return `\uFEFF${unsetKey(text.slice(1), path)}`;
  const old = readValueAt(parseToml(text), path);
  if (old === undefined) return text;
  const lines = readTomlLines(text);
  const pair = findPair(lines, path);
  let spans: Span[];
  let before = text;
  if (pair !== undefined) spans = [removePair(text, lines, pair)];
  else {
    checkTables(text, lines, path);
    if (!isTable(old)) throw refuse(text, path, 'is a list of tables with headers of their own');
    for (const name of Object.keys(old)) before = unsetKey(before, [...path, name]);
    const left = readTomlLines(before);
    spans = left
      .filter((line) => line.kind === 'header' && isBelow(line.path, path))
      .map((line) => removeLine(before, left, line));
  }
  if (spans.length === 0) return before;
  // A table above it that is empty now may stand there still, or not.
  const isWanted = (found: Table): boolean =>
    readValueAt(found, path) === undefined &&
    isSameValue(withoutValue(found, path), withoutValue(parseToml(before), path));
  return applyChecked(before, path, spans, isWanted);
}
