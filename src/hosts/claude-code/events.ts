// Parses Claude Code's hook JSON on stdin into an Event, and formats our messages as its hook JSON on stdout.
import type { Event, RareEvent } from '../../model/event.ts';
import { isObject, textOf } from '../../model/json.ts';

const idsOf = (calls: unknown): string[] =>
  (Array.isArray(calls) ? calls : []).flatMap((call) =>
    isObject(call) ? (textOf(call.tool_use_id) ?? []) : [],
  );

/**
 * The event of a payload, or null for a payload of another event than the one named on the command line, or without a
 * session. Prompts and tools are read here; rare events in `rareEvent`, in a chunk that is loaded only for them.
 */
export function parseEvent(payload: unknown, name: string): Event | RareEvent | null {
  if (!isObject(payload) || payload.hook_event_name !== name) return null;
  const conversation = textOf(payload.session_id);
  const cwd = textOf(payload.cwd);
  if (conversation === null || cwd === null) return null;
  const common = {
    conversation,
    transcript: textOf(payload.transcript_path),
    cwd,
    agent: textOf(payload.agent_id),
    promptId: textOf(payload.prompt_id),
    payload,
  };
  switch (name) {
    case 'UserPromptSubmit':
      return {
        ...common,
        kind: 'prompt',
        isNotice: textOf(payload.prompt)?.startsWith('<task-notification>') === true,
      };
    // One call that went well or badly, or all of a batch.
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PostToolBatch':
      return { ...common, kind: 'after-tool', calls: idsOf(payload.tool_calls ?? [payload]) };
    default:
      return { ...common, kind: 'rare' };
  }
}

/** The hook output for messages to the model alone; null for none. Not for PreCompact. */
export const contextReply = (name: string, context: readonly string[]): string | null =>
  context.length === 0
    ? null
    : JSON.stringify({
        hookSpecificOutput: { hookEventName: name, additionalContext: context.join('\n\n') },
      });

/**
 * The hook output, or null for none. PreCompact takes plain text only: JSON there is discarded, and text that begins with
 * `{` would be read as JSON.
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
