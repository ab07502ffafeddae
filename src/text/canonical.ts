// Writes plain JSON values in canonical form (RFC 8785, JSON Canonicalization Scheme) for hashing.

/**
 * Canonical JSON: no blanks, keys sorted by UTF-16 units, numbers and strings as ECMAScript writes them, which is what
 * RFC 8785 asks for. The value must have come out of JSON.parse, with whole characters only. (Own code, because three of
 * these stand in every turn with a compaction; the tests hold it against the `canonicalize` package.)
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}
