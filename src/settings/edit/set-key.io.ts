// Sets or removes one key of a TOML text and keeps every other line and every comment.

import { parse as parseToml } from 'smol-toml';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { applySpans, detectEol, type Span } from '../../text/text-edits.ts';
import { isTable, type Table } from '../layers.io.ts';
import { insertions } from './edit-insert.io.ts';
import { commentsOf, isBelow, lineOf, type TomlLine, type TomlPair, tomlLines } from './toml-lines.ts';
import { isSameValue, pairAt, replacing, samePath, type TomlLocation, valueAt } from './toml-location.io.ts';
import { pathText, valueText } from './toml-value.ts';

/** Removes a line; its comments stay on lines of their own. */
function withoutLine(text: string, lines: readonly TomlLine[], index: number): Span {
  const line = lines[index];
  if (line === undefined || line.kind === 'blank' || line.kind === 'comment') throw new Error('No such line');
  const eol = detectEol(text);
  const indent = /^[ \t]*/.exec(text.slice(line.from))?.[0] ?? '';
  const inside = line.kind === 'pair' ? line.pair.comments : [];
  const comments = line.comment === null ? inside : [...inside, line.comment];
  const { from } = line;
  let { to } = line;
  // Of the blank lines around a line on its own, one stays.
  const isAlone = (index === 0 || lines[index - 1]?.kind === 'blank') && lines[index + 1]?.kind === 'blank';
  if (comments.length === 0 && isAlone) to = lines[index + 1]?.to ?? to;
  return { from, to, text: comments.map((comment) => `${indent}${comment}${eol}`).join('') };
}

/** The header of the table in which a line is alone; null when a comment belongs to that table. */
function loneHeader(lines: readonly TomlLine[], index: number): number | null {
  const header = lines.findLastIndex((line, at) => at < index && line.kind === 'header');
  const line = lines[header];
  if (line?.kind !== 'header' || line.isArray || line.comment !== null) return null;
  if (lines[header - 1]?.kind === 'comment') return null;
  const next = lines.findIndex((each, at) => at > header && each.kind === 'header');
  const block = lines.slice(header + 1, next < 0 ? lines.length : next);
  return block.every((each) => each.kind === 'blank' || each === lines[index]) ? header : null;
}

function* fromLine(text: string, lines: readonly TomlLine[], index: number): Generator<readonly Span[]> {
  const line = lines[index];
  const header = loneHeader(lines, index);
  const top = header === null ? undefined : lines[header];
  const hasComments = line?.kind === 'pair' && (line.comment !== null || line.pair.comments.length > 0);
  if (header !== null && top !== undefined && line !== undefined && !hasComments) {
    // Removes the blank line above too, when another one or the end follows.
    const isSpaced = index + 1 >= lines.length || lines[index + 1]?.kind === 'blank';
    const above = lines[header - 1];
    const from = isSpaced && above?.kind === 'blank' ? above.from : top.from;
    yield [{ from, to: line.to, text: '' }];
  }
  yield [withoutLine(text, lines, index)];
}

/** Removes an entry of an inline table with the comma beside it. */
function* fromInline(text: string, { around, pair }: TomlLocation): Generator<readonly Span[]> {
  const entries = around.at(-1)?.entries ?? [];
  const at = entries.indexOf(pair);
  const [before, after] = [entries[at - 1], entries[at + 1]];
  if (before !== undefined) yield [{ from: before.value.to, to: pair.value.to, text: '' }];
  if (after !== undefined) yield [{ from: pair.from, to: after.from, text: '' }];
  const comma = /^\s*,/.exec(text.slice(pair.value.to))?.[0].length ?? 0;
  yield [{ from: pair.from, to: pair.value.to + comma, text: '' }];
}

/** The text of an inline table's entries without one of them. */
const remaining = (text: string, table: TomlPair, without: TomlPair): string =>
  (table.entries ?? [])
    .filter((each) => each !== without)
    .map((each) => text.slice(each.from, each.value.to))
    .join(', ');

/** The ways to remove a key, or the headers of an otherwise empty table. */
function* removals(
  text: string,
  lines: readonly TomlLine[],
  path: readonly string[],
): Generator<readonly Span[]> {
  const place = pairAt(lines, path);
  if (place === null) {
    const headers = lines.flatMap((line, index) =>
      line.kind === 'header' && isBelow(line.path, path) ? [index] : [],
    );
    yield headers.map((index) => withoutLine(text, lines, index));
    return;
  }
  // An inline table that holds nothing else goes as a whole.
  let { pair } = place;
  const around = [...place.around];
  while (around.length > 0 && around.at(-1)?.entries?.length === 1) pair = around.pop() ?? pair;
  const line = lines[place.line];
  const table = around.at(-1);
  if (table === undefined) {
    yield* fromLine(text, lines, place.line);
    return;
  }
  yield* fromInline(text, { ...place, around, pair });
  if (line !== undefined)
    yield replacing(text, line, table, `{ ${remaining(text, table, pair)} }`, detectEol(text));
}

function withValue(table: Table, [name = '', ...rest]: readonly string[], value: unknown): Table {
  const below = table[name];
  return {
    ...table,
    [name]: rest.length === 0 ? value : withValue(isTable(below) ? below : {}, rest, value),
  };
}

