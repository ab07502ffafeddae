// Reads the tool calls that a Claude Code payload reports: one after a tool, several after a batch.
import { isObject, type JsonObject } from '../../../text/json.ts';

/** The calls of a payload, each with its input; an entry of another shape is skipped. */
export function readToolCalls(payload: JsonObject): { tool: string; input: JsonObject }[] {
  const calls: unknown[] = Array.isArray(payload.tool_calls) ? payload.tool_calls : [payload];
  return calls.flatMap((call) => {
    const { tool_name: tool, tool_input: input } = isObject(call) ? call : {};
    return typeof tool === 'string' ? [{ tool, input: isObject(input) ? input : {} }] : [];
  });
}
