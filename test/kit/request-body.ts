// Reads the body of a Messages API request as plain text, and tells whose request it is.
import type { Kind } from './script.ts';

export type Block = { type: string; text?: string; content?: unknown; input?: unknown };
export type Content = string | readonly Block[];
export type MessagesBody = {
  model?: string;
  system?: Content;
  messages?: readonly { role: string; content: Content }[];
  tools?: readonly { name?: string }[];
  stream?: boolean;
};

/** Everything the model would read in a content: text, tool calls, tool results (which nest content). */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(blockText).join('\n');
}

function blockText(block: Block): string {
  if (block.type === 'tool_use') return JSON.stringify(block.input ?? {});
  return block.text ?? contentText(block.content);
}

/**
 * From the last user message on. Some models get hook context as a message of role `system` behind the
 * prompt, so the very last message alone may be nothing the user or a tool said.
 */
export function lastText(body: MessagesBody): string {
  const messages = body.messages ?? [];
  const from = messages.findLastIndex((message) => message.role === 'user');
  return messages
    .slice(Math.max(from, 0))
    .map((message) => contentText(message.content))
    .join('\n');
}

/** The wording is the client's own (seen in 2.1.332); an agent's compaction counts as a summary. */
export function kindOf(body: MessagesBody, agentId: string | undefined): Kind {
  const asked = lastText(body);
  if (/<summary>/.test(asked) && /create a detailed summary|Respond with TEXT ONLY/i.test(asked))
    return 'summary';
  if (agentId !== undefined) return 'agent';
  if (!body.tools?.length || /\[SUGGESTION MODE/.test(asked)) return 'side';
  return 'main';
}
