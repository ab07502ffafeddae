// Collects doctor's facts about what the client did with our hook output, and about the usage figures it wrote.

import type { ConversationFacts } from '../hosts/claude-code/install/conversation-findings.ts';
import type { TraceFacts } from '../hosts/claude-code/install/trace-findings.ts';
import { readTimeline } from '../hosts/claude-code/transcript/timeline.io.ts';
import { newTimeline } from '../hosts/claude-code/transcript/timeline.ts';
import { exists } from '../platform/look.ts';
import { frameOf } from '../store/feed.ts';
import { estimateTokens } from '../tags/budget.ts';
import type { Place } from './place.ts';

const WRITERS = ['module', 'statusline'] as const;

/** @param of the facts of the examined session; null where there is none */
export function traceFacts(place: Place, of: ConversationFacts | null): TraceFacts {
  if (of === null) return { troubles: [], arrived: {}, beats: [], answeredAt: null, feeds: [] };
  const read = of.transcript === null ? null : readTimeline(of.transcript, estimateTokens);
  const { troubles, arrived } = read ?? newTimeline();
  const feeds = WRITERS.map((from) => ({ from, path: place.paths.feed(of.id, from) }))
    .filter(({ path }) => exists(path))
    .map(({ from, path }) => ({ from, path, at: frameOf(place.paths, of.id, from)?.at ?? null }));
  return { troubles, arrived, beats: of.beats, answeredAt: of.answeredAt, feeds };
}
