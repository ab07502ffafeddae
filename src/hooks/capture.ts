// Records a tool call in the work log of the active track, and keeps the output of failed tests.
import { agentName, toolRuns } from '../hosts/claude-code/tool-runs.ts';
import type { Event } from '../model/event.ts';
import { timeText } from '../model/tracks/entry.ts';
import { tryStep } from '../model/try-step.ts';
import { readCurrent } from '../store/conversation-file.ts';
import type { Call } from './look.ts';
import { perform } from './perform.ts';
import { runKeeps } from './run-keeps.ts';
import { trackWorkedOn } from './worked-on.ts';

/** The hook's input after a tool, without what concerns context usage. */
type AfterTool = Omit<Call, 'event' | 'feed'> & { event: Extract<Event, { kind: 'after-tool' }> };

/** Appends one line for each call, and keeps the output of tests; prints nothing. */
export async function capture(call: AfterTool): Promise<void> {
  const { event, paths } = call;
  const { conversation, payload } = event;
  const { root } = paths;
  const track = trackWorkedOn(call);
  if (track === null || root === null) return;
  if (tryStep(call, 'work log', () => readCurrent(paths, conversation))?.off) return;
  const at = timeText(call.now);
  const made = toolRuns(payload).map((run) => ({ run, at }));
  const keep = runKeeps(call, { root, conversation, track, agent: agentName(payload), isLate: false }, made);
  if (keep.length > 0) await perform(call, '', [{ name: 'work log', keep }], () => undefined);
}
