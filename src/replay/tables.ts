// Formats tables for the commands that replay transcripts: aligned for people, comma-separated for programs.

/** A row of aligned cells: the first to the left, the figures to the right. `widths` are in columns. */
export const alignCells = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
    .join('  ')
    .trimEnd();

/**
 * Rows as comma-separated values (RFC 4180, lines end with a line feed); null is an empty cell. A spreadsheet would compute
 * a text that begins like a formula: it gets an apostrophe in front.
 */
export const formatCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => row.map(quoteCell).join(',')).join('\n');

function quoteCell(value: string | number | null): string {
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(value);
  const text = value === null ? '' : `${isFormula ? "'" : ''}${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The middle of the values, of an even number the lower one; null of none. */
export function findMedian(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
