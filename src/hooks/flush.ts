// The client writes its lines in batches about 100 ms apart: is what this moment turns on in the file already?

import { attempt, attemptAsync } from '../model/attempt.ts';
import { pause } from '../platform/pause.ts';
import { holdsAll } from '../store/transcript.ts';
import { isCurrent } from './current.ts';
import { type Call, isRiseNear, type Look } from './look.ts';
import { lookAt } from './look-anew.ts';

/** Waits for a line, `most` milliseconds at the most, and looks again. */
function lookAfter(call: Call, isWritten: () => boolean, most: number, poll: number): Look {
  for (let waited = 0; waited < most && !isWritten(); waited += poll) pause(poll);
  return lookAt(call);
}

/**
 * A fast tool is done before the client has written the answer that called it, and the fill seen is one answer old.
 * Where that answer may bring a compaction near it is waited for, a moment; everywhere else the next look will do.
 */
async function afterTool(call: Call, look: Look): Promise<Look> {
  // Of a conversation seen for the first time nothing is known yet: its first answer may be a large one (a resume).
  const isNew = look.state === null && look.assessment.tier === null;
  if (!(isRiseNear(look) || isNew) || isCurrent(call, look)) return look;
  // What a rise will need is loaded in the meantime.
  await attemptAsync(call, 'checkpoint', () =>
    Promise.all([import('./checkpoint.ts'), import('../store/checkpoints.ts')]),
  );
  return lookAfter(call, () => isCurrent(call, null), 120, 4);
}

/**
 * A compaction at a prompt comes before the client has written that prompt: the last request in the file would be one
 * that is done. Every line of the user's side carries the id of its prompt.
 */
function beforeCompaction(call: Call, look: Look): Look {
  const { transcript, promptId } = call.event;
  if (transcript === null || promptId === null) return look;
  const isWritten = (end?: number): boolean =>
    attempt(call, 'transcript', () => holdsAll(transcript, [promptId], end)) ?? true;
  return isWritten(look.scan?.end) ? look : lookAfter(call, () => isWritten(), 150, 15);
}

/** The look, taken again when the client wrote late what matters at this moment. */
export async function flushedLook(call: Call, look: Look): Promise<Look> {
  if (call.event.kind === 'after-tool') return afterTool(call, look);
  return call.event.kind === 'pre-compact' ? beforeCompaction(call, look) : look;
}
