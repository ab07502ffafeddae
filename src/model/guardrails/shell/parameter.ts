// Computes the value of `${name%pattern}` and its relatives.
import { nameMatches } from '../globs.ts';
import { HOLE } from './state.ts';

const LONGEST = 1000;

/** `#`, `##`, `%`, `%%`: the shortest or longest start or end that matches is taken off. */
export function withoutMatch(value: string, operator: string, pattern: string): string {
  if (value.length > LONGEST || value.includes(HOLE) || pattern.includes(HOLE)) return HOLE;
  const isLong = operator.length === 2;
  const isStart = operator.startsWith('#');
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  if (isLong) lengths.reverse();
  for (const length of lengths) {
    const part = isStart ? value.slice(0, length) : value.slice(value.length - length);
    if (nameMatches(pattern, part))
      return isStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

/** `/`, `//`, `/#`, `/%` with a plain pattern; with a real one the result is not known. */
export function withReplaced(value: string, operator: string, pattern: string, text: string): string {
  if (value.includes(HOLE) || /[*?[\u0000\\]/.test(pattern)) return HOLE;
  if (pattern === '') return value;
  if (operator === '//') return value.split(pattern).join(text);
  if (operator === '/#') return value.startsWith(pattern) ? text + value.slice(pattern.length) : value;
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, -pattern.length) + text : value;
  const at = value.indexOf(pattern);
  return at < 0 ? value : value.slice(0, at) + text + value.slice(at + pattern.length);
}

/** `^`, `^^`, `,`, `,,` without a pattern. */
export function withCase(value: string, operator: string): string {
  const change = (text: string): string =>
    operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase();
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

/** `:offset:length` with plain numbers. */
export function sliced(value: string, offset: string, length: string | undefined): string {
  const from = Number(offset.trim() || '0');
  const count = length === undefined ? Number.POSITIVE_INFINITY : Number(length.trim());
  if (Number.isNaN(from) || Number.isNaN(count) || value.includes(HOLE)) return HOLE;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  const end = count < 0 ? value.length + count : Math.min(value.length, start + count);
  return value.slice(start, end);
}
