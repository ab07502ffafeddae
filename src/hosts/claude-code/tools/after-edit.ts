// Computes the text that a file will hold after an edit, as the host's tools do it, without doing it.

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The text afterwards, or why the tool itself will refuse the edit. */
export type After = { text: string } | { refused: string };

interface Edit {
  from: string;
  to: string;
  everywhere: boolean;
}

function editOf(value: unknown): Edit | null {
  if (typeof value !== 'object' || value === null) return null;
  const { old_string, new_string, replace_all } = value as Record<string, unknown>;
  const from = textOf(old_string);
  const to = textOf(new_string);
  return from === null || to === null ? null : { from, to, everywhere: replace_all === true };
}

function apply(text: string | null, { from, to, everywhere }: Edit): After {
  // An empty old text makes a new file, or fills one that is empty.
  if (from === '')
    return text === null || text.trim() === '' ? { text: to } : { refused: 'the file is not empty' };
  if (text === null) return { refused: 'the file does not exist' };
  const at = text.indexOf(from);
  if (at < 0) {
    // Files with CRLF are shown, and edited, with LF.
    if (!text.includes('\r\n')) return { refused: 'the text to be replaced is not in the file' };
    const result = apply(text.replaceAll('\r\n', '\n'), {
      from: from.replaceAll('\r\n', '\n'),
      to,
      everywhere,
    });
    return 'text' in result ? { text: result.text.replaceAll('\n', '\r\n') } : result;
  }
  if (everywhere) return { text: text.split(from).join(to) };
  if (text.indexOf(from, at + 1) >= 0) return { refused: 'the text to be replaced is there more than once' };
  return { text: text.slice(0, at) + to + text.slice(at + from.length) };
}

type Cell = Record<string, unknown>;

const sourceOf = (cell: Cell): string =>
  Array.isArray(cell.source) ? cell.source.join('') : (textOf(cell.source) ?? '');

function cellsOf(text: string | null): { book: Record<string, unknown>; cells: Cell[] } | null {
  try {
    const book = JSON.parse(text ?? '') as Record<string, unknown>;
    return Array.isArray(book.cells) ? { book, cells: [...(book.cells as Cell[])] } : null;
  } catch {
    return null;
  }
}

function afterCell(input: Readonly<Record<string, unknown>>, text: string | null): After {
  const read = cellsOf(text);
  if (read === null) return { refused: 'the notebook cannot be read' };
  const { book, cells } = read;
  const id = textOf(input.cell_id);
  const mode = textOf(input.edit_mode) ?? 'replace';
  let at = cells.findIndex((cell) => id !== null && cell.id === id);
  if (at < 0 && id !== null) at = Number(/^(?:cell-)?(\d+)$/.exec(id)?.[1] ?? -1);
  if (at < 0 && typeof input.cell_number === 'number') at = input.cell_number;
  const source = textOf(input.new_source) ?? '';
  const isInsert = mode === 'insert';
  if (!isInsert && cells[at] === undefined) return { refused: 'the cell is not in the notebook' };
  if (isInsert) {
    const cell = { cell_type: textOf(input.cell_type) ?? 'code', metadata: {}, source };
    cells.splice(at < 0 ? 0 : at + 1, 0, cell);
  } else if (mode === 'delete') cells.splice(at, 1);
  else {
    const old = cells[at] as Cell;
    cells[at] = { ...old, cell_type: textOf(input.cell_type) ?? old.cell_type, source };
  }
  return { text: JSON.stringify({ ...book, cells }, null, 1) };
}

/**
 * The text of the file after the call.
 * @param text what it holds now, null when it does not exist
 * @returns null for a tool that edits no text
 */
export function applyEditText(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  text: string | null,
): After | null {
  if (tool === 'Write') {
    const content = textOf(input.content);
    return content === null ? { refused: 'the call has no content' } : { text: content };
  }
  if (tool === 'NotebookEdit') return afterCell(input, text);
  if (tool !== 'Edit' && tool !== 'MultiEdit') return null;
  const edits = tool === 'Edit' ? [input] : Array.isArray(input.edits) ? input.edits : [];
  let now: After | null = null;
  for (const each of edits) {
    const edit = editOf(each);
    if (edit === null) return { refused: 'an edit has no old or new text' };
    now = apply(now === null ? text : now.text, edit);
    if ('refused' in now) return now;
  }
  return now ?? { refused: 'the call has no edits' };
}

/** The code of a notebook, cell by cell; lines for the notebook's own commands are left out. */
export function readNotebookCode(text: string): string | null {
  const read = cellsOf(text);
  if (read === null) return null;
  return read.cells
    .filter((cell) => cell.cell_type === 'code')
    .map((cell) => sourceOf(cell).replace(/^[ \t]*[%!].*$/gm, ''))
    .join('\n');
}
