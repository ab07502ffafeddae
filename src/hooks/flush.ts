// Waits, for a moment, until the client has written to the transcript what this event depends on.

import { tryStep, tryStepAsync } from '../model/try-step.ts';
import { pause } from '../platform/pause.ts';
import { holdsAll } from '../store/transcript.ts';
import { isCurrent } from './current.ts';
import { type Call, isRiseNear, type Look } from './look.ts';
import { lookAt } from './look-anew.ts';

/** Waits for a line for at most `most` milliseconds, then takes the snapshot again. */
function lookAfter(call: Call, isWritten: () => boolean, most: number, poll: number): Look {
  for (let waited = 0; waited < most && !isWritten(); waited += poll) pause(poll);
  return lookAt(call);
}

/**
 * A fast tool is done before the client has written the answer that called it, so the usage read is one answer old.
 * When that answer may raise the tier, the hook waits for it; otherwise the next hook sees it.
 */
async function afterTool(call: Call, look: Look): Promise<Look> {
  // Nothing is known of a session seen for the first time: its first answer may be a large one (a resume).
  const isNew = look.state === null && look.assessment.tier === null;
  if (!(isRiseNear(look) || isNew) || isCurrent(call, look)) return look;
  // In the meantime, loads the code that a rise needs.
  await tryStepAsync(call, 'checkpoint', () =>
    Promise.all([import('./checkpoint.ts'), import('../store/checkpoints.ts')]),
  );
  return lookAfter(call, () => isCurrent(call, null), 120, 4);
}

/**
 * At a prompt, PreCompact runs before the client has written that prompt: the last request in the transcript would be
 * an earlier, finished one. Every line of the user's side carries the id of its prompt.
 */
function beforeCompaction(call: Call, look: Look): Look {
  const { transcript, promptId } = call.event;
  if (transcript === null || promptId === null) return look;
  const isWritten = (end?: number): boolean =>
    tryStep(call, 'transcript', () => holdsAll(transcript, [promptId], end)) ?? true;
  return isWritten(look.scan?.end) ? look : lookAfter(call, () => isWritten(), 150, 15);
}

/** The snapshot, taken again if the client wrote late what matters for this event. */
export async function flushedLook(call: Call, look: Look): Promise<Look> {
  if (call.event.kind === 'after-tool') return afterTool(call, look);
  return call.event.kind === 'pre-compact' ? beforeCompaction(call, look) : look;
}
