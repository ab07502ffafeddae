// Runs `plimsoll state link`: makes a WORKTRACKER.md point to the state file.

import { dirname, join, relative, resolve } from 'node:path';
import { type Output, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { exists, isFolder } from '../../../platform/look.ts';
import { changeUserFile } from '../../../platform/user-file.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { applySpans, detectEol, findLineEnd, type Span } from '../../../text/text-edits.ts';
import { refuseChange } from '../state/section.ts';
import { explainError, requireFile, type StateOptions } from './find-state.io.ts';

// Edits the row of a WORKTRACKER.md that names the active orchestration.
const FIELD = 'Last Orchestration';

interface Row {
  /** Offset of the line, and behind it without its line end. */
  from: number;
  to: number;
  text: string;
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < text.length; ) {
    const end = findLineEnd(text, from);
    const line = text.slice(from, end).replace(/\r?\n$/, '');
    rows.push({ from, to: from + line.length, text: line });
    from = end;
  }
  return rows;
}

/** Offsets of bars that are not escaped. */
function barsOf(text: string): number[] {
  const bars: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '|') bars.push(at);
  }
  return bars;
}

/** Offsets of the cells of a row; the bars at its ends may be left out. */
function cellsOf(row: Row): { from: number; to: number; text: string }[] {
  const bars = barsOf(row.text);
  const indent = row.text.length - row.text.trimStart().length;
  const end = row.text.trimEnd().length;
  const edges = [
    ...(bars[0] === indent ? [] : [indent - 1]),
    ...bars,
    ...(bars.at(-1) === end - 1 ? [] : [end]),
  ];
  return edges.slice(0, -1).map((edge, index) => {
    const next = edges[index + 1] ?? end;
    return { from: row.from + edge + 1, to: row.from + next, text: row.text.slice(edge + 1, next) };
  });
}

const isTable = (row: Row | undefined): boolean => barsOf(row?.text ?? '').length > 0;
const isRule = (row: Row | undefined): boolean =>
  isTable(row) && /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(row?.text ?? '');
