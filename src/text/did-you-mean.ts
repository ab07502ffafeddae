// Finds the known name that a mistyped one was meant to be.

/** How many letters have to change, come or go between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The nearest known name, or null when none is near: the only one that goes on where this one ends, before all others. */
export function findNearest<T extends string>(name: string, known: readonly T[]): T | null {
  const [longer, ...more] = known.filter((key) => key.toLowerCase().startsWith(`${name.toLowerCase()}_`));
  if (longer !== undefined && more.length === 0) return longer;
  const far = (key: T): number => distance(name.toLowerCase(), key.toLowerCase());
  const [best] = known.map((key) => ({ key, far: far(key) })).sort((a, b) => a.far - b.far);
  return best !== undefined && best.far <= Math.max(2, name.length / 4) ? best.key : null;
}
