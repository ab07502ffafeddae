// Keeps a ledger bounded: what is needed least goes first, and how much went is counted.
import type { Ledger, LedgerList } from './ledger.ts';

const MOST: Record<LedgerList, number> = {
  requests: 150,
  requirements: 150,
  answers: 60,
  refusals: 40,
  notes: 100,
  tasks: 150,
  files: 500,
  checks: 60,
  commands: 120,
};
const OPEN_CALLS = 50;

/** Whether a fact may go before others; of these, and then of all, the oldest go first. */
const GOES_FIRST: { [List in LedgerList]: (fact: Ledger[List][number]) => boolean } = {
  requests: ({ kind, answered }) =>
    kind === 'courtesy' || kind === 'push' || (kind === 'question' && answered),
  requirements: ({ kind }) => kind === 'correction',
  answers: () => true,
  refusals: ({ reason }) => reason === null,
  notes: ({ kind }) => kind === 'note',
  tasks: ({ status }) => status === 'completed',
  files: ({ changed }) => changed === null,
  checks: ({ result }) => result !== 'failed',
  commands: ({ result, runs }) => result !== 'failed' && runs === 1,
};

function boundList<List extends LedgerList>(ledger: Ledger, list: List): void {
  const facts: Ledger[List][number][] = ledger[list];
  const over = facts.length - MOST[list];
  if (over <= 0) return;
  // The goal stays whatever comes.
  const order = facts
    .map((fact, index) => ({
      index,
      rank: 'kind' in fact && fact.kind === 'goal' ? 2 : GOES_FIRST[list](fact) ? 0 : 1,
    }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  const gone = new Set(order.slice(0, over).map(({ index }) => index));
  Object.assign(ledger, { [list]: facts.filter((_, index) => !gone.has(index)) });
  ledger.dropped[list] = (ledger.dropped[list] ?? 0) + over;
}

/** The ledger with every list within its bounds; it is changed in place. */
export function boundLedger(ledger: Ledger): Ledger {
  for (const list of Object.keys(MOST) as LedgerList[]) boundList(ledger, list);
  ledger.openCalls = ledger.openCalls.slice(-OPEN_CALLS);
  return ledger;
}
