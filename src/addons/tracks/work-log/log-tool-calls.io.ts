// Records a tool call in the work log of the active track, and keeps the output of failed tests.
import { runActions } from '../../../hook/run-actions.io.ts';
import type { AfterToolContext } from '../../../hook/snapshot.io.ts';
import { tryStep } from '../../../platform/project/try-step.ts';
import { readCurrent } from '../../../sessions/session-state-file.io.ts';
import { formatUtc } from '../entries/entry.ts';
import { findTrackWorkedOn } from './active-track.io.ts';
import { buildToolRunEffects } from './tool-run-effects.io.ts';

/** Appends one line for each call, and keeps the output of tests; prints nothing. */
export async function capture(hook: AfterToolContext): Promise<void> {
  const { event, paths } = hook;
  const { session, payload } = event;
  const { root } = paths;
  const track = findTrackWorkedOn(hook);
  if (track === null || root === null) return;
  if (tryStep(hook, 'work log', () => readCurrent(paths, session))?.off) return;
  const at = formatUtc(hook.now);
  const { readAgentName, readToolRuns } = await hook.host.loadRuns();
  const made = readToolRuns(payload).map((run) => ({ run, at }));
  const keep = buildToolRunEffects(
    hook,
    { root, session, track, agent: readAgentName(payload), isLate: false },
    made,
  );
  if (keep.length > 0) await runActions(hook, '', [{ name: 'work log', effects: keep }], () => undefined);
}
