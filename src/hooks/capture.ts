// Records a tool call in the work log of the active track, and keeps the output of failed tests.
export { claudeRuns } from '../hosts/claude-code/tools/runs.ts';

import type { Event } from '../model/event.ts';
import { timeText } from '../model/tracks/entry.ts';
import { tryStep } from '../model/try-step.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { runActions } from './run-actions.ts';
import { runKeeps } from './run-keeps.ts';
import type { FastContext } from './snapshot.ts';
import { trackWorkedOn } from './worked-on.ts';

/** The hook's input after a tool, without what concerns context usage. */
type AfterTool = Omit<FastContext, 'event' | 'feed'> & { event: Extract<Event, { kind: 'after-tool' }> };

/** Appends one line for each call, and keeps the output of tests; prints nothing. */
export async function capture(hook: AfterTool): Promise<void> {
  const { event, paths } = hook;
  const { conversation, payload } = event;
  const { root } = paths;
  const track = trackWorkedOn(hook);
  if (track === null || root === null) return;
  if (tryStep(hook, 'work log', () => readCurrent(paths, conversation))?.off) return;
  const at = timeText(hook.now);
  const { readAgentName, readToolRuns } = await hook.host.loadRuns();
  const made = readToolRuns(payload).map((run) => ({ run, at }));
  const keep = runKeeps(
    hook,
    { root, conversation, track, agent: readAgentName(payload), isLate: false },
    made,
  );
  if (keep.length > 0) await runActions(hook, '', [{ name: 'work log', effects: keep }], () => undefined);
}
