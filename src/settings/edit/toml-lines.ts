// Splits a valid TOML text into lines, keys, values and comments with their offsets.
import { parse as parseToml } from 'smol-toml';

/** A key and its value; `entries` when the value is an inline table. */
export interface TomlPair {
  path: string[];
  /** Offset of the key. */
  from: number;
  value: { from: number; to: number };
  /** Comments inside the value (arrays and inline tables over several lines). */
  comments: string[];
  entries: TomlPair[] | null;
}

export type TomlLine = { from: number; to: number } & (
  | { kind: 'blank' }
  | { kind: 'comment' }
  | { kind: 'header'; path: string[]; isArray: boolean; comment: string | null }
  | { kind: 'pair'; pair: TomlPair; comment: string | null }
);

const BARE = /[^,\]}#\n]*/y;

/** The part of a path that stands for an element of a list of tables, which has no key. */
const ELEMENT = '[]';

/** The lines of a text; a pair over several lines is one. */
export function tomlLines(text: string): TomlLine[] {
  let at = 0;
  const is = (sign: string): boolean => text.startsWith(sign, at);
  const blanks = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at++;
  };
  const comment = (): string => {
    const from = at;
    while (at < text.length && text[at] !== '\n') at++;
    return text.slice(from, at).trimEnd();
  };
  /** Blanks, line ends and comments between the parts of a value. */
  const gap = (found: string[]): void => {
    while (at < text.length) {
      if (/\s/.test(text[at] ?? '')) at++;
      else if (is('#')) found.push(comment());
      else return;
    }
  };
  const quoted = (): void => {
    const [sign = ''] = text.slice(at, at + 1);
    const quote = is(sign.repeat(3)) ? sign.repeat(3) : sign;
    at += quote.length;
    while (at < text.length && !is(quote)) at += sign === '"' && is('\\') ? 2 : 1;
    at += quote.length;
    // A multi-line text may have up to two quotes right before the closing ones.
    while (quote.length === 3 && is(sign)) at++;
  };
  const key = (): string[] => {
    const parts: string[] = [];
    do {
      if (is('.')) at++;
      blanks();
      const from = at;
      if (is('"') || is("'")) {
        quoted();
        parts.push(Object.keys(parseToml(`${text.slice(from, at)} = 0`))[0] ?? '');
      } else {
        while (/[A-Za-z0-9_-]/.test(text[at] ?? '')) at++;
        parts.push(text.slice(from, at));
      }
      blanks();
    } while (is('.'));
    return parts;
  };
  const pair = (base: readonly string[]): TomlPair => {
    const from = at;
    const path = [...base, ...key()];
    at++; // the sign "="
    blanks();
    const start = at;
    const comments: string[] = [];
    const entries = value(path, comments);
    return { path, from, value: { from: start, to: at }, comments, entries };
  };
  const value = (path: readonly string[], comments: string[]): TomlPair[] | null => {
    if (is('"') || is("'")) quoted();
    else if (is('[') || is('{')) {
      const isTable = is('{');
      const entries: TomlPair[] = [];
      at++;
      for (gap(comments); at < text.length && !is(isTable ? '}' : ']'); gap(comments)) {
        // A character that begins no value occurs only in invalid TOML; it is skipped so that the loop ends.
        if (/[,\]}=]/.test(text[at] ?? '')) at++;
        else if (isTable) {
          const entry = pair(path);
          comments.push(...entry.comments);
          entries.push(entry);
        } else value([...path, ELEMENT], comments);
      }
      at++;
      return isTable ? entries : null;
    } else {
      BARE.lastIndex = at;
      at += (BARE.exec(text)?.[0] ?? '').trimEnd().length;
    }
    return null;
  };
  const lines: TomlLine[] = [];
  let base: string[] = [];
  const lists = new Set<string>();
  /** The path of a header, through the lists of tables that it stands in. */
  const below = (path: readonly string[]): string[] => {
    const found: string[] = [];
    for (const part of path) {
      if (lists.has(JSON.stringify(found))) found.push(ELEMENT);
      found.push(part);
    }
    return found;
  };
  /** Reads the comment after a pair or a header, up to the line's end. */
  const rest = (): string | null => {
    blanks();
    const found = is('#') ? comment() : null;
    while (at < text.length && text[at] !== '\n') at++;
    at++;
    return found;
  };
  while (at < text.length) {
    const from = at;
    blanks();
    const isBlank = is('\n') || is('\r\n') || at >= text.length;
    const to = (): number => Math.min(at, text.length);
    if (isBlank || is('#')) {
      rest();
      lines.push({ kind: isBlank ? 'blank' : 'comment', from, to: to() });
    } else if (is('[')) {
      const isArray = is('[[');
      at += isArray ? 2 : 1;
      const path = below(key());
      at += isArray ? 2 : 1;
      if (isArray) lists.add(JSON.stringify(path));
      base = isArray ? [...path, ELEMENT] : path;
      lines.push({ kind: 'header', path, isArray, comment: rest(), from, to: to() });
    } else {
      const found = pair(base);
      lines.push({ kind: 'pair', pair: found, comment: rest(), from, to: to() });
    }
  }
  return lines;
}

/** All comments of a text in their order. */
export const commentsOf = (text: string): string[] =>
  tomlLines(text).flatMap((line) => {
    if (line.kind === 'comment') return [text.slice(line.from, line.to).trim()];
    if (line.kind === 'blank') return [];
    const inside = line.kind === 'pair' ? line.pair.comments : [];
    return line.comment === null ? inside : [...inside, line.comment];
  });

export const isBelow = (path: readonly string[], above: readonly string[]): boolean =>
  above.every((part, index) => path[index] === part);

/** Number of the line of a key, or of the beginning of its table; null when it is not found. */
export function lineOf(text: string, path: readonly string[]): number | null {
  const pairs = (list: readonly TomlPair[]): TomlPair[] =>
    list.flatMap((each) => [each, ...pairs(each.entries ?? [])]);
  const places = tomlLines(text).flatMap((line) => {
    if (line.kind === 'header') return [{ path: line.path, from: line.from }];
    return line.kind === 'pair' ? pairs([line.pair]) : [];
  });
  const found = places.find((each) => isBelow(each.path, path));
  return found === undefined ? null : text.slice(0, found.from).split('\n').length;
}
