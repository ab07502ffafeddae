// Parses Codex's hook JSON into an Event, and formats our messages as the only answers that its closed schemas take.

import { isObject, type JsonObject, readNonEmpty } from '../../text/json.ts';
import type { Event, HostReply, RunReader, ToolCall } from '../host.ts';
import { readPatchCalls } from '../patch.ts';
import type { ToolRun } from '../read-only-commands.ts';

/** Hooks of ours; the times of their last runs are saved in this order. */
export const CODEX_HOOKS = [
  'UserPromptSubmit',
  'PostToolUse',
  'PreCompact',
  'SessionStart',
  'Stop',
  'SessionEnd',
  'PreToolUse',
];

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/**
 * The calls of a payload as the guardrails know calls: a patch is one for each change of a file. A command that holds a patch
 * is both, since it may do more than that.
 */
export function readCodexCalls({ tool_name: tool, tool_input: given }: JsonObject): ToolCall[] {
  if (typeof tool !== 'string' || tool === '') return [];
  const input = isObject(given) ? given : {};
  const text = Object.values(input).find(
    (each): each is string => typeof each === 'string' && each.includes('*** Begin Patch'),
  );
  const patched = text === undefined ? [] : readPatchCalls(text);
  return tool === 'apply_patch' && patched.length > 0 ? patched : [{ tool, input }, ...patched];
}

/** The event of a payload; null for another one than the hook is called for. */
export function parseCodexEvent(payload: unknown, name: string): Event | null {
  if (!isObject(payload) || payload.hook_event_name !== name) return null;
  const session = readNonEmpty(payload.session_id);
  const cwd = readNonEmpty(payload.cwd);
  if (session === null || cwd === null) return null;
  const common = {
    ...{ session, cwd, transcript: readNonEmpty(payload.transcript_path) },
    ...{ promptId: readNonEmpty(payload.turn_id), agent: readNonEmpty(payload.agent_id) },
  };
  switch (name) {
    case 'UserPromptSubmit':
      return { ...common, kind: 'prompt', isNotice: false };
    case 'PostToolUse': {
      const call = readNonEmpty(payload.tool_use_id);
      return { ...common, kind: 'after-tool', calls: call === null ? [] : [call], payload };
    }
    case 'PreToolUse': {
      const [call = { tool: null, input: null }, ...also] = readCodexCalls(payload);
      return { ...common, kind: 'before-tool', ...call, also };
    }
    case 'PreCompact':
      return {
        ...{ ...common, kind: 'pre-compact', instructions: null },
        trigger: payload.trigger === 'manual' ? 'manual' : 'auto',
      };
    case 'SessionStart': {
      const source = SOURCES.find((each) => each === payload.source);
      const model = readNonEmpty(payload.model);
      return source === undefined ? null : { ...common, kind: 'session-start', source, model };
    }
    case 'Stop':
      return {
        ...{ ...common, kind: 'stop', answer: readNonEmpty(payload.last_assistant_message) },
        isHeld: payload.stop_hook_active === true,
      };
    case 'SessionEnd':
      return { ...common, kind: 'session-end', reason: readNonEmpty(payload.reason) ?? 'other' };
    default:
      return null;
  }
}

/** One key that the schema of an event does not know drops the whole answer. */
export function formatCodexReply(name: string, said: HostReply): string | null {
  if (name === 'SessionEnd') return null;
  if (said.blockStop !== null)
    return name === 'Stop' ? JSON.stringify({ decision: 'block', reason: said.blockStop }) : null;
  const context = name === 'PreCompact' || name === 'Stop' ? '' : said.context.join('\n\n');
  const person = said.person.join('\n');
  if (context === '' && person === '') return null;
  return JSON.stringify({
    ...(context === '' ? {} : { hookSpecificOutput: { hookEventName: name, additionalContext: context } }),
    ...(person === '' ? {} : { systemMessage: person }),
  });
}

/** Codex does not say how a call ended. */
const runsOf = (payload: unknown): ToolRun[] =>
  isObject(payload)
    ? readCodexCalls(payload).map((call) => ({
        ...{ ...call, ending: { state: 'ok' }, output: readNonEmpty(payload.tool_response) ?? '' },
      }))
    : [];

export const codexRuns: RunReader = { readToolRuns: runsOf, readAgentName: () => null };