/** The table without a key; tables above it that become empty go too. */
function withoutValue(table: Table, [name = '', ...rest]: readonly string[]): Table {
  const { [name]: below, ...others } = table;
  if (rest.length === 0 || !isTable(below)) return rest.length === 0 ? others : table;
  const left = withoutValue(below, rest);
  return Object.keys(left).length === 0 ? others : { ...table, [name]: left };
}

/** The first of several ways to change a text that gives the wanted data and loses no comment. */
function firstSound(
  text: string,
  ways: Iterable<readonly Span[]>,
  isWanted: (data: Table) => boolean,
): string | null {
  const comments = commentsOf(text);
  for (const spans of ways) {
    let changed = applySpans(text, spans);
    // A text that did not end with a line break still does not.
    if (text !== '' && !text.endsWith('\n') && changed.endsWith('\n'))
      changed = changed.slice(0, -detectEol(changed).length);
    try {
      if (isWanted(parseToml(changed)) && isSameValue(commentsOf(changed), comments)) return changed;
    } catch {
      // the parser refuses this way
    }
  }
  return null;
}

const refused = (text: string, path: readonly string[], doing: string): PlimsollError =>
  new PlimsollError(
    'change-refused',
    `"${pathText(path)}" cannot be ${doing} without a change to other lines or comments`,
    { hint: 'change the file by hand', line: lineOf(text, path) },
  );

/** Sets a table that is spread over lines, entry by entry. */
function setEntries(text: string, path: readonly string[], old: Table, value: Table): string {
  let changed = text;
  for (const [name, each] of Object.entries(value)) changed = setIn(changed, [...path, name], each);
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(value, name)) changed = unsetIn(changed, [...path, name]);
  }
  const left = valueAt(parseToml(changed), path);
  return isSameValue(left, value) ? changed : setIn(changed, path, value);
}

/**
 * The text with a key set: an existing value is replaced in place, a new one is put after its neighbours.
 * @param literal the value as the user wrote it, to be kept in that form
 * @throws PlimsollError `change-refused`, and what the parser throws on a text that is no TOML
 */
export function setIn(text: string, path: readonly string[], value: unknown, literal?: string): string {
  if (text.startsWith('\uFEFF')) return `\uFEFF${setIn(text.slice(1), path, value, literal)}`;
  const data: Table = parseToml(text);
  const old = valueAt(data, path);
  if (isSameValue(old, value)) return text;
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const found = valueAt(data, above);
    if (found !== undefined && !isTable(found))
      throw new PlimsollError(
        'change-refused',
        `"${pathText(above)}" is a value, but settings are kept below it`,
        { hint: 'take that line out or rename it', line: lineOf(text, above) },
      );
  }
  const lines = tomlLines(text);
  const place = pairAt(lines, path);
  if (place === null && isTable(old) && isTable(value) && !Array.isArray(old))
    return setEntries(text, path, old, value);
  if (place === null && Array.isArray(old))
    throw new PlimsollError(
      'change-refused',
      `"${pathText(path)}" is a list of tables with headers of their own`,
      { hint: 'change the file by hand', line: lineOf(text, path) },
    );
  if (place === null && old !== undefined)
    throw new PlimsollError('change-refused', `"${pathText(path)}" is a table, but a value is wanted`, {
      hint: `take the table out first: plimsoll config unset ${pathText(path)}`,
      line: lineOf(text, path),
    });
  const written = literal ?? valueText(value);
  const changed = firstSound(text, insertions(text, lines, path, written, place), (found) =>
    isSameValue(found, withValue(data, path, value)),
  );
  if (changed === null) throw refused(text, path, 'set');
  return changed;
}

/**
 * The text without a key. Comments beside it stay, on lines of their own; a table that is then empty, even of comments,
 * goes too.
 * @throws PlimsollError `change-refused`, and what the parser throws on a text that is no TOML
 */
export function unsetIn(text: string, path: readonly string[]): string {
  if (text.startsWith('\uFEFF')) return `\uFEFF${unsetIn(text.slice(1), path)}`;
  const data: Table = parseToml(text);
  const old = valueAt(data, path);
  if (old === undefined) return text;
  const lines = tomlLines(text);
  const place = pairAt(lines, path);
  if (place === null) {
    if (
      !isTable(old) ||
      lines.some((line) => line.kind === 'header' && line.isArray && samePath(line.path, path))
    )
      throw refused(text, path, 'taken out');
    let changed = text;
    for (const name of Object.keys(old)) changed = unsetIn(changed, [...path, name]);
    if (valueAt(parseToml(changed), path) === undefined) return changed;
    return takeOut(changed, path);
  }
  return takeOut(text, path);
}

/** Removes a pair, or the headers of an empty table. */
function takeOut(text: string, path: readonly string[]): string {
  const data: Table = parseToml(text);
  const wanted = withoutValue(data, path);
  const changed = firstSound(
    text,
    removals(text, tomlLines(text), path),
    (found) => valueAt(found, path) === undefined && isSameValue(emptied(found, path), emptied(wanted, path)),
  );
  if (changed === null) throw refused(text, path, 'taken out');
  return changed;
}

/** The data without empty tables above a path. */
function emptied(data: Table, path: readonly string[]): Table {
  let result = data;
  for (let depth = path.length - 1; depth > 0; depth--) {
    const above = path.slice(0, depth);
    const found = valueAt(result, above);
    if (isTable(found) && Object.keys(found).length === 0) result = withoutValue(result, above);
  }
  return result;
}
