// The actions after a tool or a batch of tools: a due alert or handoff, a risen tier, and files that commands changed.

import type { Announcement } from '../context/announcement.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action, HookResult } from '../model/action.ts';
import { tryStepAsync } from '../model/try-step.ts';
import { monitorParts } from './monitor.ts';
import { handoffOwed, owedParts, resumptionOwed, workflowOwed } from './pending-notices.ts';
import type { HookContext } from './snapshot.ts';
import { housekeeping } from './update-state.ts';

/** Reports guarded files that commands have changed; only when guardrails are on. */
async function behindParts(hook: HookContext): Promise<Action[]> {
  if (hook.resolved.settings['guardrails.mode'] === 'off') return [];
  const parts = await tryStepAsync(hook, 'changed files', async () => {
    const behind = await (await import('./changed.ts')).lookBehind(hook);
    return behind === null ? [] : (await import('./changed-verdict.ts')).changedParts(hook, behind);
  });
  return parts ?? [];
}

export async function postToolUse(
  hook: HookContext,
  snapshot: SessionSnapshot,
  announcement: Announcement,
  channel: string,
): Promise<HookResult> {
  return [
    ...housekeeping(hook, snapshot),
    ...(await owedParts(hook, snapshot, channel)),
    ...(await resumptionOwed(hook, snapshot, channel)),
    ...(await handoffOwed(hook, snapshot, channel)),
    ...(await workflowOwed(hook, snapshot)),
    ...(await monitorParts(hook, snapshot, announcement)),
    ...(await behindParts(hook)),
  ];
}
