// Reads the lines of a Markdown text that are meant: all but code blocks and HTML comments, which hold examples.

export interface TextLine {
  /** Without its line end. */
  text: string;
  /** From 1. */
  line: number;
  /** Offset of its first character. */
  from: number;
}

/** Any line, and what it is part of. */
export interface AnyLine extends TextLine {
  kind: 'text' | 'code' | 'comment';
}

export interface Scanned {
  lines: AnyLine[];
  /** A code block or comment that never ends, and the line on which it begins. */
  open: { kind: 'code' | 'comment'; line: number } | null;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * All lines of a text, what each is part of, and what is left open at its end. `\r\n`, `\n` and a byte order mark are
 * taken as they come.
 */
export function scanLines(text: string): Scanned {
  const lines: AnyLine[] = [];
  let fence: { sign: string; line: number } | null = null;
  let comment: number | null = null;
  let from = 0;
  let line = 0;
  for (const raw of text.split('\n')) {
    line++;
    const at = from;
    from += raw.length + 1;
    if (raw === '' && fence === null && comment === null) {
      lines.push({ kind: 'text', text: '', line, from: at });
      continue;
    }
    const own = raw.replace(/\r$/, '').replace(/^\uFEFF/, '');
    const push = (kind: AnyLine['kind'], said = own): void =>
      void lines.push({ kind, text: said, line, from: at });
    const sign = own.includes('```') || own.includes('~~~') ? FENCE.exec(own)?.[1] : undefined;
    if (fence !== null) {
      push('code');
      if (
        sign !== undefined &&
        sign[0] === fence.sign[0] &&
        sign.length >= fence.sign.length &&
        own.trim() === sign
      )
        fence = null;
      continue;
    }
    if (comment !== null) {
      push('comment');
      if (own.includes('-->')) comment = null;
      continue;
    }
    if (sign !== undefined) {
      push('code');
      fence = { sign, line };
      continue;
    }
    const opened = own.lastIndexOf('<!--');
    const isLeftOpen = opened > own.lastIndexOf('-->');
    if (isLeftOpen) comment = line;
    // What stands before a comment on its line is text; a line that begins with one is not.
    if (opened >= 0 && /^\s*<!--/.test(own)) push('comment');
    else push('text', isLeftOpen ? own.slice(0, opened).trimEnd() : own);
  }
  const open =
    fence !== null
      ? { kind: 'code' as const, line: fence.line }
      : comment !== null
        ? { kind: 'comment' as const, line: comment }
        : null;
  return { lines, open };
}

/** The lines that are meant, with their numbers. Single-line comments, such as our own marks, are left out too. */
export const textLines = (text: string): TextLine[] =>
  scanLines(text).lines.flatMap(({ kind, ...line }) => (kind === 'text' ? [line] : []));
