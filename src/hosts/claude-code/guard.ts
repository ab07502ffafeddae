// Formats a guardrail verdict for Claude Code: deny, ask, a message to the agent, or nothing; never "allow".
import type { Verdict } from '../verdict.ts';

/** The host cuts at 10,000 characters. */
const MOST = 4_000;

/** The hook output at PreToolUse, or null for none, which leaves the call to the user's own permissions. */
export function formatVerdict({ decision, reason }: Verdict): string | null {
  if (decision === 'abstain' || reason === null) return null;
  const text = `Plimsoll: ${reason.slice(0, MOST)}`;
  const output =
    decision === 'warn'
      ? { hookEventName: 'PreToolUse', additionalContext: text }
      : { hookEventName: 'PreToolUse', permissionDecision: decision, permissionDecisionReason: text };
  return JSON.stringify({ hookSpecificOutput: output });
}
