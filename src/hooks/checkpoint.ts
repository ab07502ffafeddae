// How does a hook take a checkpoint of its own conversation?
import type { CheckpointDraft } from '../model/checkpoint.ts';
import { takeCheckpoint as take } from '../store/take.ts';
import { VERSION } from '../version.ts';
import type { Call, Look } from './look.ts';

type Input = Omit<Parameters<typeof take>[1], 'by'>;

/** Composes a checkpoint; every source that fails is left out and noted. */
export function takeCheckpoint(call: Call, look: Look, input: Input): CheckpointDraft {
  const { event } = call;
  return take(
    {
      paths: call.paths,
      env: call.env,
      conversation: event.conversation,
      transcript: event.transcript,
      cwd: event.cwd,
      orchestration: call.resolved.settings['orchestration.path'],
      stopped: look.state?.stopped ?? null,
      fail: call.fail,
    },
    { ...input, by: `plimsoll ${VERSION}` },
  );
}
