// The port to a host: what the rest of the code asks of a coding agent's client. Each host implements it as one plain object.

import type { EntryReader, LineFact, WindowMarkFact } from './entry.ts';
import type { ToolRun } from './read-only-commands.ts';
import type { Verdict } from './verdict.ts';

// The events that a host can report; the wire format belongs to the host.
interface Common {
  /** The host's id of the session; never trusted in file names. */
  session: string;
  /** Path of the transcript; the file may not exist yet. */
  transcript: string | null;
  cwd: string;
  /** The host's id of the prompt that is being worked on, as the transcript names it, or null. */
  promptId: string | null;
  /** Id of the subagent in which the event happened, or null in the main session. */
  agent: string | null;
}

export type Event = Common &
  /** `isNotice`: the host's own words to the model, such as that a background agent has ended; nobody typed them. */
  (
    | { kind: 'prompt'; isNotice: boolean }
    /** A tool or a batch of tools has run; ids of the calls as the transcript will name them, and what the host sent. */
    | { kind: 'after-tool'; calls: string[]; payload: Record<string, unknown> }
    /** A tool is about to run; null where the host names none, or gives no input. `also`: what else the same call does. */
    | {
        kind: 'before-tool';
        tool: string | null;
        input: Record<string, unknown> | null;
        also?: readonly ToolCall[];
      }
    | { kind: 'pre-compact'; trigger: 'auto' | 'manual'; instructions: string | null }
    | {
        kind: 'session-start';
        source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
        model: string | null;
      }
    /** A turn has ended; the last answer as the host has it, which the transcript may not show yet; held: it has been held before. */
    | { kind: 'stop'; answer: string | null; isHeld: boolean }
    /** A subagent has finished; no type where it is the host's own (one that writes a summary). `wrote`: its own transcript. */
    | { kind: 'subagent-stop'; type: string | null; answer: string | null; wrote: string | null }
    | { kind: 'session-end'; reason: string }
  );

/** An event at which the agent may be told of its context usage. */
export type MainEvent = Extract<Event, { kind: 'prompt' | 'after-tool' }>;

export const isMainEvent = (event: Event | RareEvent): event is MainEvent =>
  event.kind === 'prompt' || event.kind === 'after-tool';

/** An event of a rare moment, of which only what all events share has been read. */
export type RareEvent = Common & {
  kind: 'rare';
  /** Whether the event of a subagent is one too: else only the main session's is. */
  ofAgents: boolean;
  payload: Record<string, unknown>;
};

type Env = Record<string, string | undefined>;

/** What the host's own settings and environment say about automatic compaction. */
export interface ClientCompaction {
  /** False when automatic compaction is switched off. */
  enabled: boolean;
  /** Auto-compact window W in tokens, or null when none is set. */
  window: number | null;
  /** Percentage override, 0 to 100, or null. */
  percent: number | null;
}

export interface HostLimits {
  /** The context window of a model in tokens, by its id; null for a model that the host does not know. */
  windowOf(model: string, env: Env): number | null;
  /** Whether a model that is marked for a large window gets it. */
  allowsLarge(env: Env): boolean;
  /** @param settings the host's own settings, merged */
  readCompaction(env: Env, settings: Record<string, unknown>, model: string | null): ClientCompaction;
}

/** Reads facts from single lines of a transcript. The bytes are looked at first, because most lines carry none. */
export interface FactReader {
  /** One of these stands in the bytes of every line with a fact that is no usage. */
  markers: readonly string[];
  /** All of these stand in the bytes of every line with usage. */
  usageMarkers: readonly string[];
  readFact(line: unknown): LineFact | null;
  /** Characters of the text that a parsed line adds to the context of the main session. */
  countCharacters(line: unknown): number;
}

/** The messages of a hook: for the agent, for the person, and why a turn does not end yet. */
export interface HostReply {
  context: readonly string[];
  person: readonly string[];
  blockStop: string | null;
}

export interface ToolCall {
  tool: string;
  input: Record<string, unknown>;
}

/** Reads how tool calls ended, and what they gave back. */
export interface RunReader {
  readToolRuns(payload: unknown): ToolRun[];
  /** The short name of the subagent that made the calls; null in the main session. */
  readAgentName(payload: unknown): string | null;
}

