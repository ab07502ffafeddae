// Sets how many cases a campaign tries: `npm run verify` a changing share, `npm run verify:long` all.

export const isLong = process.env.PLIMSOLL_LONG === '1';
/** Which share: scripts/verify.mjs draws it anew and prints it. */
const seed = Number(process.env.PLIMSOLL_SEED ?? 0);

/** Runs of a property, kills of a campaign: a tenth. */
export const runs = (whole: number): number => (isLong ? whole : Math.max(5, Math.ceil(whole / 10)));

/** So many of the cases, evenly spread; which ones, the seed says. */
export function some<T>(cases: readonly T[], count: number): T[] {
  if (isLong || cases.length <= count) return [...cases];
  const step = cases.length / count;
  const first = (seed % 97) / 97;
  return Array.from({ length: count }, (_, at) => cases[Math.floor((at + first) * step)] as T);
}

/** The step of a loop over moments: each one, or each nth, begun at a moment that the seed says. */
export const moments = (nth: number): { first: number; step: number } =>
  isLong ? { first: 0, step: 1 } : { first: seed % nth, step: nth };

/** The cases whose turn it is beside others of the same table, which share them: each case once, in verify:long all. */
export const turnOf = <T>(cases: readonly T[], index: number, count: number): T[] =>
  cases.filter((_, at) => isLong || (at + seed) % count === index);
