// The actions at a prompt of the user: a due alert or handoff, the workflow, context usage, and the project's rules.
import type { Outcome, Part } from '../model/outcome.ts';
import { BUDGETS, estimateTokens } from '../tags/budget.ts';
import { housekeeping } from './housekeeping.ts';
import type { Call, Look } from './look.ts';
import { monitorParts } from './monitor.ts';
import { handoffOwed, owedParts, resumptionOwed, workflowOwed } from './owed.ts';

/** The rules that the project wants repeated at every prompt. */
const rulesPart = (call: Call): Part => ({
  name: 'quality-reinforcement',
  say: ({ tokens }) => {
    const context = call.resolved.reinforcement;
    // The alert after a compaction comes first; the next prompt has room for the rules.
    const fits = context !== null && tokens() + estimateTokens(context) <= BUDGETS.prompt;
    return fits ? { context } : null;
  },
});

export async function promptSubmit(call: Call, look: Look): Promise<Outcome> {
  return [
    ...housekeeping(call, look),
    ...(await owedParts(call, look, 'UserPromptSubmit')),
    ...(await resumptionOwed(call, look, 'UserPromptSubmit')),
    ...(await handoffOwed(call, look, 'UserPromptSubmit')),
    ...(await workflowOwed(call, look)),
    ...(await monitorParts(call, look, 'prompt')),
    rulesPart(call),
  ];
}
