// Skips parsing long successful tool results; a checkpoint only needs their tool_use_id.

/** Bytes below which parsing costs less than this check. */
const LONG = 4 * 1024;

// Marked as pure, so that the bundle of the fast path, which does not use them, leaves them out.
const RESULT = /* @__PURE__ */ Buffer.from('"type":"tool_result"');
const ID = /* @__PURE__ */ Buffer.from('"tool_use_id":"');
/**
 * Markers of lines that have to be parsed: a failure, tasks, another session. Inside texts these words have escaped
 * quotes, so an unescaped one belongs to the structure.
 */
const TELLING = /* @__PURE__ */ [
  '"is_error":true',
  '"task":',
  '"tasks":',
  '"isSidechain":true',
  '"agentId":',
].map((each) => Buffer.from(each));

/**
 * The parsed shape of a long line that only tells that a call has succeeded, without its output; null for every other
 * line, which has to be parsed.
 */
export function leanResult(line: Buffer): unknown {
  if (line.length < LONG || !line.includes(RESULT)) return null;
  const at = line.indexOf(ID);
  if (at < 0 || line.indexOf(ID, at + 1) >= 0 || TELLING.some((each) => line.includes(each))) return null;
  const from = at + ID.length;
  const to = line.indexOf('"', from);
  if (to < 0 || line[line.length - 1] !== 0x7d /* } */) return null;
  const id = line.toString('utf8', from, to);
  return { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } };
}
