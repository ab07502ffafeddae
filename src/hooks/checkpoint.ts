// Builds a checkpoint of the event's session, and reads and saves the ledger that it is made from.
import type { Ledger } from '../compaction/ledger.ts';
import type { Thread } from '../compaction/thread.io.ts';
import { withStop } from '../compaction/work-of-ledger.ts';
import type { CheckpointDraft } from '../model/checkpoint.ts';
import type { Part } from '../model/outcome.ts';
import { tryStepAsync } from '../model/try-step.ts';
import { type Place, takeCheckpoint as take } from '../store/take.ts';
import { VERSION } from '../version.ts';
import type { Call, Look } from './look.ts';

/** The sources for a checkpoint of the event's session. */
const placeIn = (call: Call, look: Look): Place => ({
  paths: call.paths,
  env: call.env,
  conversation: call.event.conversation,
  transcript: call.event.transcript,
  cwd: call.event.cwd,
  orchestration: call.resolved.settings['orchestration.path'],
  since: { session: look.state?.started ?? null, phase: look.state?.workflow_file?.phase_since ?? null },
  onFailure: call.onFailure,
});

/** Threads that were read already, so that each is read once per hook run. */
const threads = new WeakMap<Call, Promise<Thread | null>>();

const threadIn = (call: Call): Promise<Thread | null> => {
  const read =
    threads.get(call) ??
    tryStepAsync(call, 'ledger', async () => {
      const { currentThread } = await import('../compaction/thread.io.ts');
      return currentThread(call.paths, call.event.conversation, call.event.transcript);
    });
  threads.set(call, read);
  return read;
};

/** The current ledger of the event's session, or null when it cannot be read. */
export async function ledgerIn(call: Call, look: Look): Promise<Ledger | null> {
  const thread = await threadIn(call);
  return thread === null ? null : withStop(thread.ledger, look.state?.stopped ?? null);
}

/** Saves the ledger as far as it was read, so that the next hook continues from there. */
export async function ledgerPart(call: Call): Promise<Part[]> {
  const thread = await threadIn(call);
  if (thread === null) return [];
  const { isStored, threadText } = await import('../compaction/thread.io.ts');
  if (isStored(thread)) return [];
  const { conversation } = call.event;
  return [{ name: 'ledger', keep: [{ do: 'save-ledger', conversation, text: threadText(thread) }] }];
}

/** Composes a checkpoint; a source that fails is left out and logged. */
export async function takeCheckpoint(
  call: Call,
  look: Look,
  input: Omit<Parameters<typeof take>[1], 'by' | 'ledger'>,
): Promise<CheckpointDraft> {
  const ledger = await ledgerIn(call, look);
  return take(placeIn(call, look), { ...input, ledger, by: `plimsoll ${VERSION}` });
}
