// What does the plain part of a YAML file say? Maps, lists and scalars by indentation; the odd rest is left out.
// A full parser costs a hook more than its whole budget; this one answers "nothing" where it does not understand.

export type Outline = string | number | boolean | null | Outline[] | { [key: string]: Outline };

interface Row {
  indent: number;
  text: string;
}

const KEY =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:#'"&*!|>%@`[\]{},-][^:#]*?|[\w.-]+)\s*:(?:\s+|$)([\s\S]*)$/;

/** A quoted scalar and nothing else. */
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?:#.*)?$/;

function withoutComment(value: string): string {
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(value)?.[0];
  if (quoted !== undefined) return quoted;
  const comment = value.search(/(?:^|\s)#/);
  return (comment >= 0 ? value.slice(0, comment) : value).trim();
}

/** Brackets in brackets, deeper than anybody writes: no more than that is followed. */
const DEEPEST = 50;

function scalar(raw: string, depth = 0): Outline {
  const value = withoutComment(raw);
  if (value === '' || value === '~' || value === 'null') return null;
  if (value.startsWith('"')) {
    try {
      return JSON.parse(value) as string;
    } catch {
      return value.slice(1, -1);
    }
  }
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
  if (value.startsWith('[') && value.endsWith(']')) {
    if (depth >= DEEPEST) return null;
    const inner = value.slice(1, -1).match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)/g) ?? [];
    return inner.map((part) => scalar(part.trim(), depth + 1));
  }
  if (value === '{}') return {};
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Keys that would reach an object's prototype are no data. */
const isSafe = (key: string): boolean => key !== '__proto__' && key !== 'constructor';

function parse(rows: Row[], from: number, indent: number): { value: Outline; next: number } {
  const first = rows[from];
  return first !== undefined && /^-(?:\s|$)/.test(first.text)
    ? parseList(rows, from, indent)
    : parseMap(rows, from, indent);
}

function parseList(rows: Row[], from: number, indent: number): { value: Outline; next: number } {
  const list: Outline[] = [];
  let at = from;
  for (let row = rows[at]; row?.indent === indent && /^-(?:\s|$)/.test(row.text); row = rows[at]) {
    const rest = row.text.slice(1).trimStart();
    const inner = indent + (row.text.length - rest.length);
    if (rest === '') {
      const below = rows[at + 1];
      if (below === undefined || below.indent <= indent) {
        list.push(null);
        at++;
      } else {
        const parsed = parse(rows, at + 1, below.indent);
        list.push(parsed.value);
        at = parsed.next;
      }
    } else if (KEY.test(rest) && !QUOTED.test(rest)) {
      // The item's first key stands on the row of its dash: from here on the row is that key.
      rows[at] = { indent: inner, text: rest };
      const parsed = parseMap(rows, at, inner);
      list.push(parsed.value);
      at = parsed.next;
    } else {
      list.push(scalar(rest));
      at = skipDeeper(rows, at + 1, indent);
    }
  }
  return { value: list, next: at };
}

const skipDeeper = (rows: Row[], from: number, indent: number): number => {
  let at = from;
  while (at < rows.length && (rows[at]?.indent ?? 0) > indent) at++;
  return at;
};

function parseMap(rows: Row[], from: number, indent: number): { value: Outline; next: number } {
  const map: { [key: string]: Outline } = {};
  let at = from;
  for (let row = rows[at]; row !== undefined && row.indent >= indent; row = rows[at]) {
    const match = row.indent === indent ? KEY.exec(row.text) : null;
    if (match === null) {
      at++; // not understood: left out
      continue;
    }
    const key = String(scalar(match[1] ?? ''));
    const rest = withoutComment(match[2] ?? '');
    const below = rows[at + 1];
    let value: Outline = null;
    if (/^[|>]/.test(rest)) {
      const end = skipDeeper(rows, at + 1, indent);
      value = rows
        .slice(at + 1, end)
        .map((each) => each.text)
        .join(rest.startsWith('|') ? '\n' : ' ');
      at = end;
    } else if (rest !== '') {
      value = /^[&*!{]/.test(rest) && rest !== '{}' ? null : scalar(match[2] ?? '');
      at = skipDeeper(rows, at + 1, indent);
    } else if (
      below &&
      (below.indent > indent || (below.indent === indent && /^-(?:\s|$)/.test(below.text)))
    ) {
      const parsed = parse(rows, at + 1, below.indent);
      value = parsed.value;
      at = parsed.next;
    } else at++;
    if (isSafe(key) && !(Object.hasOwn(map, key) && value === null)) map[key] = value;
  }
  return { value: map, next: at };
}

/** The rows of a file's first document that matter: no comments, no blank lines, BOM and CR removed. */
function rowsOf(source: string): Row[] {
  const rows: Row[] = [];
  for (const line of source.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^---\s*$/.test(line) && rows.length > 0) break;
    if (/^\s*(?:#|$)|^---/.test(line) || /^ *\t/.test(line)) continue;
    rows.push({ indent: line.length - line.trimStart().length, text: line.trim() });
  }
  return rows;
}

/**
 * The top-level sections named, of a YAML text; sections that are missing or not understood are left out.
 * A section that stands twice counts as it stands last, as lenient parsers read it. Never throws.
 */
export function outlineOf(source: string, sections: readonly string[]): Record<string, Outline> {
  const rows = rowsOf(source);
  const result: Record<string, Outline> = {};
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    const key = row?.indent === 0 ? KEY.exec(row.text)?.[1] : undefined;
    if (key === undefined || !sections.includes(key)) continue;
    let end = at + 1;
    while (end < rows.length && ((rows[end]?.indent ?? 0) > 0 || rows[end]?.text.startsWith('- '))) end++;
    const { value } = parseMap(rows.slice(at, end), 0, 0);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      result[key] = value[key] ?? null;
  }
  return result;
}
