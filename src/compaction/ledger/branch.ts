// Follows which lines of a transcript are still part of the session; a rewind leaves a branch behind.
import type { LineLink, TranscriptEntry } from '../../hosts/entry.ts';

/** Ids that are kept to go on later: a request hangs on the last answer or on what the client wrote behind it. */
const TAIL = 200;

export interface Branch {
  /** Place in the order of lines, by id. */
  order: Map<string, number>;
  /** Where each line ends, in bytes, in that order. */
  ends: number[];
  /** Lines, in that order, at which the talk went on: requests and what the agent said or called. */
  turns: number[];
}

/** A branch that goes on where an earlier look ended; `tail` is what `branchTail` gave then, `end` how far it went. */
export function startBranch(tail: readonly string[] = [], end = 0): Branch {
  return {
    order: new Map(tail.map((id, index) => [id, index])),
    ends: tail.map(() => end),
    turns: tail.length === 0 ? [] : [0],
  };
}

/** The ids from the last turn on, which a later request may hang on. */
export function branchTail({ order, ends, turns }: Branch): string[] {
  const last = turns.at(-1) ?? 0;
  const from = Math.max(last, ends.length - TAIL);
  const ids = [...order].filter(([, at]) => at >= from || at === last);
  return ids.map(([id]) => id);
}

const isTurn = (entry: TranscriptEntry): boolean =>
  entry.kind === 'request' || entry.kind === 'answer' || entry.kind === 'call';

/**
 * Takes a line up. Only a request can leave what came before: parallel calls of tools branch too, and are all live.
 *
 * @returns `live`; `unknown` where a request hangs on a line that was not seen; or the offset behind which everything up
 * to this line was left, because the person went back
 */
export function followLine(
  branch: Branch,
  link: LineLink | null,
  entries: readonly TranscriptEntry[],
  end: number,
): 'live' | 'unknown' | { leftFrom: number } {
  if (link === null) return 'live';
  const { order, ends, turns } = branch;
  let result: ReturnType<typeof followLine> = 'live';
  if (link.parent !== null && entries.some((entry) => entry.kind === 'request')) {
    const parent = order.get(link.parent);
    const last = turns.at(-1) ?? -1;
    if (parent === undefined) result = order.size === 0 ? 'live' : 'unknown';
    else if (parent < last) {
      result = { leftFrom: ends[parent] ?? 0 };
      for (const [id, at] of order) if (at > parent) order.delete(id);
      while ((turns.at(-1) ?? -1) > parent) turns.pop();
      ends.length = parent + 1;
    }
  }
  if (order.has(link.id)) return result;
  order.set(link.id, ends.length);
  if (entries.some(isTurn)) turns.push(ends.length);
  ends.push(end);
  return result;
}
