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
export function sameData(a: Data | undefined, b: Data | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => sameData(each, b[index]));
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key]))
    );
  }
  return Object.is(a, b);
}
