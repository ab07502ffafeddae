// Replays one transcript as if live: at every prompt and after every batch of tools it asks the very decision of the hooks,
// and it measures how early each compaction was announced.

import type { AssessmentSettings } from '../context/assessment.ts';
import { buildLearningKey } from '../context/auto-compact.ts';
import { buildContextStatus, type ContextStatus } from '../context/context-status.ts';
import type { Learned } from '../context/learned.ts';
import { foldFacts, type TranscriptFacts, type WithOffset } from '../context/usage.ts';
import {
  type BoundaryFact,
  type EntryReader,
  type LineBytes,
  type OutputNeed,
  splitTagged,
  type TranscriptEntry,
  type UsageFact,
} from '../hosts/entry.ts';
import type { FactReader, HostLimits, SessionReader } from '../hosts/host.ts';
import { buildAgentEvent } from '../sessions/derive-events.ts';
import { createSessionState } from '../sessions/session-state.ts';
import { estimateTokens } from '../text/budget.ts';
import { redact } from '../text/redact.ts';
import {
  type ChannelDecision,
  type ChannelSettings,
  changesState,
  createChannel,
  findPromptKind,
  findQuietRange,
  formatAnnouncement,
  type QuietRange,
  rememberTierStarts,
  warns,
} from './replay-channel.ts';
import { createSegments } from './replay-segment.ts';
import {
  collectAgents,
  createSession,
  hashText,
  isWarning,
  noteSession,
  type ReplayDetail,
  type ReplayedEvent,
  type ReplayedMoment,
  type ReplayedPlace,
  type ReplayedSession,
} from './replayed.ts';

/** What a session is replayed with: who reads its lines, and the settings that judge it. */
export interface ReplayInput {
  facts: FactReader;
  entries: Pick<EntryReader, 'readEntries' | 'skimEntry' | 'saysNothing'>;
  sessions: Pick<SessionReader, 'readSession' | 'readAgentCall' | 'readAgentEnd'>;
  /** The hook that gives the alert, by its name. */
  atStart: string;
  /** Parses a line; null where it is torn. */
  parse: (line: LineBytes) => unknown;
  limits: HostLimits;
  assessment: AssessmentSettings;
  settings: ChannelSettings;
  /** The environment and the host's own settings, merged, that decide when it compacts. */
  env: Record<string, string | undefined>;
  client: Record<string, unknown>;
  /** What was seen of the client on this machine. */
  learned: Learned;
  /** Whether calls, messages and subagents are kept one by one: for a report. */
  isDetailed: boolean;
}

