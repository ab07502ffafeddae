// Drops the work of a session, so that nobody is told of it again: no later session, and not its own next request either.

import { acknowledge } from '../compaction/checkpoint/checkpoint-files.io.ts';
import {
  currentThread,
  dropHandedWork,
  dropWork,
  hashSessionId,
  threadText,
} from '../compaction/ledger/thread.io.ts';
import type { EntryReader } from '../hosts/entry.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { replaceFile } from '../platform/write.ts';
import { appendEvents } from './event-log.io.ts';
import type { SessionPatch, SessionState } from './session-state.ts';
import { patchSessionState, readStates, readUsableState } from './session-states.io.ts';

/** The most sessions that are followed back. */
const LONGEST_CHAIN = 50;
/** A command can wait longer for a lock than a hook, in ms. */
const WAIT_MS = 5_000;

/** Without what a session was handed, and the checkpoints that are still to be told, nothing of the work before is told there. */
const nothingOwed = ({ pending_compaction: pending, alert }: SessionState): SessionPatch => ({
  received_handoff: null,
  pointed_to: null,
  handoff_due: null,
  pending_compaction: pending && { ...pending, checkpoint: null },
  ...(alert?.status === 'leased' ? { alert: { ...alert, checkpoint: null } } : {}),
});

/** Drops one session; what follows there later is work of its own. */
function dropOne(
  { reader, paths }: { reader: EntryReader; paths: ProjectPaths },
  state: SessionState,
  { reason, now }: { reason: string; now: number },
): void {
  const { session_id: id, transcript, last_checkpoint: last } = state;
  const text = threadText(dropWork(currentThread({ reader, paths }, id, transcript)));
  replaceFile(paths.session(id).ledger, text);
  patchSessionState(paths, id, {
    ...nothingOwed(state),
    dropped: { at: new Date(now).toISOString(), reason, cause: 'person' },
    last_stop: null,
    last_checkpoint: null,
    ...(state.alert?.status === 'leased' ? { alert: null } : {}),
  });
  if (last !== null) acknowledge(paths, id, last.id, `dropped: ${reason}`, now);
  appendEvents(paths, id, [{ type: 'SessionDropped', reason, cause: 'person' }], { now, wait: WAIT_MS });
}

/**
 * Drops the work of a session: its own, what it was handed by others, and what another one was handed by it, which goes on
 * without it.
 */
export function dropSession(
  source: { reader: EntryReader; paths: ProjectPaths },
  state: SessionState,
  why: { reason: string; now: number },
): void {
  const { paths } = source;
  const chain = [state];
  for (const each of chain) {
    const from = each.received_handoff?.from;
    const before = from === undefined || chain.length > LONGEST_CHAIN ? null : readUsableState(paths, from);
    const isTaken = before?.resumed_by?.session_id === each.session_id;
    if (before !== null && isTaken && before.dropped?.cause !== 'person') chain.push(before);
  }
  const isHeir = ({ received_handoff: handed, pointed_to: pointed }: SessionState): boolean =>
    handed?.from === state.session_id || pointed === hashSessionId(state.session_id);
  const heirs = readStates(paths, { wanted: isHeir }).map(({ state: heir }) => ({
    heir,
    text: threadText(
      dropHandedWork(source, currentThread(source, heir.session_id, heir.transcript), heir.transcript),
    ),
  }));
  for (const each of chain) dropOne(source, each, why);
  for (const { heir, text } of heirs) {
    patchSessionState(paths, heir.session_id, nothingOwed(heir));
    replaceFile(paths.session(heir.session_id).ledger, text);
  }
}
