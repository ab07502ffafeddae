// Parses Copilot's hook JSON into an Event, and formats our messages as the flat answers that it takes.

import { isObject, type JsonObject, readNonEmpty } from '../../text/json.ts';
import type { Event, HostReply, RunReader, ToolCall } from '../host.ts';
import { readPatchCalls } from '../patch.ts';
import type { Ending, ToolRun } from '../read-only-commands.ts';

/** Hooks of ours; the times of their last runs are saved in this order. Copilot calls the second tool hook for failed calls alone. */
export const COPILOT_HOOKS = [
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'PreCompact',
  'SessionStart',
  'Stop',
  'SessionEnd',
  'PreToolUse',
];

/** Copilot's names of inputs, by what the guardrails call them. */
const FIELDS = { file_path: 'path', content: 'file_text', old_string: 'old_str', new_string: 'new_str' };

/** The calls of a payload as the guardrails know calls; a patch is one for each change of a file. */
export function readCopilotCalls({ tool_name: tool, tool_input: given }: JsonObject): ToolCall[] {
  if (typeof tool !== 'string' || tool === '') return [];
  const own = isObject(given) ? given : {};
  const named = Object.entries(FIELDS).flatMap(([name, field]) => (field in own ? [[name, own[field]]] : []));
  const input = { ...own, ...Object.fromEntries(named) };
  const patch = [given, ...Object.values(own)].find(
    (each): each is string => typeof each === 'string' && each.includes('*** Begin Patch'),
  );
  const patched = patch === undefined ? [] : readPatchCalls(patch);
  return tool !== 'Bash' && patched.length > 0 ? patched : [{ tool, input }, ...patched];
}

/**
 * The event of a payload; null for another one than the hook is called for.
 * @param findTranscript finds the transcript of a session: most payloads do not name it
 */
export function parseCopilotEvent(
  payload: unknown,
  name: string,
  findTranscript: (session: string) => string | null,
): Event | null {
  if (!isObject(payload) || payload.hook_event_name !== name) return null;
  const session = readNonEmpty(payload.session_id);
  const cwd = readNonEmpty(payload.cwd);
  if (session === null || cwd === null) return null;
  const transcript = readNonEmpty(payload.transcript_path) ?? findTranscript(session);
  const common = { session, cwd, transcript, promptId: null, agent: null };
  switch (name) {
    case 'UserPromptSubmit':
      return { ...common, kind: 'prompt', isNotice: false };
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { ...common, kind: 'after-tool', calls: [], payload };
    case 'PreToolUse': {
      const [call = { tool: null, input: null }, ...also] = readCopilotCalls(payload);
      return { ...common, kind: 'before-tool', ...call, also };
    }
    case 'PreCompact':
      return {
        ...{ ...common, kind: 'pre-compact', instructions: readNonEmpty(payload.custom_instructions) },
        trigger: payload.trigger === 'manual' ? 'manual' : 'auto',
      };
    case 'SessionStart':
      return {
        ...{ ...common, kind: 'session-start', model: null },
        source: payload.source === 'resume' ? 'resume' : 'startup',
      };
    case 'Stop':
      return { ...common, kind: 'stop', answer: null, isHeld: payload.stop_hook_active === true };
    case 'SessionEnd':
      return { ...common, kind: 'session-end', reason: readNonEmpty(payload.reason) ?? 'other' };
    default:
      return null;
  }
}

/** Events at which Copilot hands words to the agent. */
const HEARD = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'SessionStart'];

/** The end of a turn is not held: Copilot would give the reason to the agent as the person's own words. */
export function formatCopilotReply(name: string, { context }: HostReply): string | null {
  return context.length > 0 && HEARD.includes(name)
    ? JSON.stringify({ additionalContext: context.join('\n\n') })
    : null;
}

/** How a call has ended: a command's exit code stands at the end of what it gave back. */
function endingOf(payload: JsonObject, output: string): Ending {
  const code = Number(/<shellId: \S+ completed with exit code (\d{1,6})>\s*$/.exec(output)?.[1] ?? 0);
  if (payload.hook_event_name === 'PostToolUseFailure') return { state: 'failed', code: null };
  return code === 0 ? { state: 'ok' } : { state: 'failed', code };
}

function readToolRuns(payload: unknown): ToolRun[] {
  if (!isObject(payload)) return [];
  const result = isObject(payload.tool_result) ? payload.tool_result : {};
  const output = readNonEmpty(result.text_result_for_llm) ?? readNonEmpty(payload.error) ?? '';
  return readCopilotCalls(payload).map((call) => ({ ...call, ending: endingOf(payload, output), output }));
}

export const copilotRuns: RunReader = { readToolRuns, readAgentName: () => null };