const nameIn = (cell: string): string => cell.replace(/[*_`]/g, '').trim().replace(/\s*:$/, '').toLowerCase();

/** Rows that are no text in a fenced block. */
function outsideFences(rows: readonly Row[]): Row[] {
  let fence: string | null = null;
  return rows.map((row) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(row.text)?.[1] ?? null;
    const isInside = fence !== null;
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    return isInside || mark !== null ? { ...row, text: '' } : row;
  });
}

/** The first and last row of a table, by their positions. */
interface Table {
  first: number;
  last: number;
}

function tablesIn(rows: readonly Row[], from: number, to: number): Table[] {
  const tables: Table[] = [];
  for (let at = from; at < to; at++) {
    if (!isTable(rows[at]) || !isRule(rows[at + 1])) continue;
    let last = at + 1;
    while (last + 1 < to && isTable(rows[last + 1])) last++;
    tables.push({ first: at, last });
    at = last;
  }
  return tables;
}

/** The summary's heading, -1 where there is none, and its tables. */
function summaryOf(rows: readonly Row[]): { heading: number; tables: Table[] } {
  const first = rows.findIndex((row) => /^\uFEFF?#{1,6}\s+[^\p{L}]*summary\b/iu.test(row.text));
  const heading =
    first >= 0 ? first : rows.findIndex((row) => /^\uFEFF?#{1,6}\s.*\bsummary[\s#:]*$/iu.test(row.text));
  const next = rows.findIndex((row, index) => index > heading && /^#{1,6}\s/.test(row.text));
  return {
    heading,
    tables: heading < 0 ? [] : tablesIn(rows, heading + 1, next < 0 ? rows.length : next),
  };
}

/** A link whose text and target hold nothing that Markdown would take for its own. */
function linkTo(path: string): string {
  const label = path.replace(/[\\[\]|]/g, '\\$&');
  const target = path.replace(
    /[\s()<>|%\\]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `[${label}](${target})`;
}

/** A new row as the last one is written: its columns, its bold names, its widths. */
function rowLike(last: Row, link: string): string {
  const cells = cellsOf(last);
  const indent = /^\s*/.exec(last.text)?.[0] ?? '';
  const isBold = /^\s*\*\*.*\*\*\s*$/.test(cells[0]?.text ?? '');
  const name = isBold ? `**${FIELD}**` : FIELD;
  const wide = (cell: string, index: number): string => ` ${cell} `.padEnd(cells[index]?.text.length ?? 0);
  const columns = [name, link, ...cells.slice(2).map(() => '')];
  const row = columns.map(wide).join('|');
  return `${indent}${last.text.trimStart().startsWith('|') ? `|${row}` : row.trimStart()}${last.text.trimEnd().endsWith('|') ? '|' : ''}`.trimEnd();
}

/**
 * Spans that make the `Last Orchestration` row of the summary's table point to a file; none when it does already.
 * @param path as it is reached from the folder of the WORKTRACKER.md
 * @throws PlimsollError `change-refused` when there is no summary
 */
export function linkSpans(text: string, path: string): Span[] {
  const eol = detectEol(text);
  const rows = outsideFences(rowsOf(text));
  const { heading, tables } = summaryOf(rows);
  const link = linkTo(path);
  const row = rows[heading];
  if (row === undefined) {
    throw refuseChange(
      'There is no heading "Summary"',
      [],
      'add "## Summary" where the table of the project stands, then run this again',
    );
  }
  const rowIn = ({ first, last }: Table): Row | undefined =>
    rows
      .slice(first + 2, last + 1)
      .find((each) => nameIn(cellsOf(each)[0]?.text ?? '') === FIELD.toLowerCase());
  const old = tables.map(rowIn).find((each) => each !== undefined);
  const [table] = tables;
  if (table === undefined) {
    const lines = ['', '| Field | Value |', '|-------|-------|', `| ${FIELD} | ${link} |`];
    return [{ from: row.to, to: row.to, text: lines.map((line) => `${eol}${line}`).join('') }];
  }
  if (old === undefined) {
    const lastRow = rows[table.last] ?? row;
    const like = isRule(lastRow) ? { ...lastRow, text: rows[table.first]?.text ?? '' } : lastRow;
    return [{ from: lastRow.to, to: lastRow.to, text: `${eol}${rowLike(like, link)}` }];
  }
  const cell = cellsOf(old)[1];
  if (cell === undefined) return [{ from: old.to, to: old.to, text: ` ${link} |` }];
  if (cell.text.trim() === link) return [];
  const wide = ` ${link} `.padEnd(cell.text.length);
  return [{ ...cell, text: old.text[cell.to - old.from] === '|' ? wide : wide.trimEnd() }];
}

export interface LinkOptions extends StateOptions {
  worktracker?: string;
}

const NAME = 'WORKTRACKER.md';

/** Finds the WORKTRACKER.md: the named one, else the nearest from the state file's folder up to the root. */
function trackerFor(place: ProjectContext, file: string, given: string | undefined): string {
  const path = given === undefined ? null : resolve(place.cwd, given);
  const named = path !== null && isFolder(path) ? join(path, NAME) : path;
  if (named !== null) {
    if (exists(named)) return named;
    throw new PlimsollError('not-found', `There is no file "${displayPath(named, place)}"`, {
      hint: 'name an existing WORKTRACKER.md',
    });
  }
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (exists(join(folder, NAME))) return join(folder, NAME);
    if (folder === place.root || dirname(folder) === folder) break;
  }
  throw new PlimsollError('not-found', `No ${NAME} beside ${displayPath(file, place)} or above it`, {
    hint: `name one: plimsoll state link --worktracker PATH`,
  });
}

export function stateLink(place: ProjectContext, options: LinkOptions, output: Output): void {
  const file = requireFile(place, options.file);
  const tracker = trackerFor(place, file, options.worktracker);
  const path = relative(dirname(tracker), file).replaceAll('\\', '/');
  let changed: boolean;
  try {
    changed = changeUserFile(tracker, (text) => applySpans(text, linkSpans(text, path)));
  } catch (error) {
    throw explainError(error, tracker, place);
  }
  if (options.json) {
    output.print(toJson({ file, worktracker: tracker, link: path, changed }));
    return;
  }
  output.print(
    changed
      ? `${displayPath(tracker, place)}: Last Orchestration is ${path}`
      : `${displayPath(tracker, place)} names ${path} already`,
  );
}
