// What did the user ask for last, and before that, where the last words only push it on ("go on", "yes, do it")?

/** Requests that are kept of a conversation. */
const KEPT = 5;
/** A request with fewer characters leans on the one before it, more often than not. */
const SHORT = 25;

export interface Asked {
  request: string;
  /** The request that it leans on, or null. */
  before: string | null;
}

/** A command of the user is short and whole. */
const standsAlone = (request: string): boolean => request.length >= SHORT || request.startsWith('/');

const lastAlone = (requests: readonly string[]): string | undefined =>
  [...requests].reverse().find(standsAlone);

/** The last of these requests, with the one that it leans on; null where nothing was asked. */
export function askedFor(requests: readonly string[]): Asked | null {
  const request = requests.at(-1);
  if (request === undefined) return null;
  const before = lastAlone(requests);
  return { request, before: before === request ? null : (before ?? null) };
}

/** The same on one line, in the order in which it was asked. */
export function askedInShort(requests: readonly string[]): string | null {
  const asked = askedFor(requests);
  if (asked === null) return null;
  return asked.before === null ? asked.request : `${asked.before} … ${asked.request}`;
}

/** The last requests, oldest first, never without the one that they lean on: it may be of an earlier epoch. */
export function lastRequests(requests: readonly string[], earlier: readonly string[] = []): string[] {
  const kept = requests.slice(-KEPT);
  if (kept.some(standsAlone)) return kept;
  const leanedOn = lastAlone([...earlier, ...requests]);
  return leanedOn === undefined ? kept : [leanedOn, ...kept.slice(1 - KEPT)];
}
