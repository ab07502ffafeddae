// The actions after a tool or a batch of tools: a due alert or handoff, a risen tier, and files that commands changed.

import type { Outcome, Part } from '../model/outcome.ts';
import { tryStepAsync } from '../model/try-step.ts';
import { housekeeping } from './housekeeping.ts';
import type { Call, Look } from './look.ts';
import { monitorParts } from './monitor.ts';
import { handoffOwed, owedParts, resumptionOwed, workflowOwed } from './owed.ts';

/** Reports guarded files that commands have changed; only when guardrails are on. */
async function behindParts(call: Call): Promise<Part[]> {
  if (call.resolved.settings['guardrails.mode'] === 'off') return [];
  const parts = await tryStepAsync(call, 'changed files', async () => {
    const behind = await (await import('./changed.ts')).lookBehind(call);
    return behind === null ? [] : (await import('./changed-verdict.ts')).changedParts(call, behind);
  });
  return parts ?? [];
}

export async function postToolUse(call: Call, look: Look, channel: string): Promise<Outcome> {
  return [
    ...housekeeping(call, look),
    ...(await owedParts(call, look, channel)),
    ...(await resumptionOwed(call, look, channel)),
    ...(await handoffOwed(call, look, channel)),
    ...(await workflowOwed(call, look)),
    ...(await monitorParts(call, look, 'mid-turn')),
    ...(await behindParts(call)),
  ];
}
