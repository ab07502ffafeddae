// Which tool calls have failed in the turn that a transcript of Claude Code ends with?
import { isObject, type Json } from '../model/json.ts';
import type { ToolRun } from '../model/tracks/tool-run.ts';
import { failedRun, joined } from './claude-code-tool-runs.ts';

export interface FailedCall {
  run: ToolRun;
  /** When it was asked for, and when it had failed: ISO times, '' where the line has none. */
  calledAt: string;
  at: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const blocksOf = ({ message }: Json): Json[] =>
  isObject(message) && Array.isArray(message.content) ? message.content.filter(isObject) : [];

/**
 * The failed calls of the last turn, in order. Those of a turn before it are left out when that one has ended, for they
 * were that end's business; a turn that was cut off (interrupted, killed) goes on with the next. What was refused or
 * interrupted has not failed, and of a call with a structured result the client tells as of one that went well.
 *
 * @param lines parsed, in the order of the file
 * @param isAgents whether the file is a subagent's; where it is not, the lines of subagents in it are left out
 */
export function failedCalls(lines: Iterable<unknown>, isAgents: boolean): FailedCall[] {
  let failed: FailedCall[] = [];
  const calls = new Map<string, Json>();
  let isOver = false;
  for (const line of lines) {
    if (!isObject(line)) continue;
    if (!isAgents && (line.isSidechain === true || line.agentId !== undefined)) continue;
    const blocks = blocksOf(line);
    const at = text(line.timestamp);
    // An answer that the client made up itself is a turn cut off.
    if (line.type === 'assistant' && (line.message as Json | undefined)?.model !== '<synthetic>') {
      const asked = blocks.filter((block) => block.type === 'tool_use');
      for (const block of asked) calls.set(text(block.id), { ...block, at });
      isOver = asked.length === 0;
    } else if (line.type === 'user') {
      const results = blocks.filter((block) => block.type === 'tool_result');
      if (results.length === 0 && isOver) failed = [];
      isOver = false;
      for (const { tool_use_id: id, is_error: isError, content } of results) {
        const call = calls.get(text(id));
        if (isError !== true || call === undefined) continue;
        if (isObject(line.toolUseResult) || line.toolDenialKind !== undefined) continue;
        const output = Array.isArray(content) ? joined(content) : text(content);
        const run = failedRun(text(call.name), isObject(call.input) ? call.input : {}, output);
        if (run.ending.state === 'failed') failed.push({ run, calledAt: text(call.at), at });
      }
    }
  }
  return failed;
}
