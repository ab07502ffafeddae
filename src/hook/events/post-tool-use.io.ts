// The actions after a tool or a batch of tools: a due alert or handoff, a risen tier, and files that commands changed.

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

/** Reports guarded files that commands have changed; only when guardrails are on. */
async function behindParts(hook: HookContext): Promise<Action[]> {
  if (hook.resolved.settings['guardrails.mode'] === 'off') return [];
  const parts = await tryStepAsync(hook, 'changed files', async () => {
    const behind = await (await import('../../addons/guardrails/hook/worktree-diff.io.ts')).readWorktreeDiff(
      hook,
    );
    return behind === null
      ? []
      : (await import('../../addons/guardrails/hook/worktree-verdict.io.ts')).buildChangedFileActions(
          hook,
          behind,
        );
  });
  return parts ?? [];
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
    ...(await behindParts(hook)),
  ];
}
