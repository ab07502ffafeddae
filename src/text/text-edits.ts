// Edits a text at given spans and keeps every other byte.

export interface Span {
  from: number;
  to: number;
  text: string;
}

/**
 * The text with its spans replaced. Insertions at the same place keep their order.
 * @throws when two spans overlap: neither of them would mean what it was made for
 */
export function applySpans(text: string, spans: readonly Span[]): string {
  const sorted = spans
    .map((span, index) => ({ ...span, index }))
    .sort((a, b) => a.from - b.from || a.to - b.to || a.index - b.index);
  let result = '';
  let done = 0;
  for (const span of sorted) {
    if (span.from < done || span.to < span.from) throw new Error('Two changes of a text overlap');
    result += text.slice(done, span.from) + span.text;
    done = span.to;
  }
  return result + text.slice(done);
}

/** Offset behind the line that holds an offset, its line end included. */
export function findLineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

/** Offset at which the line begins that holds an offset. */
export const findLineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;

/** The line end that a text uses; `\n` where it has none. */
export const detectEol = (text: string): '\n' | '\r\n' =>
  /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';

/** Whole lines put in at the beginning of a line; at the end of a text without a last line end, behind one. */
export function findLines(text: string, offset: number, lines: readonly string[], eol: string): Span {
  const isOpen = offset === text.length && offset > 0 && text[offset - 1] !== '\n';
  const joined = lines.join(eol);
  return { from: offset, to: offset, text: isOpen ? `${eol}${joined}` : `${joined}${eol}` };
}
