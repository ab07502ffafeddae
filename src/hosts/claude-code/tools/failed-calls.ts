// Finds the tool calls that failed in the last turn of a Claude Code transcript.

import { isObject, type JsonObject } from '../../../text/json.ts';
import type { FailedCall } from '../../host.ts';
import { failedRun, joined } from './runs.ts';

export interface FailedOptions {
  before?: readonly unknown[];
  endedAt?: string;
  isAgents?: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
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
        const output = Array.isArray(content) ? joined(content) : text(content);
        const run = failedRun(text(call.name), isObject(call.input) ? call.input : {}, output);
        if (run.ending.state === 'failed') failed.push({ run, calledAt: text(call.at), at });
      }
    }
  }
  return failed;
}
