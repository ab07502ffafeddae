// The segments of a replayed session: the first warning of each channel, the files that were known, and what a compaction cost.

import type { BoundaryFact, UsageFact } from '../hosts/entry.ts';
import { type Channel, findLead, type ReplayedCompaction, type ReplayedPlace } from './replayed.ts';

/** A file of the segment before that was read again soon after: what the compaction cost. */
const REWORK_CALLS = 20;

export function createSegments() {
  const compactions: ReplayedCompaction[] = [];
  let warning: Partial<Record<Channel, ReplayedPlace>> = {};
  let files = new Set<string>();
  let known = new Set<string>();
  let calls = 0;
  let bytes = 0;
  let summed = 0;
  return {
    compactions,
    addBytes(count: number): void {
      bytes += count;
    },
    /** @param isNew whether it is the first line of the call */
    addCall({ tokens }: UsageFact, isNew: boolean): void {
      if (isNew) calls++;
      const last = compactions.at(-1);
      if (last !== undefined && calls === 1) last.next_tokens = tokens;
    },
    endCall({ tokens, output }: UsageFact): void {
      summed += tokens + output;
    },
    addWarning(channel: Channel, place: () => ReplayedPlace): void {
      warning[channel] ??= place();
    },
    hasWarning: (channel: Channel): boolean => warning[channel] !== undefined,
    addFile(type: 'read' | 'write', path: string): void {
      const last = compactions.at(-1);
      if (last !== undefined && type === 'read' && calls <= REWORK_CALLS && known.delete(path)) last.rework++;
      files.add(path);
    },
    compact(
      boundary: BoundaryFact,
      end: ReplayedPlace,
      before: { usage: UsageFact | null; window: number; client: string | null },
    ): void {
      const { usage, window, client } = before;
      compactions.push({
        ...{ trigger: boundary.trigger, at: boundary.at, call: end.calls },
        ...{ window: usage === null ? null : window, client },
        ...{ pre_tokens: boundary.preTokens, last_tokens: usage?.tokens ?? null, next_tokens: null },
        lead: {
          prompt_only: findLead(warning.prompt_only, end),
          with_tool_use: findLead(warning.with_tool_use, end),
          status_line: findLead(warning.status_line, end),
        },
        other_methods: {
          input_only: usage?.input ?? null,
          summed,
          bytes_by_4: Math.round(bytes / 4),
        },
        rework: 0,
      });
      known = files;
      files = new Set();
      warning = {};
      calls = 0;
      bytes = 0;
    },
  };
}
