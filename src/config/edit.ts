// Sets or removes one key of a TOML text and keeps every other line and every comment.
import { parse as parseToml } from 'smol-toml';
import { applySpans, eolOf, type Span } from '../model/spans.ts';
import { insertions } from './edit-insert.ts';
import { pairAt, sameData, samePath, valueAt } from './edit-place.ts';
import { removals } from './edit-remove.ts';
import { isTable, type Table } from './layers.ts';
import { commentsOf, lineOf, tomlLines } from './toml-lines.ts';
import { pathText, valueText } from './toml-value.ts';

/** Thrown when a text cannot be changed; says why, and what to do by hand. */
export class EditRefused extends Error {
  readonly hint: string;
  readonly line: number | null;
  constructor(message: string, hint: string, line: number | null) {
    super(message);
    this.hint = hint;
    this.line = line;
  }
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
      changed = changed.slice(0, -eolOf(changed).length);
    try {
      if (isWanted(parseToml(changed)) && sameData(commentsOf(changed), comments)) return changed;
    } catch {
      // the parser refuses this way
    }
  }
  return null;
}

const refused = (text: string, path: readonly string[], doing: string): EditRefused =>
  new EditRefused(
    `"${pathText(path)}" cannot be ${doing} without a change to other lines or comments`,
    'change the file by hand',
    lineOf(text, path),
  );

/** Sets a table that is spread over lines, entry by entry. */
function setEntries(text: string, path: readonly string[], old: Table, value: Table): string {
  let changed = text;
  for (const [name, each] of Object.entries(value)) changed = setIn(changed, [...path, name], each);
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(value, name)) changed = unsetIn(changed, [...path, name]);
  }
  const left = valueAt(parseToml(changed), path);
  return sameData(left, value) ? changed : setIn(changed, path, value);
}

/**
 * The text with a key set: an existing value is replaced in place, a new one is put after its neighbours.
 * @param literal the value as the user wrote it, to be kept in that form
 * @throws EditRefused, and what the parser throws on a text that is no TOML
 */
export function setIn(text: string, path: readonly string[], value: unknown, literal?: string): string {
  if (text.startsWith('\uFEFF')) return `\uFEFF${setIn(text.slice(1), path, value, literal)}`;
  const data: Table = parseToml(text);
  const old = valueAt(data, path);
  if (sameData(old, value)) return text;
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const found = valueAt(data, above);
    if (found !== undefined && !isTable(found))
      throw new EditRefused(
        `"${pathText(above)}" is a value, but settings are kept below it`,
        'take that line out or rename it',
        lineOf(text, above),
      );
  }
  const lines = tomlLines(text);
  const place = pairAt(lines, path);
  if (place === null && isTable(old) && isTable(value) && !Array.isArray(old))
    return setEntries(text, path, old, value);
  if (place === null && Array.isArray(old))
    throw new EditRefused(
      `"${pathText(path)}" is a list of tables with headers of their own`,
      'change the file by hand',
      lineOf(text, path),
    );
  if (place === null && old !== undefined)
    throw new EditRefused(
      `"${pathText(path)}" is a table, but a value is wanted`,
      `take the table out first: plimsoll config unset ${pathText(path)}`,
      lineOf(text, path),
    );
  const written = literal ?? valueText(value);
  const changed = firstSound(text, insertions(text, lines, path, written, place), (found) =>
    sameData(found, withValue(data, path, value)),
  );
  if (changed === null) throw refused(text, path, 'set');
  return changed;
}

/**
 * The text without a key. Comments beside it stay, on lines of their own; a table that is then empty, even of comments,
 * goes too.
 * @throws EditRefused, and what the parser throws on a text that is no TOML
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
    (found) => valueAt(found, path) === undefined && sameData(emptied(found, path), emptied(wanted, path)),
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
