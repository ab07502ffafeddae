// Writes a scripted turn in the wire format of the Messages API, as one message or as a stream of events.
import type { MessagesBody } from './request-body.ts';
import type { Turn, Usage } from './script.ts';

type TextBlock = { type: 'text'; text: string };
type ToolBlock = { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

export type Message = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: (TextBlock | ToolBlock)[];
  stop_reason: string;
  stop_sequence: null;
  usage: Usage & Record<string, unknown>;
};
export type ApiError = { type: 'error'; error: { type: string; message: string } };
export type Answer = { status: number; error: ApiError } | { status: 200; message: Message };

/** Characters / 4: only for turns of which the test does not care how large they are. */
export function estimatedTokens(body: MessagesBody): number {
  return Math.ceil(JSON.stringify([body.system, body.tools, body.messages]).length / 4);
}

function usageOf(turn: Turn, body: MessagesBody): Message['usage'] {
  const output = { output_tokens: turn.output ?? 20 };
  if (turn.usage) {
    const zero = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    return { ...zero, ...output, ...turn.usage };
  }
  const total = turn.fill ?? estimatedTokens(body);
  const input = Math.min(10, total);
  const creation = Math.min(1_000, total - input);
  return {
    input_tokens: input,
    cache_creation_input_tokens: creation,
    cache_read_input_tokens: total - input - creation,
    ...output,
  };
}

/** `n` is the request's number and makes the ids unique within a sandbox. */
export function answerOf(turn: Turn, body: MessagesBody, n: number): Answer {
  if (turn.error) {
    const { status, type = 'invalid_request_error', message } = turn.error;
    return { status, error: { type: 'error', error: { type, message } } };
  }
  const tools = (turn.tools ?? []).map(
    ({ name, input, id }, index): ToolBlock => ({
      type: 'tool_use',
      id: id ?? `toolu_${n}_${index}`,
      name,
      input,
    }),
  );
  // An answer without any content is not something the API sends.
  const text = turn.text ?? (tools.length === 0 ? 'OK' : undefined);
  return {
    status: 200,
    message: {
      id: `msg_scripted_${n}`,
      type: 'message',
      role: 'assistant',
      model: body.model ?? 'unknown',
      content: [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...tools],
      stop_reason: turn.stopReason ?? (tools.length > 0 ? 'tool_use' : 'end_turn'),
      stop_sequence: null,
      usage: usageOf(turn, body),
    },
  };
}

/** The message as server-sent events. Output tokens are final only in message_delta, as with the real API. */
export function eventStream(message: Message): string {
  const opening = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...message.usage, output_tokens: 1 },
  };
  const { stop_reason, stop_sequence, usage } = message;
  const events = [
    { type: 'message_start', message: opening },
    ...message.content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      { type: 'content_block_delta', index, delta: deltaOf(block) },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const emptied = (block: TextBlock | ToolBlock) =>
  block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };

const deltaOf = (block: TextBlock | ToolBlock) =>
  block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