/** Bytes of a line from which on it costs less to look for what it is than to parse it: most of them are results. */
const LONG = 4 * 1024;
/** Begins the replay of one transcript, to which its lines are given in file order. */
export function createReplay(input: ReplayInput) {
  const facts: TranscriptFacts = foldFacts([]);
  const seen = createSessionState('replay');
  const session = createSession();
  const detail: ReplayDetail | null = input.isDetailed ? { calls: [], messages: [], agents: [] } : null;
  const agents = collectAgents(input.sessions);
  const series: number[] = [];
  const callIndex = new Map<string, number>();
  const promptCalls: number[] = [];
  const models = new Set<string>();
  const segments = createSegments();
  const announced: ReplayedMoment[] = [];
  const events: ReplayedEvent[] = [];
  let last: WithOffset<UsageFact> | null = null;
  let hasRunTools = false;
  /** While the usage stays in it, a look after tools brings nothing new. */
  let quiet: QuietRange | null = null;
  let time: string | null = null;
  /** What the last look came to; null where a line since then may change it. */
  let status: ContextStatus | null = null;

  /** Calls that began a subagent: only their results are read whole. */
  const delegated = new Set<string>();
  const needOf = (call: string): OutputNeed => (delegated.has(call) ? 'all' : 'nothing');
  const report = (more: Parameters<Parameters<typeof createChannel>[1]>[0]): void => {
    for (const event of more) events.push({ ...event, at: time, call: series.length });
  };
  const live = createChannel(input.settings, report);
  const atPrompts = createChannel(input.settings, () => {});
  const startOf = rememberTierStarts(input.assessment);
  const nowOf = (at: string | null): number => Date.parse(at ?? '') || 0;

  const placeOf = (): ReplayedPlace => ({
    at: time,
    calls: series.length,
    prompts: promptCalls.length,
    tokens: facts.usage?.tokens ?? null,
  });

  function look(): ContextStatus {
    status ??= buildContextStatus({
      ...{ state: seen, facts, head: null, feed: null, now: nowOf(time), isWhole: true },
      ...{ env: input.env, client: input.client, limits: input.limits },
      ...{ learned: input.learned, settings: input.assessment },
    });
    return status;
  }

  function noteMessage(decision: ChannelDecision): void {
    const now = nowOf(time);
    const text = detail === null ? null : formatAnnouncement(decision, input.settings, now);
    if (text === null) return;
    const place = { at: time, call: series.length, name: 'context-monitor' };
    detail?.messages.push({ ...place, text, tokens: estimateTokens(text), from: 'replay' });
  }

  function passMoment(kind: ReplayedMoment['kind'], end: number): void {
    if (kind === 'tools' && isQuiet()) return;
    const given = { status: look(), facts, end, now: nowOf(time), entrypoint: session.entrypoint };
    const heard = live.decide(kind, given);
    if (kind === 'tools') quiet = findQuietRange(heard, startOf);
    else if (changesState(heard)) quiet = null;
    const { said, tier, reason } = heard.announcement;
    noteMessage(heard);
    const { tokens } = heard.snapshot.assessment.reading;
    if (said === 'full') announced.push({ kind, ...placeOf(), tokens, tier, said, reason });
    if (warns(heard)) segments.addWarning('with_tool_use', placeOf);
    if (kind !== 'tools' && warns(atPrompts.decide(kind, given))) segments.addWarning('prompt_only', placeOf);
  }

  const isQuiet = (): boolean =>
    detail === null &&
    quiet !== null &&
    facts.usage !== null &&
    facts.usage.model === quiet.model &&
    facts.usage.tokens >= quiet.from &&
    facts.usage.tokens < quiet.below;

  function endTools(end: number): void {
    if (hasRunTools) passMoment('tools', end);
    hasRunTools = false;
  }

  /** The last line of a call has been read: what it occupied is known. */
  function endCall(): void {
    if (last === null) return;
    segments.endCall(last);
    const { tokens, model, at } = last;
    last = null;
    if (isQuiet()) return;
    const { assessment, client } = look();
    const { window, effectiveLimit: limit, tier } = assessment;
    const key = buildLearningKey(window.tokens, client);
    const most = seen.max_tokens_by_compact_setting;
    most[key] = Math.max(most[key] ?? 0, tokens);
    if (isWarning(tier)) segments.addWarning('status_line', () => ({ ...placeOf(), at }));
    detail?.calls.push({ at, tokens, model, window: window.tokens, limit, tier });
  }

  function beginCall(fact: WithOffset<UsageFact>): void {
    endTools(fact.offset);
    endCall();
    // Two sessions without ids may have calls at the same place: their times tell them apart.
    callIndex.set(fact.messageId ?? `at ${fact.offset} ${fact.at}`, series.length);
    series.push(fact.tokens);
    models.add(fact.model);
    last = fact;
    segments.addCall(fact, true);
  }

  /** An answer takes several lines, between which others may stand: the last one counts. */
  function addUsage(fact: WithOffset<UsageFact>): void {
    const known = fact.messageId === null ? undefined : callIndex.get(fact.messageId);
    if (known === undefined) beginCall(fact);
    else {
      series[known] = fact.tokens;
      if (known === series.length - 1) {
        last = last === null ? null : fact;
        segments.addCall(fact, false);
      }
    }
    status = null;
    facts.usage = fact;
    facts.isUnmeasured = false;
    if (facts.first === null || (fact.messageId !== null && fact.messageId === facts.first.messageId))
      facts.first = fact;
    facts.maxTokensByModel[fact.model] = Math.max(facts.maxTokensByModel[fact.model] ?? 0, fact.tokens);
  }

  function passBoundary(boundary: WithOffset<BoundaryFact>): void {
    endTools(boundary.offset);
    endCall();
    const now = look();
    time = boundary.at ?? time;
    const before = { usage: facts.usage, window: now.assessment.window.tokens, client: session.client };
    segments.compact(boundary, placeOf(), before);
    const given = { status: now, facts, end: boundary.offset, now: nowOf(time), hook: input.atStart };
    live.compact(boundary, given);
    facts.boundary = boundary;
    facts.boundaries.push(boundary);
    status = null;
    quiet = null;
    const { lastAutoCompactTokens, lastAutoCompactModel } = look();
    seen.last_auto_compact_tokens = lastAutoCompactTokens;
    seen.last_auto_compact_model = lastAutoCompactModel;
  }

  function addFact(fact: WithOffset): void {
    if (fact.kind === 'usage') addUsage(fact);
    else if (fact.kind === 'boundary') passBoundary(fact);
    else if (fact.kind === 'window-mark') {
      facts.largeWindowByModel[fact.model] = fact.isMarked;
      status = null;
      quiet = null;
    } else if (fact.kind === 'injection' && detail !== null) {
      for (const { tag, text } of splitTagged(fact.text)) {
        const place = { at: time, call: series.length, name: tag };
        const tokens = estimateTokens(text);
        detail.messages.push({ ...place, text: redact(text), tokens, from: 'transcript' });
      }
    }
  }

  function addEntry(entry: TranscriptEntry): void {
    const kind = findPromptKind(entry);
    if (kind === 'prompt') promptCalls.push(series.length);
    if (kind !== null) passMoment(kind, entry.offset);
    else if (entry.kind === 'result') hasRunTools = true;
    else if (entry.kind === 'call' && entry.action.type === 'delegate') delegated.add(entry.call);
    else if (entry.kind === 'call' && (entry.action.type === 'read' || entry.action.type === 'write')) {
      segments.addFile(entry.action.type, entry.action.path);
    }
  }

  return {
    /** Takes the next line. */
    add(bytes: LineBytes, offset: number): void {
      segments.addBytes(bytes.length);
      if (input.entries.saysNothing(bytes)) return;
      const skim = bytes.length < LONG ? 'parse' : input.entries.skimEntry(bytes, offset, needOf);
      if (skim === 'skip' && detail === null) return;
      if (typeof skim === 'object' && 'entry' in skim && skim.entry !== null) {
        time = skim.entry.time ?? time;
        addEntry(skim.entry);
        return;
      }
      const line = input.parse(bytes);
      if (detail !== null) agents.add(line);
      if (skim === 'skip') return;
      const entries = input.entries.readEntries(line, offset);
      const fact = input.facts.readFact(line);
      if (session.cwd === null || entries.length === 0 || fact?.kind === 'boundary')
        noteSession(session, input.sessions.readSession(line));
      // What ends a batch of tools comes after it: the batch has the time of its last result.
      if (fact !== null) addFact(Object.assign(fact, { offset }));
      if (entries.some((entry) => findPromptKind(entry) !== null)) endTools(offset);
      time = entries.at(-1)?.time ?? time;
      session.started ??= time;
      if (delegated.size > 0 && entries.some(({ kind }) => kind === 'result')) {
        const agent = input.sessions.readAgentEnd(line);
        if (agent !== null) report([buildAgentEvent(agent)]);
      }
      for (const entry of entries) addEntry(entry);
    },
    finish(end: number): ReplayedSession {
      endTools(end);
      endCall();
      const peak = series.reduce<number | null>((most, tokens) => Math.max(most ?? 0, tokens), null);
      session.ended = time;
      if (detail !== null) detail.agents = agents.finish();
      return {
        ...{
          session,
          series,
          prompts: promptCalls,
          compactions: segments.compactions,
          peak,
          models: [...models],
        },
        ...{ announced, events, false_alarms: segments.hasWarning('with_tool_use') ? 1 : 0 },
        ...{ copied_calls: 0, copied_compactions: 0, call_keys: [...callIndex.keys()].map(hashText), detail },
      };
    },
  };
}
