// A session as the client writes it: lines that hang on each other, each with what the client says of it, and its hooks.
import { randomUUID } from 'node:crypto';
import type { Line } from '../unit/lines.ts';
import type { Host } from './host.ts';
import { talk } from './talk.ts';

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";

export interface Compacted {
  /** What the summariser was given. */
  facts: string;
  /** What the agent was told. */
  alert: string;
}

/** A session of a host, from its start on; what hooks say is stored as the client stores it. */
export function clientSession(host: Host, id: string) {
  const client = talk(host, id);
  const common = {
    isSidechain: false,
    userType: 'external',
    entrypoint: 'cli',
    cwd: host.project,
    sessionId: id,
    version: '2.1.332',
    gitBranch: 'main',
  };
  let tip: string | null = null;
  let calls = 0;
  let tokens = 20_000;
  const write = (line: Line): string => {
    const uuid = randomUUID();
    client.write({ parentUuid: tip, ...common, ...line, uuid });
    tip = uuid;
    return uuid;
  };
  const store = (event: string, text: string): void => {
    if (text === '') return;
    write({
      type: 'attachment',
      attachment: {
        type: 'hook_additional_context',
        content: [text],
        hookName: event,
        toolUseID: event,
        hookEvent: event,
      },
    });
  };
  const answered = (content: Line[], stop: 'tool_use' | 'end_turn'): void => {
    tokens += 1_500;
    write({
      type: 'assistant',
      requestId: `req_${randomUUID()}`,
      message: {
        id: `msg_${randomUUID()}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content,
        stop_reason: stop,
        stop_sequence: null,
        usage: {
          input_tokens: 4,
          cache_creation_input_tokens: 1_000,
          cache_read_input_tokens: tokens,
          output_tokens: 40,
        },
      },
    });
  };
  const session = {
    id,
    start: (source: 'startup' | 'resume' | 'clear' = 'startup'): string => {
      const { context } = client.fire('SessionStart', { source });
      store('SessionStart', context);
      return context;
    },
    /** The user's prompt; gives what the hook said with it. */
    prompt: (words: string): string => {
      write({
        type: 'user',
        message: { role: 'user', content: words },
        permissionMode: 'default',
        origin: { kind: 'human' },
        promptSource: 'typed',
      });
      const { context } = client.fire('UserPromptSubmit', { prompt: words });
      store('UserPromptSubmit', context);
      return context;
    },
    /** The same without its hook: for the many prompts of a long story. */
    typed: (words: string): void => {
      write({
        type: 'user',
        message: { role: 'user', content: words },
        origin: { kind: 'human' },
        promptSource: 'typed',
      });
    },
    says: (text: string): void => answered([{ type: 'text', text }], 'end_turn'),
    tool: (
      name: string,
      input: Record<string, unknown>,
      output = 'ok',
      options: { failed?: boolean; detail?: unknown } = {},
    ): void => {
      const call = `toolu_${id.slice(0, 4)}${++calls}`;
      answered([{ type: 'tool_use', id: call, name, input }], 'tool_use');
      write({
        type: 'user',
        message: {
          role: 'user',
          content: [
            { tool_use_id: call, type: 'tool_result', content: output, is_error: options.failed === true },
          ],
        },
        ...(options.detail === undefined ? {} : { toolUseResult: options.detail }),
      });
    },
    refused: (name: string, input: Record<string, unknown>, reason: string): void =>
      session.tool(name, input, REFUSED + reason, { failed: true, detail: 'Error: The user rejected it' }),
    compact: (trigger: 'auto' | 'manual' = 'auto'): Compacted => {
      const facts = client.fire('PreCompact', { trigger, custom_instructions: '' }).context;
      const alert = client.fire('SessionStart', { source: 'compact' }).context;
      const last = tip;
      tip = null;
      write({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        level: 'info',
        logicalParentUuid: last,
        compactMetadata: { trigger, preTokens: tokens },
      });
      write({
        type: 'user',
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
        message: {
          role: 'user',
          content:
            'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\nThe work goes on.',
        },
      });
      store('SessionStart', alert);
      tokens = 20_000;
      return { facts, alert };
    },
    stop: (answer: string): void => void client.fire('Stop', { last_assistant_message: answer }),
    end: async (): Promise<void> => {
      client.fire('SessionEnd', { reason: 'prompt_input_exit' });
      await client.kill();
    },
  };
  return session;
}
export type ClientSession = ReturnType<typeof clientSession>;
