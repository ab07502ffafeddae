// The shape of a replayed session: its calls, what would have been said, its compactions with their leads, and its events.

import type { Announcement } from '../context/announcement.ts';
import { isAtLeast, type Tier } from '../context/tier.ts';
import type { BoundaryFact } from '../hosts/entry.ts';
import type { SessionInfo, SessionReader } from '../hosts/host.ts';
import type { LogEvent } from '../sessions/log-event.ts';
import { redact } from '../text/redact.ts';

/** A moment at which a hook runs, and what it decides there. */
export interface ReplayedMoment {
  kind: 'prompt' | 'notice' | 'tools';
  /** ISO time, or null. */
  at: string | null;
  /** Main-chain calls and prompts before it. */
  calls: number;
  prompts: number;
  tokens: number | null;
  tier: Tier | null;
  said: Announcement['said'];
  reason: Announcement['reason'];
}

/** How far ahead of a compaction the first warning came. */
export interface Lead {
  /** Main-chain calls between the warning and the compaction. */
  calls: number;
  /** Null where the transcript gives no times. */
  minutes: number | null;
  tokens: number;
  prompts: number;
}

/** Who hears of the usage: hooks at prompts alone, hooks at prompts and tools, a person who looks at the status line. */
export const CHANNELS = ['prompt_only', 'with_tool_use', 'status_line'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What others would have shown as the usage right before a compaction, in tokens. */
export interface OtherMethods {
  /** The tokens sent anew by the last call, without those from the cache. */
  input_only: number | null;
  /** Input and output of all calls of the session so far, added up. */
  summed: number;
  /** Bytes of the transcript's lines since the compaction before, divided by four. */
  bytes_by_4: number;
}

export interface ReplayedCompaction {
  trigger: BoundaryFact['trigger'];
  at: string | null;
  /** Main-chain calls before it. */
  call: number;
  /** Context window in tokens, as it was judged before it, and the version of the client; null where unknown. */
  window: number | null;
  client: string | null;
  /** Tokens before it as the host counted them, or null. */
  pre_tokens: number | null;
  /** Tokens of the last call before it, or null. */
  last_tokens: number | null;
  /** Tokens of the first call after it, or null. */
  next_tokens: number | null;
  /** Per channel the lead of the first warning in its segment, or null where none came. */
  lead: Record<Channel, Lead | null>;
  other_methods: OtherMethods;
  /** Files that were known before and read again within 20 calls after it. */
  rework: number;
}

/** A main-chain call: tokens in its context, and what they were measured against. */
export interface ReplayedCall {
  at: string | null;
  tokens: number;
  model: string;
  window: number;
  /** The effective limit, in tokens. */
  limit: number;
  tier: Tier | null;
}

/** Words that a hook gave the agent: as the transcript has them, or as the replay would have said them. */
export interface ReplayedMessage {
  at: string | null;
  call: number;
  name: string;
  text: string;
  tokens: number;
  from: 'transcript' | 'replay';
}

export interface ReplayedAgent {
  id: string;
  calls: { at: string | null; tokens: number }[];
}

/** An event that the log of the session would hold. */
export type ReplayedEvent = LogEvent & { at: string | null; call: number };

/** What only a report shows: kept where it is asked for. */
export interface ReplayDetail {
  calls: ReplayedCall[];
  messages: ReplayedMessage[];
  agents: ReplayedAgent[];
}

/** A session as its lines tell of it; the times are ISO times. */
interface TimedSession extends SessionInfo {
  started: string | null;
  ended: string | null;
}

export interface ReplayedSession {
  session: TimedSession;
  /** Context tokens of each main-chain call, in order. */
  series: number[];
  /** How many calls stood before each prompt. */
  prompts: number[];
  compactions: ReplayedCompaction[];
  /** Largest context in tokens, or null where no call was measured. */
  peak: number | null;
  models: string[];
  /** The moments at which something was said in full, where tools are heard too. */
  announced: ReplayedMoment[];
  events: ReplayedEvent[];
  /** Segments with a warning that no compaction followed; 0 where another file of the same replay goes on from all its calls. */
  false_alarms: number;
  /** Calls and compactions at the beginning that were copied from another file of the same replay, as a fork does. */
  copied_calls: number;
  copied_compactions: number;
  /** A number for the id of each call, by which copies are found. */
  call_keys: number[];
  detail: ReplayDetail | null;
}

/** Whether a session compacted itself then, and did not copy it from another file of the same replay. */
export const isOwnCompaction = (
  { compactions, copied_compactions }: Pick<ReplayedSession, 'compactions' | 'copied_compactions'>,
  compaction: ReplayedCompaction,
): boolean => compactions.indexOf(compaction) >= copied_compactions;

export const isWarning = (tier: Tier | null): boolean => tier !== null && isAtLeast(tier, 'WARNING');

/** A place in a session that a lead is counted from, or to. */
export type ReplayedPlace = Pick<ReplayedMoment, 'at' | 'calls' | 'prompts' | 'tokens'>;

export function findLead(warning: ReplayedPlace | undefined, end: ReplayedPlace): Lead | null {
  if (warning === undefined) return null;
  const ms = Date.parse(end.at ?? '') - Date.parse(warning.at ?? '');
  return {
    calls: end.calls - warning.calls,
    minutes: Number.isNaN(ms) ? null : Math.max(0, Math.round(ms / 6_000) / 10),
    tokens: Math.max(0, (end.tokens ?? 0) - (warning.tokens ?? 0)),
    prompts: end.prompts - warning.prompts,
  };
}

export const createSession = (): TimedSession => ({
  ...{ id: null, client: null, cwd: null, entrypoint: null, title: null },
  ...{ started: null, ended: null },
});

/** Keeps what a line says of its session: the first that says it, but the newest client and title. */
export function noteSession(session: TimedSession, told: SessionInfo | null): void {
  if (told === null) return;
  session.id ??= told.id;
  session.cwd ??= told.cwd;
  session.entrypoint ??= told.entrypoint;
  session.client = told.client ?? session.client;
  session.title = told.title === null ? session.title : redact(told.title);
}

/** Collects the calls of subagents, each by the agent that made it; the last line of an answer counts. */
export function collectAgents({ readAgentCall }: Pick<SessionReader, 'readAgentCall'>) {
  const agents = new Map<string, { agent: ReplayedAgent; lastId: string | null }>();
  return {
    add(line: unknown): void {
      const call = readAgentCall(line);
      if (call === null) return;
      const known = agents.get(call.agent) ?? { agent: { id: call.agent, calls: [] }, lastId: null };
      if (call.messageId !== null && call.messageId === known.lastId) known.agent.calls.pop();
      known.agent.calls.push({ at: call.at, tokens: call.tokens });
      agents.set(call.agent, { ...known, lastId: call.messageId });
    },
    finish: (): ReplayedAgent[] => [...agents.values()].map(({ agent }) => agent),
  };
}

/** A number of 52 bits that stands for a text (FNV-1a in two halves). */
export function hashText(text: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x811c9dc5);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}

