// What every hook needs of Claude Code, and no more: its events, its reply to a prompt or tool, its limits.

import { isObject, readNonEmpty } from '../../text/json.ts';
import type { Event, HookHost, HostReply, RareEvent } from '../host.ts';
import { formatHookVerdict } from '../verdict.ts';
import { readEnvironment } from './environment.io.ts';
import { claudeLimits } from './limits.ts';
import { HOOK_NAMES, HOOKS } from './names.ts';
import { readToolCalls } from './tools/kinds.ts';
import { claudeFacts } from './transcript/line.ts';

// Parses Claude Code's hook JSON on stdin into an Event, and formats our messages as its hook JSON on stdout.
const idsOf = (calls: unknown): string[] =>
  (Array.isArray(calls) ? calls : []).flatMap((call) =>
    isObject(call) ? (readNonEmpty(call.tool_use_id) ?? []) : [],
  );

/**
 * The event of a payload, or null for a payload of another event than the one named on the command line, or without a
 * session. Prompts and tools are read here; rare events in `rareEvent`, in a chunk that is loaded only for them.
 */
export function parseEvent(payload: unknown, name: string): Event | RareEvent | null {
  if (!isObject(payload) || payload.hook_event_name !== name) return null;
  const session = readNonEmpty(payload.session_id);
  const cwd = readNonEmpty(payload.cwd);
  if (session === null || cwd === null) return null;
  const common = {
    session,
    transcript: readNonEmpty(payload.transcript_path),
    cwd,
    agent: readNonEmpty(payload.agent_id),
    promptId: readNonEmpty(payload.prompt_id),
    payload,
  };
  switch (name) {
    case 'UserPromptSubmit':
      return {
        ...common,
        kind: 'prompt',
        isNotice: readNonEmpty(payload.prompt)?.startsWith('<task-notification>') === true,
      };
    // One call that went well or badly, or all of a batch.
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PostToolBatch':
      return { ...common, kind: 'after-tool', calls: idsOf(payload.tool_calls ?? [payload]) };
    case 'PreToolUse':
      return {
        ...common,
        kind: 'before-tool',
        tool: typeof payload.tool_name === 'string' ? payload.tool_name : null,
        input: isObject(payload.tool_input) ? payload.tool_input : null,
      };
    default:
      // The client's own agents, as that of a compaction, have no type, and nothing is kept of them.
      return {
        ...common,
        ...{ kind: 'rare', ofAgents: name === 'SubagentStop' && readNonEmpty(payload.agent_type) !== null },
      };
  }
}

/** Set by clients that run the hooks of Claude Code's own files and plugins: Copilot CLI, Droid. A shell within one has it too. */
const OTHER_CLIENTS = ['COPILOT_CLI', 'FACTORY_PROJECT_DIR'];
/** Claude Code names its transcript at every event. */
const OWN_TRANSCRIPT = /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/;

/** Whether another client runs a hook that was meant for Claude Code: its payload names no transcript of Claude Code. */
export const isOfOtherClient = (payload: unknown, env: Record<string, string | undefined>): boolean =>
  OTHER_CLIENTS.some((name) => env[name]) &&
  !(isObject(payload) && OWN_TRANSCRIPT.test(readNonEmpty(payload.transcript_path) ?? ''));

/**
 * The hook output, or null for none; `blockStop` blocks the end of a turn and gives the agent the reason to go on. PreCompact takes plain text only: JSON there is discarded, and text that begins with
 * `{` would be read as JSON.
 */
export function formatReply(name: string, said: HostReply): string | null {
  if (said.blockStop !== null) return JSON.stringify({ decision: 'block', reason: said.blockStop });
  const context = said.context.join('\n\n');
  if (name === 'PreCompact') return context === '' || context.startsWith('{') ? null : context;
  const person = said.person.join('\n');
  if (context === '' && person === '') return null;
  return JSON.stringify({
    ...(context === '' ? {} : { hookSpecificOutput: { hookEventName: name, additionalContext: context } }),
    ...(person === '' ? {} : { systemMessage: person }),
  });
}

export const claudeCodeHook: Omit<HookHost, 'load' | 'loadRuns'> = {
  name: 'claude-code',
  hooks: HOOK_NAMES,
  beforeTool: HOOKS.beforeTool,
  isOfOtherClient,
  parseEvent,
  formatReply,
  formatVerdict: (verdict) => formatHookVerdict(verdict, true),
  readEnvironment,
  facts: claudeFacts,
  limits: claudeLimits,
  readToolCalls,
};
