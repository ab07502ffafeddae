// How does Claude Code speak? Its hook JSON on stdin becomes an Event; our words become its hook JSON on stdout.
import type { Event } from '../model/event.ts';
import { isObject } from '../model/json.ts';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const idsOf = (calls: unknown): string[] =>
  (Array.isArray(calls) ? calls : []).flatMap((call) =>
    isObject(call) ? (text(call.tool_use_id) ?? []) : [],
  );

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/** Event names that this product registers, and what they are to us. */
export const EVENT_NAMES = [
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolBatch',
  'PreCompact',
  'SessionStart',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/**
 * The event that a payload states, or null for anything not understood: other events, a payload of another event
 * than the one named on the command line, no conversation.
 */
export function parseEvent(payload: unknown, name: string): Event | null {
  if (!isObject(payload) || payload.hook_event_name !== name) return null;
  const conversation = text(payload.session_id);
  const cwd = text(payload.cwd);
  if (conversation === null || cwd === null) return null;
  const common = {
    conversation,
    transcript: text(payload.transcript_path),
    cwd,
    agent: text(payload.agent_id),
    promptId: text(payload.prompt_id),
  };
  switch (name as EventName) {
    case 'UserPromptSubmit':
      return { ...common, kind: 'prompt' };
    case 'PostToolUse':
      return { ...common, kind: 'after-tool', calls: idsOf([payload]) };
    case 'PostToolBatch':
      return { ...common, kind: 'after-tool', calls: idsOf(payload.tool_calls) };
    case 'PreCompact':
      return {
        ...common,
        kind: 'pre-compact',
        trigger: payload.trigger === 'manual' ? 'manual' : 'auto',
        instructions: text(payload.custom_instructions),
      };
    case 'SessionStart': {
      const source = SOURCES.find((each) => each === payload.source);
      return source === undefined
        ? null
        : { ...common, kind: 'session-start', source, model: text(payload.model) };
    }
    default:
      return null;
  }
}

/**
 * What goes to stdout, or null for silence. PreCompact takes plain text only: JSON there is discarded, and text that
 * begins with `{` would be read as JSON.
 */
export function formatReply(name: string, said: { context: string[]; person: string[] }): string | null {
  const context = said.context.join('\n\n');
  if (name === 'PreCompact') return context === '' || context.startsWith('{') ? null : context;
  const person = said.person.join('\n');
  if (context === '' && person === '') return null;
  return JSON.stringify({
    ...(context === '' ? {} : { hookSpecificOutput: { hookEventName: name, additionalContext: context } }),
    ...(person === '' ? {} : { systemMessage: person }),
  });
}