/** Usage, window and threshold as a host tells them, in tokens. */
export interface ToldLimits {
  /** Null where it does not know: before the first answer, after a compaction. */
  tokens: number | null;
  window: number;
  model: string | null;
  /** Usage above which it compacts by itself; null: never; not given: it does not say. */
  compacts_at?: number | null;
}

/** What every hook needs of a host: small, because it is loaded at every event. */
export interface HookHost {
  name: string;
  /** The host's names of hooks, in the order in which their last runs are kept; new ones go to the end. */
  hooks: readonly string[];
  /** The hook that runs before a tool call, by its name. */
  beforeTool: string;
  /** Whether another client has run a hook that stands in this host's files: nothing is said or kept there. */
  isOfOtherClient?(payload: unknown, env: Env): boolean;
  /** The event of a payload; null for another one than the hook is called for, or without a session. `env`: where its files lie. */
  parseEvent(payload: unknown, name: string, env: Env): Event | RareEvent | null;
  /** The answer with these messages; null for none. */
  formatReply(name: string, reply: HostReply): string | null;
  /** The answer with a verdict on a tool call; null where the call goes its way. */
  formatVerdict(verdict: Verdict): string | null;
  /** The environment under neutral names, without what a repository may have set. */
  readEnvironment(env: Env, cwd: string | undefined): Env;
  facts: FactReader;
  limits: HostLimits;
  /** The environment with how the session was started, where only the host's own file tells it. */
  readStart?(event: Event | RareEvent, env: Env): Env;
  /** What the host has told of window and threshold, where only it knows them and no usage says so. */
  readTold?(event: Event | RareEvent, env: Env): ToldLimits | null;
  /** The tool calls that an event reports. */
  readToolCalls(payload: Record<string, unknown>): ToolCall[];
  /** What is needed where tool calls are recorded. */
  loadRuns(): Promise<RunReader>;
  /** Everything else, loaded when an event needs it. */
  load(): Promise<Host>;
}

export interface FailedCall {
  run: ToolRun;
  /** When it was made and when it had failed: ISO times, '' where the line has none. */
  calledAt: string;
  at: string;
}

/** Finds tool calls that failed without a hook being told of them. */
export interface FailureReader {
  /** Whether a hook of this name is told of failed calls. */
  tellsOf(hook: string): boolean;
  /** Stands in the bytes of every line with a failed call. */
  marker: string;
  /** An offset of a line in the range, in bytes, before which nothing was requested after an ISO time. */
  offsetAfter(path: string, moment: string, range: { from: number; to: number }): number;
  find(
    lines: Iterable<unknown>,
    options: { before?: readonly unknown[]; endedAt?: string; isAgents?: boolean },
  ): FailedCall[];
}

/** What a line of a transcript says of the session that it stands in; null where it says nothing of it. */
export interface SessionInfo {
  id: string | null;
  /** Version of the client that wrote the line. */
  client: string | null;
  cwd: string | null;
  entrypoint: string | null;
  /** The name that the session was given. */
  title: string | null;
}

/** A call of a subagent: it has a context of its own. */
export interface AgentCall {
  agent: string;
  /** ISO time, or null. */
  at: string | null;
  tokens: number;
  /** Id of the answer; the last of its lines counts. */
  messageId: string | null;
}

/** Reads what a replay shows of a session, beside what hooks need. */
export interface SessionReader {
  readSession(line: unknown): SessionInfo | null;
  readAgentCall(line: unknown): AgentCall | null;
  /** The subagent that a result is of, where it has ended with it; null for one that goes on in the background. */
  readAgentEnd(line: unknown): { id: string; type: string } | null;
  /** Transcripts of the subagents of a session, by the path of its own. */
  listAgentTranscripts(path: string): string[];
}

/** The whole of a host. */
export interface Host extends HookHost {
  /** The hook that gives the alert right after a compaction, by its name. */
  atStart: string;
  sessions: SessionReader;
  parseRareEvent(event: RareEvent): Event | null;
  /** What the name of a model says about its window. */
  readWindowMark(model: unknown): WindowMarkFact | null;
  entries: EntryReader;
  agentSigns(type: string, id: string): string;
  failures: FailureReader;
}
