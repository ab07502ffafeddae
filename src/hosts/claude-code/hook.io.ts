// What every hook needs of Claude Code: small, because it is loaded at every event.

import type { HookHost } from '../host.ts';
import type { Verdict } from '../verdict.ts';
import { readEnvironment } from './environment.io.ts';
import { formatReply, parseEvent } from './events.ts';
import { claudeLimits } from './limits.ts';
import { HOOK_NAMES, HOOKS } from './names.ts';
import { readToolCalls } from './tools/kinds.ts';
import { claudeFacts } from './transcript/line.ts';

/** The host cuts at 10,000 characters. */
const MOST = 4_000;

/** The hook output at PreToolUse, or null for none, which leaves the call to the user's own permissions. */
function formatVerdict({ decision, reason }: Verdict): string | null {
  if (decision === 'abstain' || reason === null) return null;
  const text = `Plimsoll: ${reason.slice(0, MOST)}`;
  const output =
    decision === 'warn'
      ? { hookEventName: 'PreToolUse', additionalContext: text }
      : { hookEventName: 'PreToolUse', permissionDecision: decision, permissionDecisionReason: text };
  return JSON.stringify({ hookSpecificOutput: output });
}

export const claudeCodeHook: Omit<HookHost, 'load' | 'loadRuns'> = {
  name: 'claude-code',
  hooks: HOOK_NAMES,
  beforeTool: HOOKS.beforeTool,
  parseEvent,
  formatReply,
  formatVerdict,
  readEnvironment,
  facts: claudeFacts,
  limits: claudeLimits,
  readToolCalls,
};
