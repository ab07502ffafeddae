// Where in a WORKTRACKER.md does it say which orchestration is the active one, and how is it written there?
import { eolOf, lineEnd, type Span } from './spans.ts';
import { ChangeRefused } from './state/section.ts';

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
    const end = lineEnd(text, from);
    const line = text.slice(from, end).replace(/\r?\n$/, '');
    rows.push({ from, to: from + line.length, text: line });
    from = end;
  }
  return rows;
}

/** Offsets of the cells between the bars of a row, without bars that are escaped. */
function cellsOf(row: Row): { from: number; to: number; text: string }[] {
  const bars: number[] = [];
  for (let at = 0; at < row.text.length; at++) {
    if (row.text[at] === '\\') at++;
    else if (row.text[at] === '|') bars.push(at);
  }
  return bars.slice(0, -1).map((bar, index) => {
    const end = bars[index + 1] ?? row.text.length;
    return { from: row.from + bar + 1, to: row.from + end, text: row.text.slice(bar + 1, end) };
  });
}

const isTable = (row: Row | undefined): boolean => /^\s*\|.*\|\s*$/.test(row?.text ?? '');
const isRule = (row: Row | undefined): boolean => /^\s*\|[\s:|-]*-[\s:|-]*\|\s*$/.test(row?.text ?? '');
const nameIn = (cell: string): string => cell.replace(/[*_`]/g, '').trim().toLowerCase();

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

/** The summary's heading, and the first and last row of its table; -1 for what is not there. */
function summaryOf(rows: readonly Row[]): { heading: number; first: number; last: number } {
  const heading = rows.findIndex((row) => /^\uFEFF?#{1,6}\s+[^\p{L}]*summary\b/iu.test(row.text));
  if (heading < 0) return { heading, first: -1, last: -1 };
  const next = rows.findIndex((row, index) => index > heading && /^#{1,6}\s/.test(row.text));
  const end = next < 0 ? rows.length : next;
  const first = rows.findIndex(
    (row, index) => index > heading && index < end && isTable(row) && isRule(rows[index + 1]),
  );
  let last = first;
  while (first >= 0 && last + 1 < end && isTable(rows[last + 1])) last++;
  return { heading, first, last };
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
  return `${indent}|${columns.map(wide).join('|')}|`;
}

/**
 * Spans that make the `Last Orchestration` row of the summary's table point to a file; none when it does already.
 * @param path as it is reached from the folder of the WORKTRACKER.md
 * @throws ChangeRefused when there is no summary
 */
export function linkSpans(text: string, path: string): Span[] {
  const eol = eolOf(text);
  const rows = outsideFences(rowsOf(text));
  const { heading, first, last } = summaryOf(rows);
  const link = linkTo(path);
  const row = rows[heading];
  if (row === undefined) {
    throw new ChangeRefused(
      'There is no heading "Summary"',
      [],
      'add "## Summary" where the table of the project stands, then run this again',
    );
  }
  if (first < 0) {
    const table = ['', '| Field | Value |', '|-------|-------|', `| ${FIELD} | ${link} |`];
    return [{ from: row.to, to: row.to, text: table.map((line) => `${eol}${line}`).join('') }];
  }
  const old = rows
    .slice(first + 2, last + 1)
    .find((each) => nameIn(cellsOf(each)[0]?.text ?? '') === FIELD.toLowerCase());
  const lastRow = rows[last] ?? row;
  if (old === undefined) {
    const like = isRule(lastRow) ? { ...lastRow, text: rows[first]?.text ?? '' } : lastRow;
    return [{ from: lastRow.to, to: lastRow.to, text: `${eol}${rowLike(like, link)}` }];
  }
  const cell = cellsOf(old)[1];
  if (cell === undefined) return [{ from: old.to, to: old.to, text: ` ${link} |` }];
  if (cell.text.trim() === link) return [];
  return [{ from: cell.from, to: cell.to, text: ` ${link} `.padEnd(cell.text.length) }];
}
