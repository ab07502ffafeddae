// Builds lines of a transcript as the client writes them, with the fields that a reader may look at.

export type Line = Record<string, unknown>;

const AT = '2026-11-27T10:00:00.000Z';

export interface AnswerOptions {
  id?: string;
  model?: string;
  output?: number;
  at?: string | null;
  usage?: unknown;
  content?: unknown;
}

/** One line of an answer of the main session with so many tokens of context, most of them cached. */
export function answer(tokens: number, options: AnswerOptions = {}, more: Line = {}): Line {
  const { id = 'msg_1', model = 'claude-sonnet-4-5', output = 50, at = AT } = options;
  return {
    type: 'assistant',
    uuid: 'u',
    parentUuid: 'p',
    isSidechain: false,
    ...(at === null ? {} : { timestamp: at }),
    message: {
      id,
      model,
      role: 'assistant',
      content: options.content ?? [{ type: 'text', text: 'Done.' }],
      usage: options.usage ?? {
        input_tokens: Math.min(tokens, 4),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: Math.max(tokens - 4, 0),
        output_tokens: output,
      },
    },
    ...more,
  };
}

export const boundary = (
  trigger: 'auto' | 'manual' = 'auto',
  preTokens: unknown = 167_000,
  more: Line = {},
): Line => ({
  type: 'system',
  subtype: 'compact_boundary',
  parentUuid: null,
  timestamp: AT,
  content: 'Conversation compacted',
  compactMetadata: { trigger, preTokens },
  ...more,
});

export const summary = (more: Line = {}): Line => ({
  type: 'user',
  isCompactSummary: true,
  parentUuid: 'of-the-boundary',
  timestamp: AT,
  message: { role: 'user', content: 'This session is being continued from a previous conversation …' },
  ...more,
});

export const attachment = (content: Line, more: Line = {}): Line => ({
  type: 'attachment',
  timestamp: AT,
  attachment: content,
  ...more,
});

/** What a hook said, as the client stores it when it was delivered. */
export const injection = (...content: string[]): Line =>
  attachment({ type: 'hook_additional_context', content, hookName: 'SessionStart' });

/** What the user typed. */
export const request = (content: unknown, more: Line = {}): Line => ({
  type: 'user',
  isSidechain: false,
  timestamp: AT,
  message: { role: 'user', content },
  ...more,
});

/** An answer that uses one tool. */
export const toolUse = (id: string, name: string, input: unknown, more: Line = {}): Line =>
  answer(50_000, { content: [{ type: 'tool_use', id, name, input }] }, more);

/** What a tool gave back; `detail` is the structured result beside it. */
export const toolResult = (
  id: string,
  content: unknown = 'ok',
  options: { isError?: boolean; detail?: unknown } = {},
): Line => ({
  type: 'user',
  isSidechain: false,
  timestamp: AT,
  message: {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: id,
        content,
        ...(options.isError === true ? { is_error: true } : {}),
      },
    ],
  },
  ...(options.detail === undefined ? {} : { toolUseResult: options.detail }),
});

export const jsonl = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
