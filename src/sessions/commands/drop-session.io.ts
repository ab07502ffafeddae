// Drops the work of a session on disk: its own, what it was handed, and what of it others were handed.

import { markDropped } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import type { Ledger } from '../../compaction/ledger/ledger.ts';
import {
  dropHandedWork,
  dropWork,
  formatThread,
  hashSessionId,
  readCurrentThread,
  readOrigin,
  type Thread,
  type ThreadSource,
} from '../../compaction/ledger/thread.io.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { remove, replaceFile } from '../../platform/write.ts';
import { appendEvents } from '../event-log.io.ts';
import type { SessionPatch, SessionState } from '../session-state.ts';
import { patchSessionState, readStates, readUsableState } from '../session-states.io.ts';

/** The most sessions that are followed back. */
const LONGEST_CHAIN = 50;
/** A command can wait longer for a lock than a hook, in ms. */
const WAIT_MS = 5_000;

/** Without the checkpoints that are still to be told, an alert tells of the work as the ledger has it. */
const forgetCheckpoints = ({ pending_compaction: pending, alert }: SessionState): SessionPatch => ({
  pending_compaction: pending && { ...pending, checkpoint: null },
  ...(alert?.status === 'leased' ? { alert: { ...alert, checkpoint: null } } : {}),
});

/** Without what a session was handed as well, nothing of the work before is told there. */
const forgetHanded = (state: SessionState): SessionPatch => ({
  ...forgetCheckpoints(state),
  received_handoff: null,
  pointed_to: null,
  handoff_due: null,
});

/** The session, and those whose work it went on with, as far as they were not dropped before. */
function chainOf(paths: ProjectPaths, state: SessionState): SessionState[] {
  const chain = [state];
  for (const each of chain) {
    const from = each.received_handoff?.from;
    const before = from === undefined || chain.length > LONGEST_CHAIN ? null : readUsableState(paths, from);
    const isTaken = before?.resumed_by?.session_id === each.session_id;
    const isKnown = chain.some(({ session_id }) => session_id === from);
    if (before !== null && isTaken && before.dropped?.cause !== 'person' && !isKnown) chain.push(before);
  }
  return chain;
}

/** What is written about a session: its state first, so that no hook meanwhile takes up again what the ledger gave away. */
interface Rewrite {
  id: string;
  patch: SessionPatch;
  thread: Thread;
}

function write(paths: ProjectPaths, { id, patch, thread }: Rewrite): void {
  patchSessionState(paths, id, patch);
  replaceFile(paths.session(id).ledger, formatThread(thread));
}

/**
 * The sessions that hold dropped work which was handed to them, and those that they handed it on to: each goes on with the
 * rest. What a ledger was begun from counts as well, for forks, and where the state forgot it.
 */
function findHeirs(source: ThreadSource, dropped: readonly SessionState[]): Rewrite[] {
  const { paths } = source;
  const seen = new Set(dropped.map(({ session_id }) => session_id));
  const others = readStates(paths, { wanted: (state) => state.dropped?.cause !== 'person' }).map(
    ({ state }) => {
      const { session_id: id, received_handoff: handed, pointed_to: pointed } = state;
      return { state, from: [handed && hashSessionId(handed.from), pointed, readOrigin(paths, id)] };
    },
  );
  const found: Rewrite[] = [];
  const queue = dropped.map(({ session_id }) => ({ id: session_id, ledger: null as Ledger | null }));
  for (const before of queue) {
    const key = hashSessionId(before.id);
    for (const { state, from } of others) {
      const { session_id: id, transcript } = state;
      if (seen.has(id) || !from.includes(key)) continue;
      const thread = readCurrentThread(source, id, transcript);
      // One that was only pointed to a session without dropped work of its own holds nothing of it.
      if (before.ledger !== null && thread.from !== key) continue;
      seen.add(id);
      const rest = dropHandedWork(source, thread, transcript, before.ledger);
      const patch = before.ledger === null ? forgetHanded(state) : forgetCheckpoints(state);
      found.push({ id, patch, thread: rest });
      queue.push({ id, ledger: rest.ledger });
    }
  }
  return found;
}

/**
 * Drops the work of a session: its own, what it was handed by others, and what others were handed by it, who go on without
 * it. The session itself comes last: where something fails before, it can be dropped again.
 *
 * @returns ids of the sessions whose work was dropped, the given one first
 */
export function dropSession(
  source: ThreadSource,
  state: SessionState,
  { reason, now, onFailure }: { reason: string; now: number; onFailure: (error: unknown) => void },
): string[] {
  const { paths } = source;
  const chain = chainOf(paths, state);
  const own = chain.map((each) => ({
    each,
    thread: dropWork(readCurrentThread(source, each.session_id, each.transcript)),
  }));
  // Those last that lead to the others.
  for (const heir of findHeirs(source, chain).reverse()) {
    markDropped(paths, heir.id, reason, now);
    write(paths, heir);
  }
  const at = new Date(now).toISOString();
  for (const { each, thread } of own.reverse()) {
    const { session_id: id } = each;
    markDropped(paths, id, reason, now);
    const patch: SessionPatch = {
      ...forgetHanded(each),
      last_stop: null,
      last_checkpoint: null,
      ...(each.alert?.status === 'leased' ? { alert: null } : {}),
    };
    write(paths, { id, patch, thread });
    remove(paths.session(id).stop);
    patchSessionState(paths, id, { resumed_by: null, dropped: { at, reason, cause: 'person' } });
    try {
      appendEvents(paths, id, [{ type: 'SessionAbandoned', reason, cause: 'person' }], {
        now,
        wait: WAIT_MS,
      });
    } catch (error) {
      // The state alone says how the session stands: without this line it is dropped all the same.
      onFailure(error);
    }
  }
  return chain.map(({ session_id }) => session_id);
}
