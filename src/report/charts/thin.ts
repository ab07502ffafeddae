// Thins out a long series so that its lowest and highest values stay.

/** Indexes of at most about `most` values: of each stretch the lowest and the highest, and the first and last of all. */
export function thinIndexes(values: readonly number[], most: number): number[] {
  if (values.length <= most) return values.map((_, index) => index);
  const kept = new Set([0, values.length - 1]);
  const stretches = Math.max(1, Math.floor(most / 2) - 1);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * values.length) / stretches);
    const to = Math.floor(((stretch + 1) * values.length) / stretches);
    let [low, high] = [from, from];
    for (let index = from; index < to; index++) {
      if ((values[index] ?? 0) < (values[low] ?? 0)) low = index;
      if ((values[index] ?? 0) > (values[high] ?? 0)) high = index;
    }
    kept.add(low).add(high);
  }
  return [...kept].sort((a, b) => a - b);
}