function countShared(keys: readonly number[], others: readonly number[]): number {
  const differs = keys.findIndex((key, at) => key !== others[at]);
  return differs < 0 ? keys.length : differs;
}

/** Right after the last copied call both may have been compacted, each by itself. */
const countCopiedCompactions = (copy: ReplayedSession, from: ReplayedSession, calls: number): number =>
  copy.compactions.filter(
    ({ call, at }, index) =>
      call < calls ||
      (call === calls && from.compactions[index]?.call === call && from.compactions[index]?.at === at),
  ).length;

/**
 * Marks the calls that a file copied from another one, as a fork does: they count once. Of files that begin with the same
 * call, the longest beginning that two of them share is the copy, and the one with the earlier end has made it.
 */
export function markCopies(sessions: readonly ReplayedSession[]): void {
  const byFirst = new Map<number, ReplayedSession[]>();
  for (const each of sessions) {
    const [first] = each.call_keys;
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), each]);
  }
  for (const alike of byFirst.values()) {
    alike.sort((a, b) => (a.session.ended ?? '').localeCompare(b.session.ended ?? ''));
    alike.forEach((each, index) => {
      for (const before of alike.slice(0, index)) {
        const shared = countShared(each.call_keys, before.call_keys);
        // What a warning came to is seen where the work went on.
        if (shared === before.call_keys.length) before.false_alarms = 0;
        if (shared < each.copied_calls) continue;
        const known = shared > each.copied_calls ? 0 : each.copied_compactions;
        each.copied_calls = shared;
        const start = each.events.find(({ type }) => type === 'SessionStarted');
        if (start !== undefined) Object.assign(start, { forked: each.session.id !== before.session.id });
        each.copied_compactions = Math.max(known, countCopiedCompactions(each, before, shared));
      }
    });
  }
}
