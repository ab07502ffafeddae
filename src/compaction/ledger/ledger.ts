// The ledger: what must not be forgotten of one thread of work, each fact with its evidence and its state.

import type { EntryTask, Speaker, ToolAction } from '../../hosts/entry.ts';

// Keeps a ledger bounded: what is needed least goes first, and how much went is counted.
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

export const LEDGER_VERSION = '1.0.0';

/** Where a fact was seen. */
export interface FactEvidence {
  /** Which session of the thread, by its place in `Ledger.sessions`. */
  session: number;
  /** Compactions of the thread before it: facts of the same segment have the same number. */
  segment: number;
  /** The host's id of the entry, or null. */
  entry: string | null;
  /** Offset in bytes in the transcript of the session. */
  offset: number;
  /** ISO time, or null. */
  at: string | null;
}

/** Orders facts by where they were seen, the earliest first. */
export const comparePlaces = (
  a: Pick<FactEvidence, 'session' | 'offset'>,
  b: Pick<FactEvidence, 'session' | 'offset'>,
): number => a.session - b.session || a.offset - b.offset;

/** A text of the person or the agent; `cut` counts the characters that the mark in its middle stands for, 0 where it is whole. */
export interface Excerpt {
  text: string;
  cut: number;
}

/**
 * What a request is to the work:
 * - `goal`: the first that gave work; `topic`: a later one that gave work
 * - `addition`: adds to what is under way (said while the agent worked, in answer to its question, or rules alone)
 * - `question`: asked on the side; `push`: only pushes on ("go on", "yes", "weiter", "继续"), and is no work by itself
 * - `courtesy`: a greeting or thanks and nothing else
 */
export type RequestKind = 'goal' | 'topic' | 'addition' | 'question' | 'push' | 'courtesy';

export interface LedgerRequest extends Excerpt, FactEvidence {
  kind: RequestKind;
  by: Speaker;
  /** Name of the slash command, or null. */
  command: string | null;
  /** An answer that ended the turn came behind it. */
  answered: boolean;
}

/** A sentence of the person that constrains the work, whole and word for word. */
export interface Requirement extends Excerpt, FactEvidence {
  /** `rule`: said with the goal; `correction`: said later, or on refusing a tool call. */
  kind: 'rule' | 'correction';
}

export interface AnsweredQuestion extends FactEvidence {
  question: string;
  answer: string;
}

/** The plan that the person accepted last. */
export interface AcceptedPlan extends Excerpt, FactEvidence {
  title: string;
  file: string | null;
}

export interface RefusedCall extends FactEvidence {
  /** The tool's name. */
  tool: string;
  /** What was tried: the command, the path, the pattern. */
  tried: string;
  /** The person's words, or null where they gave none. */
  reason: string | null;
}

export interface LedgerNote extends Excerpt, FactEvidence {
  kind: 'note' | 'decision';
  /** `workflow`: a decision of the orchestration file. */
  by: 'person' | 'agent' | 'workflow';
}

export interface LedgerTask extends EntryTask, FactEvidence {}

export interface FileFact extends FactEvidence {
  path: string;
  reads: number;
  writes: number;
  made: boolean;
  deleted: boolean;
  /** Where it was seen to change last; null where it was only read. */
  changed: { session: number; offset: number } | null;
}

/** A command and its last result; the evidence is that of its last run. */
export interface CommandFact extends FactEvidence {
  /** Normalised: without leading `cd`, redirections and pipes to head, tail, grep. A check stands alone, without what it was joined with. */
  command: string;
  /** The whole normalised command in which it ran last. */
  asRun: string;
  runs: number;
  result: 'passed' | 'failed' | 'unknown';
  /** Names of the tests that failed and have not been seen to pass since. */
  failingTests: string[];
  /** The line of the output that says most about the failure, or null. */
  error: string | null;
  /** How it failed last, also where it has passed since; null where it never did. */
  lastFailure: PastFailure | null;
}

export interface PastFailure extends FactEvidence {
  /** The whole normalised command in which it failed. */
  asRun: string;
  error: string | null;
}

/** The last tool call, where nothing but its result stands behind it. */
export interface Underway extends FactEvidence {
  tool: string;
  action: ToolAction['type'];
  what: string;
}

export interface LedgerAnswer extends Excerpt, FactEvidence {
  isFinal: boolean;
}

/** One session of the thread. */
export interface LedgerSession {
  /** Set for the newest session alone; what was handed on names no earlier one. */
  session_id: string | null;
  transcript: string | null;
  /** The host's id of the first line that has one, or null: a fork begins with the same. */
  first: string | null;
}

/** How far the newest session's transcript is folded in. */
export interface LedgerPosition {
  /** Place of the session in `Ledger.sessions`. */
  session: number;
  /** Everything before this offset, in bytes, is in the ledger. */
  offset: number;
  /** The host's ids of the last lines of the live branch: what comes next hangs on one of them. */
  tail: string[];
  /** ISO time of the last entry of the main session, or null. */
  time: string | null;
  /** What the bytes before the offset come to: another file under the same name is read anew. */
  mark: number;
  /** Offsets of the last entry and the last tool call, -1 for none. */
  lastEntry: number;
  lastCall: number;
}

/** A tool call whose result has not been read yet. */
export interface OpenCall extends FactEvidence {
  call: string;
  tool: string;
  action: ToolAction;
}

export type LedgerList =
  | 'requests'
  | 'requirements'
  | 'answers'
  | 'refusals'
  | 'notes'
  | 'tasks'
  | 'files'
  | 'checks'
  | 'commands';

/** One record per thread of work. Lists are in the order in which things were seen first; those of files, checks and commands by last use, the latest last. */
export interface Ledger {
  schema_version: string;
  /** Name of the thread, made from the id of its first session. */
  thread: string;
  sessions: LedgerSession[];
  position: LedgerPosition | null;
  /** Compactions so far, over all sessions of the thread. */
  segment: number;
  requests: LedgerRequest[];
  requirements: Requirement[];
  answers: AnsweredQuestion[];
  plan: AcceptedPlan | null;
  refusals: RefusedCall[];
  notes: LedgerNote[];
  tasks: LedgerTask[];
  files: FileFact[];
  /** Tests, linters, type checks, builds. */
  checks: CommandFact[];
  /** Every other command; and those that joined several checks and failed as a whole. */
  commands: CommandFact[];
  underway: Underway | null;
  openCalls: OpenCall[];
  lastAnswer: LedgerAnswer | null;
  /** True when the last turn has no end: a request, or the calls of an answer, that nothing final followed. */
  isTurnOpen: boolean;
  /** How many of a list were dropped to keep it bounded. */
  dropped: Partial<Record<LedgerList, number>>;
}

/** A ledger that knows nothing yet. */
export const createLedger = (thread: string): Ledger => ({
  schema_version: LEDGER_VERSION,
  thread,
  sessions: [],
  position: null,
  segment: 0,
  requests: [],
  requirements: [],
  answers: [],
  plan: null,
  refusals: [],
  notes: [],
  tasks: [],
  files: [],
  checks: [],
  commands: [],
  underway: null,
  openCalls: [],
  lastAnswer: null,
  isTurnOpen: false,
  dropped: {},
});

/** Files that were changed, the last changed first, whatever was read since. */
export const pickChanged = ({ files }: Ledger): FileFact[] =>
  files
    .flatMap((file) => (file.changed === null ? [] : [{ file, ...file.changed }]))
    .reverse()
    .sort((a, b) => comparePlaces(b, a))
    .map(({ file }) => file);
