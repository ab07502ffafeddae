// Which calls does Claude Code say have run? One after a tool, several after a batch.
import { isObject, type Json } from '../model/json.ts';

/** The calls of a payload, with what each was given; what has an odd shape is none. */
export function callsIn(payload: Json): { tool: string; input: Json }[] {
  const calls: unknown[] = Array.isArray(payload.tool_calls) ? payload.tool_calls : [payload];
  return calls.flatMap((call) => {
    const { tool_name: tool, tool_input: input } = isObject(call) ? call : {};
    return typeof tool === 'string' ? [{ tool, input: isObject(input) ? input : {} }] : [];
  });
}
