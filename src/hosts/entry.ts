// The neutral transcript entry: what any host's transcript says, in words that no host owns.

import { redact, redactDeep } from '../text/redact.ts';

/** The figures of one main-chain answer. */
export interface UsageFact {
  kind: 'usage';
  /** Context occupied by the call, in tokens: input + cache creation + cache read. */
  tokens: number;
  /** Of these, the tokens that no cache held: what a reader shows that takes them for the usage. */
  input: number;
  /** Output tokens of the answer; a lower bound on clients before 2.1.112, which store streaming partials. */
  output: number;
  model: string;
  /** ISO time written by the client, or null. */
  at: string | null;
  messageId: string | null;
}

/** A main-chain answer without usage: the provider reports none (proxies, local models), or all of it is zero. */
interface UnmeasuredFact {
  kind: 'unmeasured';
}

/** A compaction of the main session. */
export interface BoundaryFact {
  kind: 'boundary';
  trigger: 'auto' | 'manual' | null;
  /** Tokens before the compaction as the client counted them, or null. */
  preTokens: number | null;
  /** The host's id of the last entry before it, or null where it names none. */
  follows?: string | null;
  /** The answer that is the summary, where its usage stands among that of the session: it is none of the session's. */
  summary?: string | null;
  at: string | null;
}

/** The model that the client named, with or without the `[1m]` mark of a large window; the last one counts. */
export interface WindowMarkFact {
  kind: 'window-mark';
  /** Name without the mark. */
  model: string;
  isMarked: boolean;
}

/** A hook's words that the client stored as delivered to the model. */
interface InjectionFact {
  kind: 'injection';
  text: string;
}

export type LineFact = UsageFact | UnmeasuredFact | BoundaryFact | WindowMarkFact | InjectionFact;

/** Where a thing stands in a transcript: it proves a fact, and names the place to read on. */
export interface EntryPlace {
  /** The host's own id of the entry, or null where it gives none. */
  id: string | null;
  /** Offset in bytes of the line that holds it. */
  offset: number;
  /** ISO time that the host wrote, or null. */
  time: string | null;
}

/**
 * Who spoke. Only `person`, `queued` and `command` are the person's own words; what is not known to be theirs is
 * `unknown` and never gets their authority.
 * - `person`: typed at the prompt
 * - `queued`: typed by the person while the agent worked
 * - `command`: a slash command of the person; its arguments are their words
 * - `peer`: a teammate, another session, a channel
 * - `notice`: the host itself (a background task ended, the output of a local command, an interruption)
 * - `hook`: text that a hook added
 */
export type Speaker = 'person' | 'queued' | 'command' | 'peer' | 'notice' | 'hook' | 'unknown';

export interface EntryTask {
  id: string | null;
  subject: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** How the agent words the task while it is at it, or null. */
  active: string | null;
}

/** What a tool call does, whatever the host calls the tool. */
export type ToolAction =
  | { type: 'read'; path: string }
  | { type: 'write'; path: string; isWhole: boolean }
  | { type: 'run'; command: string; description: string | null }
  | { type: 'search'; pattern: string; path: string | null }
  | { type: 'ask' }
  | { type: 'plan'; text: string; file: string | null }
  | { type: 'set-tasks'; tasks: EntryTask[] }
  | { type: 'add-task'; task: EntryTask }
  | { type: 'change-task'; id: string; change: Partial<EntryTask>; isDeleted: boolean }
  | { type: 'list-tasks' }
  | { type: 'delegate'; description: string }
  | { type: 'other'; subject: string | null };

/**
 * - `ok`: it did what it should
 * - `failed`: it reported an error
 * - `refused`: the person did not want it
 * - `denied`: a rule, a hook or a permission kept it back
 * - `interrupted`: the person stopped it
 * - `started`: it goes on in the background, and nobody knows yet how it ends
 */
export type ResultStatus = 'ok' | 'failed' | 'refused' | 'denied' | 'interrupted' | 'started';

export interface RequestEntry extends EntryPlace {
  kind: 'request';
  by: Speaker;
  /** The words, without the host's decoration; the arguments alone of a slash command. */
  text: string;
  /** Name of the slash command, with its slash, or null. */
  command: string | null;
  /** Parts of the text that were pasted beside own words: material, not what is asked for. */
  quotes: string[];
}

/** The person took a message back that had been waiting for the agent. */
export interface WithdrawalEntry extends EntryPlace {
  kind: 'withdrawal';
  text: string;
}

export interface AnswerEntry extends EntryPlace {
  kind: 'answer';
  text: string;
  /** True when the answer ends the turn: it does not go on to call tools. */
  isFinal: boolean;
}

