// Transcripts for tests of the ledger: lines that hang on each other as the client's do, and what they fold to.
import { openLedger } from '../../src/compaction/ledger/fold-ledger.ts';
import { createLedger, type Ledger } from '../../src/compaction/ledger/ledger.ts';
import { readEntries } from '../../src/hosts/claude-code/transcript/entries.ts';
import type { Line } from './lines.ts';

/** A ledger of one session that knows nothing yet. */
export const newLedger = (): Ledger => ({
  ...createLedger('s'),
  sessions: [{ session_id: 's', transcript: null, first: null }],
});

/** What lines come to. */
export function fold(lines: readonly unknown[], start: Ledger = newLedger()): Ledger {
  const open = openLedger(start, start.sessions.length - 1);
  for (const [index, line] of lines.entries()) for (const entry of readEntries(line, index)) open.add(entry);
  return open.finish();
}

/** Gives lines ids, each hanging on the one before; `from` begins with the parent and the number of the first. */
export function chain(lines: readonly Line[], from: { parent?: string | null; name?: string } = {}): Line[] {
  const { name = 'u' } = from;
  let parent = from.parent ?? null;
  return lines.map((line, index) => {
    const uuid = `${name}${index}`;
    const linked = { ...line, uuid, parentUuid: parent };
    parent = uuid;
    return linked;
  });
}
