// Reads tool runs, with output and ending, from the payloads of PostToolUse, PostToolUseFailure and PostToolBatch.

import { isObject, type JsonObject } from '../../../text/json.ts';
import type { RunReader } from '../../host.ts';
import type { Ending, ToolRun } from '../../tool-run.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Blocks of content as one text. */
export const joined = (blocks: readonly unknown[]): string =>
  blocks
    .map((block) => (isObject(block) ? text(block.text) : ''))
    .filter(Boolean)
    .join('\n');

/** What a tool gave back, as text: what the model sees, or the parts of a structured result that hold text. */
function outputOf(response: unknown): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) return joined(response);
  if (!isObject(response)) return '';
  const parts = [text(response.stdout), text(response.stderr)].filter(Boolean);
  return parts.length > 0
    ? parts.join('\n')
    : Array.isArray(response.content)
      ? joined(response.content)
      : '';
}

/**
 * How a call ended, by the words with which the client begins what the model sees; a batch says it nowhere else. A command
 * that prints the same words itself cannot be told apart.
 */
function endingIn(tool: string, output: string): Ending {
  const start = output.trimStart().slice(0, 400);
  // Most outputs begin in another way: then none of what follows is tried.
  if (!/^[CEPT<[]/.test(start)) return { state: 'ok' };
  const code = /^(?:Error: )?Exit code (\d{1,6})(?:\s|$)/.exec(start)?.[1];
  if (code !== undefined && /^(?:Bash|PowerShell)$/.test(tool))
    return { state: 'failed', code: Number(code) };
  if (
    /^(?:Permission to use .* (?:has been|was) denied|This command requires approval|PreToolUse:\S+ hook error|Plimsoll: |The user doesn't want to (?:proceed|take this action)|Claude requested permissions? )/.test(
      start,
    )
  )
    return { state: 'denied' };
  if (/^\[Request interrupted/.test(start)) return { state: 'interrupted' };
  if (/^(?:<tool_use_error>|Command timed out|Error: )/.test(start)) return { state: 'failed', code: null };
  return { state: 'ok' };
}

/** How a call with a structured result ended: it succeeded, was interrupted, or runs in the background. */
function endingOf(response: unknown): Ending {
  if (!isObject(response)) return { state: 'ok' };
  if (response.interrupted === true) return { state: 'interrupted' };
  return { state: response.status === 'async_launched' || response.backgroundTaskId ? 'started' : 'ok' };
}

/** A call that failed or was not allowed to run; what the model sees of it says which. */
export function failedRun(tool: string, input: JsonObject, output: string): ToolRun {
  const seen = endingIn(tool, output);
  return { tool, input, ending: seen.state === 'ok' ? { state: 'failed', code: null } : seen, output };
}

function runOf(call: JsonObject, event: unknown): ToolRun[] {
  const { tool_name: tool, tool_input: input, tool_response: response } = call;
  if (typeof tool !== 'string' || !isObject(input)) return [];
  if (event === 'PostToolUseFailure') {
    const run = failedRun(tool, input, text(call.error));
    return [call.is_interrupt === true ? { ...run, ending: { state: 'interrupted' } } : run];
  }
  const output = outputOf(response);
  if (event !== 'PostToolBatch') return [{ tool, input, ending: endingOf(response), output }];
  const isLaunched = output.startsWith('Async agent launched');
  return [{ tool, input, ending: isLaunched ? { state: 'started' } : endingIn(tool, output), output }];
}

/** The tool runs in the payload of an event after tools; what is no call is left out. */
export function readToolRuns(payload: unknown): ToolRun[] {
  if (!isObject(payload)) return [];
  const { hook_event_name: event, tool_calls: calls } = payload;
  if (event !== 'PostToolBatch') return runOf(payload, event);
  return (Array.isArray(calls) ? calls : []).flatMap((call) => (isObject(call) ? runOf(call, event) : []));
}

/** A short name of a subagent: its type and the start of its id. */
export const agentSigns = (type: string, id: string): string => `${type} ${id.slice(0, 8)}`.trim();

/** The short name of the subagent that made the calls; null in the main session. */
export function readAgentName(payload: unknown): string | null {
  if (!isObject(payload) || text(payload.agent_id) === '') return null;
  return agentSigns(text(payload.agent_type), text(payload.agent_id));
}

export const claudeRuns: RunReader = { readToolRuns, readAgentName };
