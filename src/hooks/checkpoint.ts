// How does a hook take a checkpoint of its own conversation?
import type { CheckpointDraft } from '../model/checkpoint.ts';
import { type Place, takeCheckpoint as take } from '../store/take.ts';
import { VERSION } from '../version.ts';
import type { Call, Look } from './look.ts';

/** Where the event's conversation stands, as far as a checkpoint of it goes. */
export const placeIn = (call: Call, look: Look): Place => ({
  paths: call.paths,
  env: call.env,
  conversation: call.event.conversation,
  transcript: call.event.transcript,
  cwd: call.event.cwd,
  orchestration: call.resolved.settings['orchestration.path'],
  stopped: look.state?.stopped ?? null,
  fail: call.fail,
});

/** Composes a checkpoint; every source that fails is left out and noted. */
export const takeCheckpoint = (
  call: Call,
  look: Look,
  input: Omit<Parameters<typeof take>[1], 'by'>,
): CheckpointDraft => take(placeIn(call, look), { ...input, by: `plimsoll ${VERSION}` });
