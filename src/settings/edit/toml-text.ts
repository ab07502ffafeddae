// Reads the lines of a valid TOML text with their offsets, and writes keys and values as TOML.
import { parse as parseToml, TomlDate } from 'smol-toml';

type Extent = { from: number; to: number };

/** A pair over several lines is one line; `above` is the header that it stands below, `inside` are comments in its value. */
export type TomlLine = Extent &
  (
    | { kind: 'blank' }
    | { kind: 'comment' }
    | { kind: 'header'; path: string[]; isArray: boolean; comment: string | null }
    | {
        kind: 'pair';
        path: string[];
        above: string[];
        value: Extent;
        inside: string[];
        comment: string | null;
      }
  );

export function readTomlLines(text: string): TomlLine[] {
  let at = 0;
  const is = (sign: string): boolean => text.startsWith(sign, at);
  const skipBlanks = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at++;
  };
  const readComment = (): string => {
    const from = at;
    while (at < text.length && text[at] !== '\n') at++;
    return text.slice(from, at).trimEnd();
  };
  const skipQuoted = (): void => {
    const sign = text[at] ?? '';
    const quote = is(sign.repeat(3)) ? sign.repeat(3) : sign;
    at += quote.length;
    while (at < text.length && !is(quote)) at += sign === '"' && is('\\') ? 2 : 1;
    at += quote.length;
    // A multi-line text may have up to two quotes right before the closing ones.
    while (quote.length === 3 && is(sign)) at++;
  };
  const readKey = (): string[] => {
    const parts: string[] = [];
    do {
      if (is('.')) at++;
      skipBlanks();
      const from = at;
      if (is('"') || is("'")) {
        skipQuoted();
        parts.push(Object.keys(parseToml(`${text.slice(from, at)} = 0`))[0] ?? '');
      } else {
        while (/[A-Za-z0-9_-]/.test(text[at] ?? '')) at++;
        parts.push(text.slice(from, at));
      }
      skipBlanks();
    } while (is('.'));
    return parts;
  };
  const readValue = (inside: string[]): Extent => {
    const from = at;
    for (let depth = 0; at < text.length; ) {
      if (depth <= 0 && (is('\n') || is('#'))) break;
      if (is('#')) inside.push(readComment());
      else if (is('"') || is("'")) skipQuoted();
      else {
        if (is('[') || is('{')) depth++;
        if (is(']') || is('}')) depth--;
        at++;
      }
    }
    return { from, to: from + text.slice(from, at).trimEnd().length };
  };
  /** Reads the comment after a pair or a header, up to the line's end. */
  const readRest = (): string | null => {
    skipBlanks();
    const comment = is('#') ? readComment() : null;
    while (at < text.length && text[at] !== '\n') at++;
    at = Math.min(at + 1, text.length);
    return comment;
  };
  const lines: TomlLine[] = [];
  let above: string[] = [];
  while (at < text.length) {
    const from = at;
    skipBlanks();
    if (is('#') || is('\n') || is('\r\n') || at >= text.length) {
      const kind = is('#') ? 'comment' : 'blank';
      readRest();
      lines.push({ kind, from, to: at });
    } else if (is('[')) {
      const isArray = is('[[');
      at += isArray ? 2 : 1;
      above = readKey();
      at += isArray ? 2 : 1;
      const comment = readRest();
      lines.push({ kind: 'header', path: above, isArray, comment, from, to: at });
    } else {
      const path = [...above, ...readKey()];
      at++; // the sign "="
      skipBlanks();
      const inside: string[] = [];
      const value = readValue(inside);
      const comment = readRest();
      lines.push({ kind: 'pair', path, above, value, inside, comment, from, to: at });
    }
  }
  return lines;
}

/** All comments of a text in their order. */
export const readComments = (text: string): string[] =>
  readTomlLines(text).flatMap((line) => {
    if (line.kind === 'comment') return [text.slice(line.from, line.to).trim()];
    if (line.kind === 'blank') return [];
    const inside = line.kind === 'pair' ? line.inside : [];
    return line.comment === null ? inside : [...inside, line.comment];
  });

export const isBelow = (path: readonly string[], above: readonly string[]): boolean =>
  above.every((part, index) => path[index] === part);

/** Number of the line of a key, of the beginning of its table, or of the value that holds it; null where it is not found. */
export function findLine(text: string, path: readonly string[]): number | null {
  const keyed = readTomlLines(text).flatMap((line) => ('path' in line ? [line] : []));
  const found =
    keyed.find((line) => isBelow(line.path, path)) ??
    keyed.find((line) => line.kind === 'pair' && isBelow(path, line.path));
  return found === undefined ? null : text.slice(0, found.from).split('\n').length;
}

const ESCAPES: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

const quote = (text: string): string =>
  `"${text.replace(
    /["\\\u0000-\u001f\u007f]/g,
    (sign) => ESCAPES[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}"`;

const formatPart = (part: string): string => (/^[A-Za-z0-9_-]+$/.test(part) ? part : quote(part));

export const formatKey = (path: readonly string[]): string => path.map(formatPart).join('.');

/** @throws on a value that TOML cannot express */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) throw new Error('TOML has no word for this value');
  const entries = Object.entries(value).map(([key, each]) => `${formatPart(key)} = ${formatValue(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
