// Reads Markdown: which lines are text, code or comment, its sections, and its code spans.

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
export const listTextLines = (text: string): TextLine[] =>
  scanLines(text).lines.flatMap(({ kind, ...line }) => (kind === 'text' ? [line] : []));

export interface Section {
  /** Words of its heading, without what marks it. */
  title: string;
  /** 1 to 6. */
  level: number;
  line: number;
  /** Number of the line that ends it: the next heading of the same level or a higher one; infinite for the last. */
  end: number;
  /** The lines below the heading, up to the next one of the same level or a higher one. */
  lines: TextLine[];
}

const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;

/** What a line heads, null where it is no heading. Longer ones are none: they are no words. */
export function readHeading(text: string): { title: string; level: number } | null {
  const [, marks = '', rest = ''] = text.length > 1000 ? [] : (HEADING.exec(text) ?? []);
  const title = rest.replace(/(?:\s+#+)?\s*$/, '');
  return marks === '' || /^#*$/.test(title) ? null : { title, level: marks.length };
}

/** A line with `===` or `---` right below it, and nothing right above, is a heading too. */
function underlined(lines: readonly TextLine[], at: number): ReturnType<typeof readHeading> {
  const [before, own, below] = [lines[at - 1], lines[at], lines[at + 1]];
  const sign = below?.text.trimStart()[0];
  if (own === undefined || below?.line !== own.line + 1 || (sign !== '=' && sign !== '-')) return null;
  const isLine = /^ {0,3}(=|-)\1{2,}\s*$/.test(below.text) && (before?.text.trim() ?? '') === '';
  return isLine && /^ {0,3}[^\s#>|*+-][^|]{0,100}$/.test(own.text)
    ? { title: own.text.trim(), level: sign === '=' ? 1 : 2 }
    : null;
}

/** Sections by their headings (`## Title`), each with all that is below it. */
export function splitSections(lines: readonly TextLine[]): Section[] {
  const sections: Section[] = [];
  const starts: number[] = [];
  for (const [at, each] of lines.entries()) {
    const heading = readHeading(each.text) ?? underlined(lines, at);
    if (heading === null) continue;
    sections.push({ ...heading, line: each.line, end: Number.POSITIVE_INFINITY, lines: [] });
    starts.push(at);
  }
  for (const [index, section] of sections.entries()) {
    let next = index + 1;
    while (next < sections.length && (sections[next]?.level ?? 0) > section.level) next++;
    section.lines = lines.slice((starts[index] ?? 0) + 1, starts[next] ?? lines.length);
    section.end = sections[next]?.line ?? section.end;
  }
  return sections;
}

export const isHeading = (text: string): boolean => readHeading(text) !== null;

/** Where code spans stand: from a run of backticks to the next one that is as long. */
function spansIn(text: string): { from: number; to: number; code: string }[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  // Of every length the next run behind each, from the end on.
  const next = new Map<number, number>();
  const closes = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at] as { length: number };
    closes[at] = next.get(length) ?? -1;
    next.set(length, at);
  }
  const spans: { from: number; to: number; code: string }[] = [];
  for (let at = 0; at < runs.length; at++) {
    const close = closes[at] as number;
    const open = runs[at];
    const end = runs[close];
    if (open === undefined || end === undefined) continue;
    const from = open.index + open.length;
    spans.push({ from: open.index, to: end.index + end.length, code: text.slice(from, end.index) });
    at = close;
  }
  return spans;
}

/** A line without its code spans: each becomes one blank. */
export function removeCode(text: string): string {
  let done = 0;
  let plain = '';
  for (const { from, to } of spansIn(text)) {
    plain += `${text.slice(done, from)} `;
    done = to;
  }
  return plain + text.slice(done);
}

/** What stands in code spans of a line. */
export const listCodeSpans = (text: string): string[] => spansIn(text).map(({ code }) => code.trim());
