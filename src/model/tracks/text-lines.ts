// Which lines of a Markdown text are meant? All but those in code blocks and HTML comments, which hold examples.

export interface TextLine {
  /** Without its line end. */
  text: string;
  /** From 1. */
  line: number;
  /** Offset of its first character. */
  from: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Lines with their numbers; `\r\n`, `\n` and a byte order mark are taken as they come. Single-line comments of our own marks are left out too. */
export function textLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let fence: string | null = null;
  let isComment = false;
  let from = 0;
  let line = 0;
  for (const raw of text.split('\n')) {
    line++;
    const at = from;
    from += raw.length + 1;
    const own = raw.replace(/\r$/, '').replace(/^\uFEFF/, '');
    if (fence !== null) {
      const sign = FENCE.exec(own)?.[1];
      if (sign !== undefined && sign[0] === fence[0] && sign.length >= fence.length && own.trim() === sign)
        fence = null;
      continue;
    }
    if (isComment) {
      if (own.includes('-->')) isComment = false;
      continue;
    }
    const sign = FENCE.exec(own)?.[1];
    if (sign !== undefined) {
      fence = sign;
      continue;
    }
    const opened = own.lastIndexOf('<!--');
    if (/^\s*<!--/.test(own) || opened > own.lastIndexOf('-->')) {
      isComment = opened > own.lastIndexOf('-->');
      // What stands before a comment on its line is text; a line that begins with one is not.
      if (/^\s*<!--/.test(own)) continue;
      lines.push({ text: own.slice(0, opened).trimEnd(), line, from: at });
      continue;
    }
    lines.push({ text: own, line, from: at });
  }
  return lines;
}
