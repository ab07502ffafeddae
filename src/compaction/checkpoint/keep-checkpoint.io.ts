// Builds a checkpoint of the event's session, and reads and saves the ledger that it is made from.

import type { SessionSnapshot } from '../../context/context-status.ts';
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { tryStepAsync } from '../../platform/project/try-step.ts';
import { VERSION } from '../../version.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Thread } from '../ledger/thread.io.ts';
import { withStop } from '../work-of-ledger.ts';
import { buildCheckpoint, type CheckpointSource } from './build-checkpoint.io.ts';
import type { CheckpointDraft } from './checkpoint.ts';

/** The sources for a checkpoint of the event's session. */
const placeIn = (hook: HookContext, snapshot: SessionSnapshot): CheckpointSource => ({
  paths: hook.paths,
  env: hook.env,
  conversation: hook.event.conversation,
  transcript: hook.event.transcript,
  cwd: hook.event.cwd,
  orchestration: hook.resolved.settings['orchestration.path'],
  since: {
    session: snapshot.state?.started ?? null,
    phase: snapshot.state?.workflow_file?.phase_since ?? null,
  },
  onFailure: hook.onFailure,
});

/** Milliseconds that a hook reads far back; the hook before a compaction ends within three seconds, and the next hook reads on. */
const LONGEST_READING = 1_700;

/** Threads that were read already, so that each is read once per hook run. */
const threads = new WeakMap<HookContext, Promise<Thread | null>>();

const threadIn = (hook: HookContext): Promise<Thread | null> => {
  const read =
    threads.get(hook) ??
    tryStepAsync(hook, 'ledger', async () => {
      const { currentThread } = await import('../ledger/thread.io.ts');
      const { host, paths, event } = hook;
      const source = { reader: host.entries, paths, longest: LONGEST_READING };
      return currentThread(source, event.conversation, event.transcript);
    });
  threads.set(hook, read);
  return read;
};

/** The current ledger of the event's session, or null when it cannot be read. */
export async function ledgerIn(hook: HookContext, snapshot: SessionSnapshot): Promise<Ledger | null> {
  const thread = await threadIn(hook);
  return thread === null ? null : withStop(thread.ledger, snapshot.state?.last_stop ?? null);
}

/** Saves the ledger as far as it was read, so that the next hook continues from there. */
export async function buildLedgerAction(hook: HookContext): Promise<Action[]> {
  const thread = await threadIn(hook);
  if (thread === null) return [];
  const { isStored, threadText } = await import('../ledger/thread.io.ts');
  if (isStored(thread)) return [];
  const { conversation } = hook.event;
  return [{ name: 'ledger', effects: [{ do: 'save-ledger', conversation, text: threadText(thread) }] }];
}

/** Composes a checkpoint; a source that fails is left out and logged. */
export async function takeCheckpoint(
  hook: HookContext,
  snapshot: SessionSnapshot,
  input: Omit<Parameters<typeof buildCheckpoint>[1], 'by' | 'ledger'>,
): Promise<CheckpointDraft> {
  const ledger = await ledgerIn(hook, snapshot);
  return buildCheckpoint(placeIn(hook, snapshot), { ...input, ledger, by: `plimsoll ${VERSION}` });
}
