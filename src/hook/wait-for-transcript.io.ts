// Waits, for a moment, until the client has written to the transcript what this event depends on.

import { mayRiseNext } from '../context/announcement.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { holdsAll } from '../hosts/transcript.io.ts';
import { pause } from '../platform/pause.ts';
import { tryStep, tryStepAsync } from '../platform/project/try-step.ts';
import { isCurrent } from './is-current.io.ts';
import { readSnapshot } from './read-snapshot.io.ts';
import type { HookContext } from './snapshot.io.ts';

/** Waits for a line for at most `most` milliseconds, then takes the snapshot again. */
function lookAfter(hook: HookContext, isWritten: () => boolean, most: number, poll: number): SessionSnapshot {
  for (let waited = 0; waited < most && !isWritten(); waited += poll) pause(poll);
  return readSnapshot(hook);
}

/**
 * A fast tool is done before the client has written the answer that called it, so the usage read is one answer old.
 * When that answer may raise the tier, the hook waits for it; otherwise the next hook sees it.
 */
async function afterTool(hook: HookContext, snapshot: SessionSnapshot): Promise<SessionSnapshot> {
  // Nothing is known of a session seen for the first time: its first answer may be a large one (a resume).
  const isNew = snapshot.state === null && snapshot.assessment.tier === null;
  if (!(mayRiseNext(snapshot) || isNew) || isCurrent(hook, snapshot)) return snapshot;
  // In the meantime, loads the code that a rise needs.
  await tryStepAsync(hook, 'checkpoint', () =>
    Promise.all([
      import('../compaction/checkpoint/keep-checkpoint.io.ts'),
      import('../compaction/checkpoint/checkpoint-store.io.ts'),
    ]),
  );
  return lookAfter(hook, () => isCurrent(hook, null), 120, 4);
}

/**
 * At a prompt, the hook before a compaction runs before the client has written that prompt: the last request in the transcript would be
 * an earlier, finished one. Every line of the user's side carries the id of its prompt.
 */
function beforeCompaction(hook: HookContext, snapshot: SessionSnapshot): SessionSnapshot {
  const { transcript, promptId } = hook.event;
  if (transcript === null || promptId === null) return snapshot;
  const isWritten = (end?: number): boolean =>
    tryStep(hook, 'transcript', () => holdsAll(transcript, [promptId], end)) ?? true;
  return isWritten(snapshot.scan?.end) ? snapshot : lookAfter(hook, () => isWritten(), 150, 15);
}

/** The snapshot, taken again if the client wrote late what matters for this event. */
export async function waitForTranscript(
  hook: HookContext,
  snapshot: SessionSnapshot,
): Promise<SessionSnapshot> {
  if (hook.event.kind === 'after-tool') return afterTool(hook, snapshot);
  return hook.event.kind === 'pre-compact' ? beforeCompaction(hook, snapshot) : snapshot;
}
