// The Responses API as one more wire of the scripted model: a request as a body of messages, an answer as its events.
import type { Message } from './answer.ts';
import type { Block, MessagesBody } from './request-body.ts';

type Item = Record<string, unknown> & { type?: string; role?: string };

const textIn = (content: unknown): string =>
  Array.isArray(content) ? content.map((block: { text?: string }) => block.text ?? '').join('\n') : '';

function blockOf(item: Item): Block {
  if (item.type === 'message') return { type: 'text', text: textIn(item.content) };
  const output = typeof item.output === 'string' ? item.output : textIn(item.output);
  const made = String(item.arguments ?? item.input ?? '');
  return { type: 'text', text: item.type?.endsWith('_output') === true ? output : made };
}

/** A request of the Responses API as the body of a Messages request. */
export function fromResponses(body: Record<string, unknown>): MessagesBody {
  const items = (Array.isArray(body.input) ? body.input : []) as Item[];
  return {
    model: String(body.model ?? ''),
    system: String(body.instructions ?? ''),
    tools: (body.tools ?? []) as { name?: string }[],
    stream: true,
    messages: items.map((item) => ({ role: item.role ?? 'assistant', content: [blockOf(item)] })),
  };
}

/** An answer as server-sent events of the Responses API. */
export function responsesStream({ id, content, usage }: Message): string {
  const used = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const items = content.map((block, index) =>
    block.type === 'text'
      ? {
          ...{ type: 'message', id: `${id}_${index}`, role: 'assistant' },
          content: [{ type: 'output_text', text: block.text }],
        }
      : // A call whose input is a text and no object is one of a custom tool.
        typeof block.input.text === 'string'
        ? {
            ...{ type: 'custom_tool_call', id: `ctc_${id}_${index}`, call_id: block.id, name: block.name },
            input: block.input.text,
          }
        : {
            ...{ type: 'function_call', id: `fc_${id}_${index}`, call_id: block.id, name: block.name },
            arguments: JSON.stringify(block.input),
          },
  );
  const told = {
    ...{ input_tokens: used, input_tokens_details: { cached_tokens: usage.cache_read_input_tokens } },
    ...{ output_tokens: usage.output_tokens, output_tokens_details: { reasoning_tokens: 0 } },
    total_tokens: used + usage.output_tokens,
  };
  return [
    { type: 'response.created', response: { id } },
    ...items.map((item) => ({ type: 'response.output_item.done', item })),
    { type: 'response.completed', response: { id, usage: told } },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
