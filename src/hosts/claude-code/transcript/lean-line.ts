// Skips parsing long successful tool results; a checkpoint only needs their tool_use_id.

import type { LineBytes } from '../../entry.ts';

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);

/** Bytes below which parsing costs less than this check. */
const LONG = 4 * 1024;

const RESULT = bytes('"type":"tool_result"');
const QUOTE = bytes('"');
const ID = bytes('"tool_use_id":"');
/**
 * Markers of lines that have to be parsed: a failure, tasks, another session. Inside texts these words have escaped
 * quotes, so an unescaped one belongs to the structure.
 */
const TELLING = ['"is_error":true', '"task":', '"tasks":', '"isSidechain":true', '"agentId":'].map(bytes);

/**
 * The parsed shape of a long line that only tells that a call has succeeded, without its output; null for every other
 * line, which has to be parsed.
 */
export function leanResult(line: LineBytes): unknown {
  if (line.length < LONG || line.indexOf(RESULT) < 0) return null;
  const at = line.indexOf(ID);
  if (at < 0 || line.indexOf(ID, at + 1) >= 0 || TELLING.some((each) => line.indexOf(each) >= 0)) return null;
  const from = at + ID.length;
  const to = line.indexOf(QUOTE, from);
  if (to < 0 || line.toString('latin1', line.length - 1, line.length) !== '}') return null;
  const id = line.toString('latin1', from, to);
  return { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } };
}
