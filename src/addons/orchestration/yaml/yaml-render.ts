// Writes values as YAML text in a given style.
import { type Data, type DataMap, isMap, type Path } from '../../../text/data-diff.ts';
import type { Quote, YamlStyle } from './yaml-style.ts';

/** Comments for a new key: lines above it, words beside it. */
export interface Remark {
  above?: readonly string[];
  beside?: string;
}
export type Remarks = (path: Path) => Remark | undefined;

/** Longer lists in brackets are hard to read, so they are written with one item per line. */
const WIDEST = 100;

const WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** Characters that a double-quoted scalar has to escape in addition to those of JSON. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const doubleQuoted = (text: string): string =>
  JSON.stringify(text).replace(
    UNPRINTABLE,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Whether no parser of any version can take the unquoted text for something else. */
function isSafePlain(text: string, inBrackets: boolean): boolean {
  if (!/^[\p{L}_](?:.*[^\s:])?$/u.test(text) || WORD.test(text)) return false;
  if (/[^\P{C}]|\u2028|\u2029|:\s|\s#/u.test(text)) return false;
  return !inBrackets || !/[,[\]{}:#?]/.test(text);
}

function stringText(text: string, quote: Quote, inBrackets: boolean): string {
  if (quote === 'plain' && isSafePlain(text, inBrackets)) return text;
  if (quote === 'single' && !/[^\P{C}]|\u2028|\u2029/u.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return doubleQuoted(text);
}

export function scalarText(value: Data, quote: Quote, inBrackets = false): string {
  if (typeof value === 'string') return stringText(value, quote, inBrackets);
  if (typeof value !== 'number') return String(value);
  if (Number.isNaN(value)) return '.nan';
  return Number.isFinite(value)
    ? Object.is(value, -0)
      ? '-0'
      : String(value)
    : `${value < 0 ? '-' : ''}.inf`;
}

export const keyText = (key: string): string =>
  /^[A-Za-z_][\w./-]*$/.test(key) && !WORD.test(key) ? key : doubleQuoted(key);

/** A value on one line, as written inside brackets. */
export function bracketText(value: Data, style: YamlStyle): string {
  if (Array.isArray(value)) return `[${value.map((each) => bracketText(each, style)).join(', ')}]`;
  if (isMap(value)) {
    const entries = Object.entries(value).map(
      ([key, each]) => `${keyText(key)}: ${bracketText(each, style)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return scalarText(value, style.quote, true);
}

const isPlainValue = (value: Data): boolean => value === null || typeof value !== 'object';

/** The text on the line of a key or dash, and the lines below it. */
export interface Rendered {
  first: string;
  rest: string[];
}

/** The lines of a value whose key is in a given column. */
export function valueLines(
  value: Data,
  column: number,
  style: YamlStyle,
  path: Path,
  remarks: Remarks,
): Rendered {
  if (Array.isArray(value)) {
    const flat = value.every(isPlainValue);
    const short = flat ? bracketText(value, style) : '';
    if (value.length === 0 || (flat && style.brackets && short.length <= WIDEST))
      return { first: short, rest: [] };
    return {
      first: '',
      rest: value.flatMap((each) => itemLines(each, column + style.dash, style, path, remarks)),
    };
  }
  if (isMap(value)) {
    if (Object.keys(value).length === 0) return { first: '{}', rest: [] };
    return { first: '', rest: mapLines(value, column + style.step, style, path, remarks) };
  }
  return { first: scalarText(value, style.quote), rest: [] };
}

/** The lines of a new key with its value and comments, in a given column. */
export function renderEntry(
  [key, value]: readonly [string, Data],
  column: number,
  style: YamlStyle,
  path: Path,
  remarks: Remarks,
): string[] {
  const own = [...path, key];
  const pad = ' '.repeat(column);
  const { above = [], beside } = remarks(own) ?? {};
  const { first, rest } = valueLines(value, column, style, own, remarks);
  const head = `${pad}${keyText(key)}:${first === '' ? '' : ` ${first}`}`;
  return [
    ...above.map((line) => (line === '' ? '' : `${pad}${line}`)),
    beside === undefined ? head : `${head}  # ${beside}`,
    ...rest,
  ];
}

const mapLines = (value: DataMap, column: number, style: YamlStyle, path: Path, remarks: Remarks): string[] =>
  Object.entries(value).flatMap((entry) => renderEntry(entry, column, style, path, remarks));

/** The lines of a list item with its dash in a given column. */
export function itemLines(
  value: Data,
  column: number,
  style: YamlStyle,
  path: Path,
  remarks: Remarks,
): string[] {
  const dash = `${' '.repeat(column)}-`;
  const gap = ' '.repeat(Math.max(1, style.gap - 1));
  if (!isMap(value) || Object.keys(value).length === 0) {
    const text =
      Array.isArray(value) || isMap(value) ? bracketText(value, style) : scalarText(value, style.quote);
    return [`${dash}${gap}${text}`];
  }
  const inner = column + 1 + gap.length;
  const [first = '', ...rest] = mapLines(value, inner, style, [...path, 0], remarks);
  return [`${dash}${gap}${first.slice(inner)}`, ...rest];
}
