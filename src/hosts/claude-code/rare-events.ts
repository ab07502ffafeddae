// Parses Claude Code's rare hook events: start and end of a session, compaction, end of a turn or of a subagent.

import { isObject, readNonEmpty } from '../../text/json.ts';
import type { Event, RareEvent } from '../host.ts';

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/** Milliseconds that a hook waits for its payload: less than the client gives it (5 s and more; 1 s at a session's end). */
export const findStdinTime = (event: string): number => (event === 'SessionEnd' ? 500 : 4_000);

/** The kind of a hook run: a session that starts runs other code than one that was compacted. */
export function runKind(event: string, payload: unknown): string {
  const source = isObject(payload) ? SOURCES.find((each) => each === payload.source) : undefined;
  return source === undefined ? event : `${event}-${source}`;
}

/** The event of a rare payload, or null for one that this product does not know. */
export function parseRareEvent({ payload, kind: _, ofAgents: __, ...common }: RareEvent): Event | null {
  switch (payload.hook_event_name) {
    case 'PreCompact':
      return {
        ...common,
        kind: 'pre-compact',
        trigger: payload.trigger === 'manual' ? 'manual' : 'auto',
        instructions: readNonEmpty(payload.custom_instructions),
      };
    case 'SessionStart': {
      const source = SOURCES.find((each) => each === payload.source);
      return source === undefined
        ? null
        : { ...common, kind: 'session-start', source, model: readNonEmpty(payload.model) };
    }
    case 'Stop':
      return {
        ...common,
        kind: 'stop',
        answer: readNonEmpty(payload.last_assistant_message),
        isHeld: payload.stop_hook_active === true,
      };
    case 'SubagentStop':
      return {
        ...common,
        kind: 'subagent-stop',
        type: readNonEmpty(payload.agent_type),
        answer: readNonEmpty(payload.last_assistant_message),
        wrote: readNonEmpty(payload.agent_transcript_path),
      };
    case 'SessionEnd':
      return { ...common, kind: 'session-end', reason: readNonEmpty(payload.reason) ?? 'other' };
    default:
      return null;
  }
}
