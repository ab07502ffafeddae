// Matches paths against lists of patterns, segment by segment, in time that grows with pattern times path; expands braces.

const MOST = 256;
/** No pattern that somebody writes is so long. */
const LONGEST = 1_000;

/** The comma-separated alternatives of a brace that begins here, and where it ends; null when it is none. */
function alternatives(text: string, open: number): { parts: string[]; end: number } | null {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '{') depth++;
    else if (char === ',' && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    } else if (char === '}' && --depth === 0) {
      parts.push(text.slice(from, at));
      const range = parts.length === 1 ? rangeOf(parts[0] as string) : null;
      if (range) return { parts: range, end: at + 1 };
      return parts.length > 1 ? { parts, end: at + 1 } : null;
    }
  }
  return null;
}

function rangeOf(text: string): string[] | null {
  const found = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (!found) return null;
  const [, from = '', to = '', by] = found;
  const isNumber = /\d/.test(from) && /\d/.test(to);
  if (!isNumber && (/\d/.test(from) || /\d/.test(to))) return null;
  const first = isNumber ? Number(from) : (from.codePointAt(0) ?? 0);
  const last = isNumber ? Number(to) : (to.codePointAt(0) ?? 0);
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (last < first ? -1 : 1);
  const width = isNumber && /^-?0\d/.test(from) ? from.length : 0;
  const items: string[] = [];
  for (let at = first; step > 0 ? at <= last : at >= last; at += step) {
    if (items.length > MOST) return null;
    items.push(isNumber ? String(at).padStart(width, '0') : String.fromCodePoint(at));
  }
  return items;
}

/** Every text that the braces stand for; the text itself where there are none, more than 256, or it is very long. */
export function expandBraces(text: string): string[] {
  let open = text.indexOf('{');
  if (open < 0 || text.length > LONGEST) return [text];
  const done: string[] = [];
  const waiting = [text];
  for (let steps = 0; waiting.length > 0; steps++) {
    if (steps > MOST * 4 || done.length > MOST) return [text];
    const next = waiting.pop() as string;
    let found: { parts: string[]; end: number } | null = null;
    for (open = next.indexOf('{'); open >= 0 && !found; ) {
      found = next[open - 1] === '\\' || next[open - 1] === '$' ? null : alternatives(next, open);
      if (!found) open = next.indexOf('{', open + 1);
    }
    if (!found) done.push(next);
    else {
      const head = next.slice(0, open);
      const tail = next.slice(found.end);
      for (const part of [...found.parts].reverse()) waiting.push(head + part + tail);
    }
  }
  return done;
}

/** Whether one name (no `/`) matches one segment of a pattern: `*`, `?`, `[a-z]`, `[!a]`, `\x`. */
export function matchesName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let starAt = -1;
  let starName = 0;
  while (n < name.length) {
    const step = pattern[p] === '*' ? null : charMatches(pattern, p, name[n] as string);
    if (pattern[p] === '*' && p < pattern.length) {
      starAt = p++;
      starName = n;
    } else if (step !== null && step > 0) {
      p += step;
      n++;
    } else if (starAt >= 0) {
      p = starAt + 1;
      n = ++starName;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** How many characters of the pattern this character uses up; 0 when it does not match. */
function charMatches(pattern: string, at: number, char: string): number {
  const sign = pattern[at];
  if (sign === undefined) return 0;
  if (sign === '?') return 1;
  if (sign === '\\' && at + 1 < pattern.length) return pattern[at + 1] === char ? 2 : 0;
  if (sign === '[') {
    const close = pattern.indexOf(
      ']',
      pattern[at + 1] === ']' || /[!^]\]/.test(pattern.slice(at + 1, at + 3)) ? at + 3 : at + 1,
    );
    if (close > 0) {
      const body = pattern.slice(at + 1, close);
      const isNegated = body[0] === '!' || body[0] === '^';
      return inSet(isNegated ? body.slice(1) : body, char) !== isNegated ? close - at + 1 : 0;
    }
  }
  return sign === char ? 1 : 0;
}

function inSet(body: string, char: string): boolean {
  for (let at = 0; at < body.length; at++) {
    const from = body[at] as string;
    const to = body[at + 1] === '-' ? body[at + 2] : undefined;
    if (to === undefined) {
      if (from === char) return true;
    } else {
      if (from <= char && char <= to) return true;
      at += 2;
    }
  }
  return false;
}

/** Whether segments match; `**` stands for any number of them. Two pointers, as for the stars of one name. */
function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0;
  let n = 0;
  let starAt = -1;
  let starPath = 0;
  while (n < path.length) {
    if (pattern[p] === '**') {
      starAt = p++;
      starPath = n;
    } else if (p < pattern.length && matchesName(pattern[p] as string, path[n] as string)) {
      p++;
      n++;
    } else if (starAt >= 0) {
      p = starAt + 1;
      n = ++starPath;
    } else return false;
  }
  while (pattern[p] === '**') p++;
  return p === pattern.length;
}

/**
 * One pattern as its segments: a name without `/` is that file name at any depth, a `/` at the end is everything below,
 * `./` and a first `/`-less start are the root.
 */
function segmentsOf(pattern: string): string[] {
  let text = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  if (!text.includes('/')) text = `**/${text}`;
  if (text.endsWith('/')) text += '**';
  return text.split('/');
}

const folded = (text: string, folds: boolean): string => {
  const normal = text.normalize('NFC');
  return folds ? normal.toLowerCase() : normal;
};

/** Patterns taken apart: the same few are held against every path of a call. */
const taken = new Map<string, string[][]>();
const MOST_TAKEN = 500;

function takenApart(pattern: string, folds: boolean): string[][] {
  const key = `${folds ? 'i' : ''}:${pattern}`;
  const known = taken.get(key);
  if (known) return known;
  const parts = expandBraces(folded(pattern, folds)).map(segmentsOf);
  if (taken.size < MOST_TAKEN) taken.set(key, parts);
  return parts;
}

export function matchesGlob(pattern: string, path: string, folds = false): boolean {
  const segments = folded(path, folds).split('/');
  return takenApart(pattern, folds).some((each) => segmentsMatch(each, segments));
}

/** The last pattern that matches wins, `!` takes back: null, or the pattern that holds. */
export function findMatch(
  patterns: readonly string[],
  paths: readonly string[],
  folds = false,
): string | null {
  let hit: string | null = null;
  for (const pattern of patterns) {
    if (pattern.startsWith('!')) {
      if (hit !== null && paths.some((path) => matchesGlob(pattern.slice(1), path, folds))) hit = null;
    } else if (paths.some((path) => matchesGlob(pattern, path, folds))) hit = pattern;
  }
  return hit;
}

/**
 * The place below a folder that a pattern names (`docs` holds `docs/governance` of `docs/governance/**`), or null.
 * @param visible only places that are not in a hidden folder below it
 */
export function findHeldPlace(
  folder: string,
  pattern: string,
  folds: boolean,
  visible: boolean,
): string | null {
  if (pattern.startsWith('!')) return null;
  const from = folded(folder, folds);
  for (const each of expandBraces(pattern)) {
    const segments = segmentsOf(each);
    const wild = segments.findIndex((segment) => /[*?[]/.test(segment));
    const base = (wild < 0 ? segments : segments.slice(0, wild)).join('/');
    const name = folded(base, folds);
    const isBelow = from === '' ? !/^[~/]/.test(name) : name === from || name.startsWith(`${from}/`);
    const rest = name.slice(from === '' ? 0 : from.length + 1);
    if (base !== '' && isBelow && !(visible && rest.startsWith('.'))) return base;
  }
  return null;
}
