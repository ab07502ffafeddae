// The port to a host: what the rest of the code asks of a coding agent's client. Each host implements it as one plain object.

import type { EntryReader, LineBytes } from './entry.ts';
import type { Event, RareEvent } from './event.ts';
import type { LineFact, WindowMarkFact } from './fact.ts';
import type { ToolRun } from './tool-run.ts';
import type { Verdict } from './verdict.ts';

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

/** What every hook needs of a host: small, because it is loaded at every event. */
export interface HookHost {
  name: string;
  /** The host's names of hooks, in the order in which their last runs are kept; new ones go to the end. */
  hooks: readonly string[];
  /** The hook that runs before a tool call, by its name. */
  beforeTool: string;
  /** The event of a payload; null for another one than the hook is called for, or without a session. */
  parseEvent(payload: unknown, name: string): Event | RareEvent | null;
  /** The answer with these messages; null for none. */
  formatReply(name: string, reply: HostReply): string | null;
  /** The answer with a verdict on a tool call; null where the call goes its way. */
  formatVerdict(verdict: Verdict): string | null;
  /** The environment under neutral names, without what a repository may have set. */
  readEnvironment(env: Env, cwd: string | undefined): Env;
  facts: FactReader;
  limits: HostLimits;
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
  /** What is enough to know of a line that need not be parsed, else null. */
  skip(line: LineBytes): unknown;
  find(
    lines: Iterable<unknown>,
    options: { before?: readonly unknown[]; endedAt?: string; isAgents?: boolean },
  ): FailedCall[];
}

/** The whole of a host. */
export interface Host extends HookHost {
  parseRareEvent(event: RareEvent): Event | null;
  /** What the name of a model says about its window. */
  readWindowMark(model: unknown): WindowMarkFact | null;
  entries: EntryReader;
  agentSigns(type: string, id: string): string;
  failures: FailureReader;
}
