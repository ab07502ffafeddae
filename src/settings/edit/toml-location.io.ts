// Finds a key in the lines of a TOML text and a path in its data, and builds the edits that replace a value.
import { isDeepStrictEqual } from 'node:util';
import { isTable } from '../layers.io.ts';
import type { TomlLine, TomlPair } from './toml-lines.ts';

export const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);

export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const part of path) {
    if (!isTable(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Whether two values are equal, whatever kind of objects a parser makes. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (isTable(a) && isTable(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSameValue(each, b[index]));
  return isDeepStrictEqual(a, b);
}

/** A pair with the inline tables that it stands in, the outermost first, and its line. */
export interface TomlLocation {
  line: number;
  around: TomlPair[];
  pair: TomlPair;
}

function inside(
  pair: TomlPair,
  path: readonly string[],
  around: TomlPair[],
): Omit<TomlLocation, 'line'> | null {
  if (samePath(pair.path, path)) return { around, pair };
  for (const entry of pair.entries ?? []) {
    const found = inside(entry, path, [...around, pair]);
    if (found !== null) return found;
  }
  return null;
}

/** The pair whose key is a path; null when there is none, or the path is a table over several lines. */
export function pairAt(lines: readonly TomlLine[], path: readonly string[]): TomlLocation | null {
  for (const [line, each] of lines.entries()) {
    const found = each.kind === 'pair' ? inside(each.pair, path, []) : null;
    if (found !== null) return { line, ...found };
  }
  return null;
}

/** The spans that replace a value; comments in it move above its line. */
export function replacing(text: string, line: TomlLine, pair: TomlPair, written: string, eol: string) {
  const indent = /^[ \t]*/.exec(text.slice(line.from))?.[0] ?? '';
  const moved = pair.comments.map((comment) => `${indent}${comment}${eol}`).join('');
  return [
    ...(moved === '' ? [] : [{ from: line.from, to: line.from, text: moved }]),
    { ...pair.value, text: written },
  ];
}
