// The actions after a tool or a batch of tools: a due alert or handoff, a risen tier, and files that commands changed.

import { ADDONS } from '../../addons/addon.ts';
import type { Announcement } from '../../context/announcement.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { buildMonitorActions } from '../../context/monitor.io.ts';
import { tryStepAsync } from '../../platform/project/try-step.ts';
import { buildStateActions } from '../../sessions/update-state.io.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';
import {
  buildPendingActions,
  buildWorkflowActions,
  followUpHandoff,
  giveMissedHandoff,
} from './pending-notices.io.ts';

/** What add-ons say of a tool call. */
async function buildAddonActions(hook: HookContext): Promise<Action[]> {
  const actions: Action[] = [];
  for (const addon of ADDONS)
    actions.push(...((await tryStepAsync(hook, 'tool call', async () => addon.afterTool?.(hook))) ?? []));
  return actions;
}

export async function handlePostToolUse(
  hook: HookContext,
  snapshot: SessionSnapshot,
  announcement: Announcement,
  channel: string,
): Promise<HookResult> {
  return [
    ...buildStateActions(hook, snapshot),
    ...(await buildPendingActions(hook, snapshot, channel)),
    ...(await followUpHandoff(hook, snapshot, channel)),
    ...(await giveMissedHandoff(hook, snapshot, channel)),
    ...(await buildWorkflowActions(hook, snapshot)),
    ...(await buildMonitorActions(hook, snapshot, announcement)),
    ...(await buildAddonActions(hook)),
  ];
}
