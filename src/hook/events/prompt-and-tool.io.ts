// The actions at a prompt and after a tool: a due alert or handoff, the workflow, context usage, and the project's rules.

import { buildAddonActions } from '../../addons/addon.ts';
import type { Announcement } from '../../context/announcement.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { buildMonitorActions } from '../../context/monitor.io.ts';
import { buildStateActions } from '../../sessions/update-state.io.ts';
import { BUDGETS, estimateTokens } from '../../text/budget.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';
import {
  buildPendingActions,
  buildWorkflowActions,
  followUpHandoff,
  giveMissedHandoff,
} from './pending-notices.io.ts';

/** The rules that the project wants repeated at every prompt. */
const rulesPart = (hook: HookContext): Action => ({
  name: 'quality-reinforcement',
  render: ({ tokens }) => {
    const context = hook.resolved.promptText;
    // The alert after a compaction comes first; the next prompt has room for the rules.
    const fits = context !== null && tokens() + estimateTokens(context) <= BUDGETS.prompt;
    return fits ? { context } : null;
  },
});

export async function handlePromptOrTool(
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
    ...(hook.event.kind === 'prompt'
      ? [rulesPart(hook)]
      : await buildAddonActions('after-tool', hook, snapshot)),
  ];
}
