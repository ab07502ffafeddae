// Compares versions.

/** Whether a version that stands in a file has a larger major number than the one that is known here. */
export function isNewer(found: unknown, known: string): boolean {
  if (typeof found !== 'string' && typeof found !== 'number') return false;
  return Number.parseInt(String(found), 10) > Number.parseInt(known, 10);
}

/** Whether a version such as "2.1.332" is another one or a later one. */
export function isVersionAtLeast(version: string, least: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, want] of least.split('.').map(Number).entries()) {
    const difference = (parts[index] ?? 0) - want;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
