// Turns an id from outside into a safe file name.

/** A name that is safe in a file name on every system, whatever the host sent as an id. */
export function safeName(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '');
  if (
    plain === id &&
    id.length > 0 &&
    id.length <= 80 &&
    !(id.length < 5 && /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(id))
  )
    return id;
  let hash = 5381;
  for (const char of id) hash = (Math.imul(hash, 33) ^ (char.codePointAt(0) ?? 0)) >>> 0;
  return `x-${plain.slice(0, 40)}-${hash.toString(16)}`;
}
