// Formats the benchmark's figures as plain aligned text that can be pasted anywhere.

/** Formats a table: the first column is aligned left, the figures right. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('   ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}

export const ms = (value) => value.toFixed(1);
export const ratio = (value) => value.toFixed(2);

/**
 * One line of the budget; a value of null was not measured.
 * @typedef {{ what: string, value: number | null, limit: number, show?: (value: number) => string }} BudgetLine
 * @param {BudgetLine[]} lines
 */
export function budgetTable(lines) {
  return table(
    ['budget', 'measured', 'at most', ''],
    lines.map(({ what, value, limit, show = ratio }) => [
      what,
      value === null ? '-' : show(value),
      show(limit),
      // Judged as shown: 1.304 is not "1.30, OVER".
      value === null ? 'NOT RUN' : Number(show(value)) <= limit ? 'ok' : 'OVER',
    ]),
  );
}
