// A tool is about to be called: does anything have to be looked at?

import { needsLook } from '../model/guardrails/needs-look.ts';
import { isObject } from '../model/json.ts';
import type { GuardCall } from './look.ts';

/** Tools that only look: unless the project names tools, nothing of theirs is judged. */
const HARMLESS =
  /^(?:Read|Glob|Grep|LS|NotebookRead|WebFetch|WebSearch|TodoWrite|Task\w*|Agent|ToolSearch|BashOutput|KillShell|ExitPlanMode|AskUserQuestion|Skill)$/;

/**
 * Judges a call before it runs; says nothing where it may go on, which leaves it to the user's own permissions.
 * Calls of subagents are judged like all others.
 */
export async function guard(call: GuardCall, print: (text: string) => void): Promise<void> {
  const { settings } = call.resolved;
  if (settings['guardrails.mode'] === 'off' || call.paths.root === null) return;
  const { tool_name: tool, tool_input: input } = call.event.payload;
  if (typeof tool !== 'string' || !isObject(input)) {
    call.fail('event', 'not understood: a tool call without a name or an input');
    return;
  }
  const { allow = [], deny = [] } = settings['guardrails.tools'];
  if (allow.length + deny.length === 0) {
    if (HARMLESS.test(tool)) return;
    if (tool === 'Bash' && typeof input.command === 'string' && !needsLook(input.command)) return;
  }
  const { judgeCall } = await import('./guard-verdict.ts');
  await judgeCall(call, { tool, input }, print);
}
