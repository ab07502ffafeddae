// Was a file written by a newer version of ours, which this one must leave alone?

/** How every fault about such a file begins; bundles share no classes, so the words are the mark. */
export const NEWER = 'Written by a newer version';

/** Whether a version that stands in a file has a larger major number than the one that is known here. */
export function isNewer(found: unknown, known: string): boolean {
  if (typeof found !== 'string' && typeof found !== 'number') return false;
  return Number.parseInt(String(found), 10) > Number.parseInt(known, 10);
}

/** Whether a fault is about a file of a newer version. */
export const isNewerFault = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith(NEWER);