export interface CallEntry extends EntryPlace {
  kind: 'call';
  /** Id by which its result names it. */
  call: string;
  /** The tool's own name, for people. */
  tool: string;
  action: ToolAction;
}

export interface ResultEntry extends EntryPlace {
  kind: 'result';
  call: string;
  status: ResultStatus;
  /** The output; head and tail of a long one. */
  output: string;
  /** What the person said on refusing or stopping it, or null. */
  reason: string | null;
  /** Answers of the person to the questions of the call, in order. */
  answers: { question: string; answer: string }[];
  /** The task list, or the task, that the host gave back. */
  tasks: EntryTask[] | null;
  /** The plan that the person accepted, or null. */
  plan: { text: string; file: string | null } | null;
  /** True when a file did not exist before a write, as far as the host says so. */
  isNewFile: boolean;
}

export interface BoundaryEntry extends EntryPlace {
  kind: 'boundary';
  trigger: 'auto' | 'manual' | null;
}

export interface SummaryEntry extends EntryPlace {
  kind: 'summary';
  text: string;
}

/** Words that are nobody's request: an interruption, a caveat, the list of tasks that the host reminds of. */
export interface NoticeEntry extends EntryPlace {
  kind: 'notice';
  text: string;
  isInterruption: boolean;
  /** True where the host hands it to the agent as it does a prompt, and calls the same hooks. */
  isPrompt?: true;
  /** The task list as the host last told it, or null. */
  tasks: EntryTask[] | null;
}

export type TranscriptEntry =
  | RequestEntry
  | WithdrawalEntry
  | AnswerEntry
  | CallEntry
  | ResultEntry
  | BoundaryEntry
  | SummaryEntry
  | NoticeEntry;

/** The place of a line in the chain of a session. */
export interface LineLink {
  id: string;
  parent: string | null;
}

/** The bytes of one line, as a reader of files has them. */
export interface LineBytes {
  readonly length: number;
  indexOf: (bytes: Uint8Array, from?: number) => number;
  toString: (encoding: 'latin1', from: number, to: number) => string;
}

/** `parse`: only the parsed line tells; `skip`: nothing of the main session; else what it says. */
export type Skim =
  | 'parse'
  | 'skip'
  | { id: string; entry: ResultEntry | null }
  | { id: string; answer: Omit<AnswerEntry, 'text'> };

/** How much is asked of a call's result: that it came, that it succeeded, or all of it. */
export type OutputNeed = 'nothing' | 'end' | 'all';

/** Reads the lines of a transcript as entries. */
export interface EntryReader {
  /** What a parsed line says of the main session, in order; nothing for the many lines that say nothing. */
  readEntries(line: unknown, offset: number): TranscriptEntry[];
  /** The place of a parsed line in the chain of the main session; null where it has none. */
  readLink(line: unknown): LineLink | null;
  /** What a line says without being parsed. @param needOf how much is asked of a call's result */
  skimEntry(line: LineBytes, offset: number, needOf: (call: string) => OutputNeed): Skim;
  /** Whether the beginning of a line shows that it says nothing of usage, entries, or its session. */
  saysNothing(line: LineBytes): boolean;
  /** Whether a line holds what counts however long ago it was. */
  isLasting(line: LineBytes, needOf: (call: string) => OutputNeed): boolean;
}

/** What Plimsoll may say, each in a tag of its own. */
const OUR_TAGS = [
  'context-monitor',
  'compaction-alert',
  'resumption-context',
  'project-context',
  'quality-context',
  'quality-reinforcement',
  'track-context',
] as const;
export type OurTag = (typeof OUR_TAGS)[number];

const TAGGED = new RegExp(`<(${OUR_TAGS.join('|')})>[\\s\\S]*?(?:</\\1>|$)`, 'g');

/** The parts of a hook's words that stand in our tags, with the tag of each. */
export const splitTagged = (text: string): { tag: OurTag; text: string }[] =>
  [...text.matchAll(TAGGED)].map((found) => ({ tag: found[1] as OurTag, text: found[0] }));

/** An entry whose words may be split and folded: a secret goes before, since half of one looks like none. */
export function withoutSecrets(entry: TranscriptEntry): TranscriptEntry {
  if (entry.kind === 'withdrawal') return { ...entry, text: redact(entry.text) };
  if (entry.kind === 'request') {
    return { ...entry, text: redact(entry.text), quotes: entry.quotes.map(redact) };
  }
  if (entry.kind === 'call' && entry.action.type === 'run') {
    return { ...entry, action: { ...entry.action, command: redact(entry.action.command) } };
  }
  if (entry.kind !== 'result') return entry;
  const { reason, answers, plan } = entry;
  return reason === null && plan === null && answers.length === 0
    ? entry
    : { ...entry, ...redactDeep({ reason, answers, plan }) };
}
