// Reads tool runs, with output and ending, from the payloads of PostToolUse, PostToolUseFailure and PostToolBatch.

import { isObject, type JsonObject } from '../../../text/json.ts';
import type { FailedCall, RunReader } from '../../host.ts';
import type { Ending, ToolRun } from '../../read-only-commands.ts';

// Finds the tool calls that failed in the last turn of a Claude Code transcript.
interface FailedOptions {
  before?: readonly unknown[];
  endedAt?: string;
  isAgents?: boolean;
}

const blocksOf = ({ message }: JsonObject): JsonObject[] =>
  isObject(message) && Array.isArray(message.content) ? message.content.filter(isObject) : [];

const asksFor = (blocks: JsonObject[]): JsonObject[] => blocks.filter(({ type }) => type === 'tool_use');

/**
 * Returns the failed calls of these lines, in order. Of an ended turn before the last one, only calls that had failed by
 * `endedAt` count: the client may write the end of a turn after that turn's last hook, while all other turns were not ours
 * to look at. A turn that was cut off (interrupted, killed) goes on with the next. A call that was refused or interrupted
 * has not failed; the client reports a call with a structured result as one that went well.
 *
 * @param lines parsed, in the order of the file
 * @param options.before the lines before them, already looked at: a call made there may have failed since
 * @param options.endedAt when the last turn ended that was looked at, as an ISO time; '' for none
 * @param options.isAgents whether the file is a subagent's; where it is not, the lines of subagents in it are left out
 */
export function findFailedCalls(
  lines: Iterable<unknown>,
  { before = [], endedAt = '', isAgents = false }: FailedOptions = {},
): FailedCall[] {
  let failed: FailedCall[] = [];
  const calls = new Map<string, JsonObject>();
  for (const line of before) {
    if (!isObject(line)) continue;
    for (const block of asksFor(blocksOf(line))) calls.set(text(block.id), { ...block, at: line.timestamp });
  }
  let isOver = false;
  for (const line of lines) {
    if (!isObject(line)) continue;
    if (!isAgents && (line.isSidechain === true || line.agentId !== undefined)) continue;
    const blocks = blocksOf(line);
    const at = text(line.timestamp);
    // An answer that the client made up itself is a turn cut off.
    if (line.type === 'assistant' && (line.message as JsonObject | undefined)?.model !== '<synthetic>') {
      const asked = asksFor(blocks);
      for (const block of asked) calls.set(text(block.id), { ...block, at });
      isOver = asked.length === 0;
    } else if (line.type === 'user') {
      const results = blocks.filter((block) => block.type === 'tool_result');
      if (results.length === 0 && isOver) failed = failed.filter((call) => call.at <= endedAt);
      isOver = false;
      for (const { tool_use_id: id, is_error: isError, content } of results) {
        const call = calls.get(text(id));
        if (isError !== true || call === undefined) continue;
        if (isObject(line.toolUseResult) || line.toolDenialKind !== undefined) continue;
        const output = Array.isArray(content) ? joinBlocks(content) : text(content);
        const run = buildFailedRun(text(call.name), isObject(call.input) ? call.input : {}, output);
        if (run.ending.state === 'failed') failed.push({ run, calledAt: text(call.at), at });
      }
    }
  }
  return failed;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Blocks of content as one text. */
export const joinBlocks = (blocks: readonly unknown[]): string =>
  blocks
    .map((block) => (isObject(block) ? text(block.text) : ''))
    .filter(Boolean)
    .join('\n');

/** What a tool gave back, as text: what the model sees, or the parts of a structured result that hold text. */
function outputOf(response: unknown): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) return joinBlocks(response);
  if (!isObject(response)) return '';
  const parts = [text(response.stdout), text(response.stderr)].filter(Boolean);
  return parts.length > 0
    ? parts.join('\n')
    : Array.isArray(response.content)
      ? joinBlocks(response.content)
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
export function buildFailedRun(tool: string, input: JsonObject, output: string): ToolRun {
  const seen = endingIn(tool, output);
  return { tool, input, ending: seen.state === 'ok' ? { state: 'failed', code: null } : seen, output };
}

function runOf(call: JsonObject, event: unknown): ToolRun[] {
  const { tool_name: tool, tool_input: input, tool_response: response } = call;
  if (typeof tool !== 'string' || !isObject(input)) return [];
  if (event === 'PostToolUseFailure') {
    const run = buildFailedRun(tool, input, text(call.error));
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
export const readAgentSigns = (type: string, id: string): string => `${type} ${id.slice(0, 8)}`.trim();

/** The short name of the subagent that made the calls; null in the main session. */
export function readAgentName(payload: unknown): string | null {
  if (!isObject(payload) || text(payload.agent_id) === '') return null;
  return readAgentSigns(text(payload.agent_type), text(payload.agent_id));
}

export const claudeRuns: RunReader = { readToolRuns, readAgentName };
