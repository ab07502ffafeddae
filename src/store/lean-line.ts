// A long result of a tool that did not fail: who called it is all that a checkpoint asks, so it is not parsed in full.

/** Bytes below which parsing costs less than looking. */
const LONG = 4 * 1024;

// Marked as pure: the hot entry, which does without them, is built without them.
const RESULT = /* @__PURE__ */ Buffer.from('"type":"tool_result"');
const ID = /* @__PURE__ */ Buffer.from('"tool_use_id":"');
/**
 * What makes a line more than that: a failure, tasks, another conversation. In text these words stand with escaped
 * quotes, so an unescaped one is the structure's own.
 */
const TELLING = /* @__PURE__ */ [
  '"is_error":true',
  '"task":',
  '"tasks":',
  '"isSidechain":true',
  '"agentId":',
].map((each) => Buffer.from(each));

/**
 * The parsed shape of a long line that says only "this call has succeeded", without its output; null for every other
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
