// A tool is about to be called: does anything have to be looked at, now or when it has run?

import { attempt } from '../model/attempt.ts';
import { needsLook } from '../model/guardrails/needs-look.ts';
import { leavesTraces, mayChange } from '../model/guardrails/tool-kinds.ts';
import { isObject } from '../model/json.ts';
import { readLooked } from '../store/looked.ts';
import type { GuardCall } from './look.ts';

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
  const { fields = {} } = settings['guardrails.paths'];
  const isNamed = allow.length + deny.length + Object.keys(fields).length > 0;
  if (!isNamed && !mayChange(tool)) return;
  const isPlain = tool === 'Bash' && typeof input.command === 'string' && !needsLook(input.command);
  if (allow.length + deny.length > 0 || !isPlain) {
    const { judgeCall } = await import('./guard-verdict.ts');
    if ((await judgeCall(call, { tool, input }, print)) === 'deny') return;
  }
  if (!leavesTraces({ tool, input })) return;
  // Subagents work beside the main conversation: for them only what was never looked at is looked at.
  const { agent, promptId, conversation } = call.event;
  const last = attempt(call, 'changed files', () => readLooked(call.paths, conversation));
  if (last === null || (agent === null && last.prompt !== promptId))
    await (await import('./changed.ts')).takeBase(call, last);
}
