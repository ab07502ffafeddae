// Data as JSON, YAML and TOML give it: type checks, comparison, canonical text.

/**
 * Canonical JSON: no blanks, keys sorted by UTF-16 units, numbers and strings as ECMAScript writes them, which is what
 * RFC 8785 asks for. The value must have come out of JSON.parse, with whole characters only. (Own code, because three of
 * these stand in every turn with a compaction; the tests hold it against the `canonicalize` package.)
 */
export function formatCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatCanonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${formatCanonical(each)}`).join(',')}}`;
}

// Structured data as a parser gives it: its types, and when two pieces hold the same.
export type Data = string | number | boolean | null | Data[] | DataMap;
export interface DataMap {
  [key: string]: Data;
}
export type Path = readonly (string | number)[];

export const isMap = (value: Data | undefined): value is DataMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a map itself holds under a name that comes from outside: `toString` and the like are nobody's entry. */
export const own = <Value>(map: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

/** True when both hold the same; the order of keys does not matter. */
export function isSameData(a: Data | undefined, b: Data | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSameData(each, b[index]));
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && isSameData(a[key], b[key]))
    );
  }
  return Object.is(a, b);
}

export type JsonObject = Record<string, unknown>;

/** True for a JSON object; lists and null are none. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that says something; null for anything else. */
export const readNonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Whether a text is an id as hosts give them to messages. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Whether a value that was read has the types that the code relies on. */
export type Shape = (value: unknown) => boolean;

export const isText: Shape = (value) => typeof value === 'string';
export const isNumber: Shape = (value) => typeof value === 'number';
export const isFlag: Shape = (value) => typeof value === 'boolean';

/** Null will do, and so will a field that is not there. */
export const mayBe =
  (shape: Shape): Shape =>
  (value) =>
    value === null || value === undefined || shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);

export const oneOf =
  (...values: string[]): Shape =>
  (value) =>
    values.includes(value as string);

/** A map whose values are all alike. */
export const mapOf =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every(shape);

/** An object with these fields, and any others. */
export const withFields =
  (fields: Record<string, Shape>): Shape =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, shape]) => shape(value[name]));

/** A whole number above 0 as a host writes it (tokens, milliseconds); 0 for anything else, also for one too large to compute with. */
export const readCount = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
