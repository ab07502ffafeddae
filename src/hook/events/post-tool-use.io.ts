// The actions after a tool or a batch of tools: a due alert or handoff, a risen tier, and files that commands changed.

import { buildAddonActions } from '../../addons/addon.ts';
import type { Announcement } from '../../context/announcement.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { buildMonitorActions } from '../../context/monitor.io.ts';
import { buildStateActions } from '../../sessions/update-state.io.ts';
import type { HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';
import {
  buildPendingActions,
  buildWorkflowActions,
  followUpHandoff,
  giveMissedHandoff,
} from './pending-notices.io.ts';

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
    ...(await buildAddonActions('after-tool', hook, snapshot)),
  ];
}
