// Replays one transcript as if live: at every prompt and after every batch of tools it asks the very decision of the hooks,
// and it measures how early each compaction was announced.

import {
  type Announcement,
  type AnnouncementSettings,
  decideAnnouncement,
  noteAnnouncement,
} from '../context/announcement.ts';
import type { AssessmentSettings } from '../context/assessment.ts';
import { buildContextStatus, compareWithAnnounced, type SessionSnapshot } from '../context/context-status.ts';
import { isAtLeast, type Tier } from '../context/tier.ts';
import { foldFacts, type TranscriptFacts, type WithOffset } from '../context/usage.ts';
import type { BoundaryFact, EntryReader, LineBytes, TranscriptEntry, UsageFact } from '../hosts/entry.ts';
import type { FactReader, HostLimits } from '../hosts/host.ts';
import { createSessionState, type SessionState } from '../sessions/session-state.ts';

/** What a session is replayed with: who reads its lines, and the settings that judge it. */
export interface ReplayInput {
  facts: FactReader;
  entries: Pick<EntryReader, 'readEntries' | 'skimEntry'>;
  /** Parses a line; null where it is torn. */
  parse: (line: LineBytes) => unknown;
  limits: HostLimits;
  assessment: AssessmentSettings;
  settings: AnnouncementSettings;
  /** The host's own settings, merged, that decide when it compacts. */
  client: Record<string, unknown>;
  /** Usages at automatic compactions of this machine, by window. */
  learned: Record<string, number[]>;
}

/** A moment at which a hook runs, and what it decides there. */
export interface ReplayedMoment {
  kind: 'prompt' | 'tools';
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

/** Bytes of a line from which on it costs less to look for what it is than to parse it: most of them are results. */
const LONG = 4 * 1024;
/** A file of the segment before that was read again soon after: what the compaction cost. */
const REWORK_CALLS = 20;

export interface ReplayedCompaction {
  trigger: BoundaryFact['trigger'];
  at: string | null;
  /** Tokens before it as the host counted them, or null. */
  pre_tokens: number | null;
  /** Tokens of the last call before it, or null. */
  last_tokens: number | null;
  /** Tokens of the first call after it, or null. */
  next_tokens: number | null;
  /** Per channel the lead of the first warning in its segment, or null where none came. */
  lead: { prompt_only: Lead | null; with_tool_use: Lead | null };
  /** Files that were known before and read again within 20 calls after it. */
  rework: number;
}

export interface ReplayedSession {
  /** Context tokens of each main-chain call, in order. */
  series: number[];
  compactions: ReplayedCompaction[];
  /** Largest context in tokens, or null where no call was measured. */
  peak: number | null;
  models: string[];
  /** The moments at which something was said in full, where tools are heard too. */
  announced: ReplayedMoment[];
  /** Segments with a warning that no compaction followed. */
  false_alarms: number;
}

/** What is known of the stretch since the last compaction: the first warning of each channel, and its files. */
interface Segment {
  warning: { prompt_only?: ReplayedMoment; with_tool_use?: ReplayedMoment };
  files: Set<string>;
}
const newSegment = (): Segment => ({ warning: {}, files: new Set() });

const isPrompt = (entry: TranscriptEntry): boolean =>
  entry.kind === 'request' && (entry.by === 'person' || entry.by === 'command');

const isWarning = ({ said, tier }: ReplayedMoment): boolean =>
  said === 'full' && tier !== null && isAtLeast(tier, 'WARNING');

function findLead(warning: ReplayedMoment | undefined, end: ReplayedMoment): Lead | null {
  if (warning === undefined) return null;
  const ms = Date.parse(end.at ?? '') - Date.parse(warning.at ?? '');
  return {
    calls: end.calls - warning.calls,
    minutes: Number.isNaN(ms) ? null : Math.max(0, Math.round(ms / 6_000) / 10),
    tokens: Math.max(0, (end.tokens ?? 0) - (warning.tokens ?? 0)),
    prompts: end.prompts - warning.prompts,
  };
}

/**
 * Begins the replay of one transcript, to which its lines are given in file order.
 * Each channel is replayed by itself: one that hears of tools has said at a prompt what it said before.
 */
export function createReplay(input: ReplayInput) {
  const facts: TranscriptFacts = foldFacts([]);
  const calls = new Map<string, UsageFact>();
  const models = new Set<string>();
  const compactions: ReplayedCompaction[] = [];
  const announced: ReplayedMoment[] = [];
  const states: Record<'prompt_only' | 'with_tool_use', SessionState> = {
    prompt_only: createSessionState('replay'),
    with_tool_use: createSessionState('replay'),
  };
  let segment = newSegment();
  let known = new Set<string>();
  let prompts = 0;
  let hasRunTools = false;
  let falseAlarms = 0;
  let callsSince = 0;
  let time: string | null = null;

  function placeOf(kind: ReplayedMoment['kind']): ReplayedMoment {
    const tokens = facts.usage?.tokens ?? null;
    return {
      kind,
      at: time,
      calls: calls.size,
      prompts,
      tokens,
      tier: null,
      said: null,
      reason: 'unchanged',
    };
  }

  function decideIn(channel: keyof typeof states, kind: ReplayedMoment['kind'], end: number): ReplayedMoment {
    const state = states[channel];
    const now = Date.parse(time ?? '') || 0;
    const status = buildContextStatus({
      ...{ state, facts, head: facts, feed: null, now, env: {}, isWhole: true },
      ...{ client: input.client, limits: input.limits, learned: input.learned, settings: input.assessment },
    });
    const snapshot: SessionSnapshot = {
      ...status,
      state,
      scan: { facts, end, from: 0 },
      ...compareWithAnnounced(state, status),
    };
    const event =
      kind === 'prompt'
        ? ({ kind: 'prompt', agent: null, isNotice: false } as const)
        : ({ kind: 'after-tool', agent: null } as const);
    const announcement = decideAnnouncement(snapshot, event, input.settings);
    const { boundaries, starts } = status.epoch;
    // Nobody else writes it: it needs no merging.
    Object.assign(state, {
      transcript_position: { offset: end, boundaries, last: starts.at(-1) ?? null },
      epoch: status.epoch.number,
      first_answer_tokens: status.firstAnswerTokens,
      max_tokens_by_model: status.maxTokensByModel,
      last_auto_compact_tokens: status.lastAutoCompactTokens,
      ...(snapshot.hasFallen ? { last_announced: null, tier_checkpoint: null } : {}),
      ...(announcement.isKept ? noteAnnouncement(snapshot, announcement, now) : {}),
    });
    const { tier, said, reason } = announcement;
    return { ...placeOf(kind), tokens: status.assessment.reading.tokens, tier, said, reason };
  }

  function passMoment(kind: ReplayedMoment['kind'], end: number): void {
    const heard = decideIn('with_tool_use', kind, end);
    if (heard.said === 'full') announced.push(heard);
    if (isWarning(heard)) segment.warning.with_tool_use ??= heard;
    if (kind !== 'prompt') return;
    const atPrompt = decideIn('prompt_only', kind, end);
    if (isWarning(atPrompt)) segment.warning.prompt_only ??= atPrompt;
  }

  function endTools(end: number): void {
    if (hasRunTools) passMoment('tools', end);
    hasRunTools = false;
  }

  function addFact(fact: WithOffset): void {
    if (fact.kind === 'usage') {
      const key = fact.messageId ?? `at ${fact.offset}`;
      const isNew = !calls.has(key);
      if (isNew) endTools(fact.offset);
      calls.set(key, fact);
      if (isNew) callsSince++;
      models.add(fact.model);
      facts.usage = fact;
      facts.isUnmeasured = false;
      if (facts.first === null || (fact.messageId !== null && fact.messageId === facts.first.messageId))
        facts.first = fact;
      facts.maxTokensByModel[fact.model] = Math.max(facts.maxTokensByModel[fact.model] ?? 0, fact.tokens);
      const last = compactions.at(-1);
      if (last !== undefined && callsSince === 1) last.next_tokens = fact.tokens;
    } else if (fact.kind === 'boundary') {
      endTools(fact.offset);
      passBoundary(fact);
    } else if (fact.kind === 'window-mark') facts.largeWindowByModel[fact.model] = fact.isMarked;
  }

  function passBoundary(boundary: WithOffset<BoundaryFact>): void {
    const end = { ...placeOf('tools'), at: boundary.at ?? time };
    const { warning, files } = segment;
    compactions.push({
      trigger: boundary.trigger,
      at: boundary.at,
      pre_tokens: boundary.preTokens,
      last_tokens: end.tokens,
      next_tokens: null,
      lead: {
        prompt_only: findLead(warning.prompt_only, end),
        with_tool_use: findLead(warning.with_tool_use, end),
      },
      rework: 0,
    });
    facts.boundary = boundary;
    facts.boundaries.push(boundary);
    known = files;
    segment = newSegment();
    callsSince = 0;
  }

  function addEntry(entry: TranscriptEntry): void {
    if (isPrompt(entry)) {
      prompts++;
      passMoment('prompt', entry.offset);
    } else if (entry.kind === 'result') hasRunTools = true;
    else if (entry.kind === 'call' && (entry.action.type === 'read' || entry.action.type === 'write')) {
      const { path, type } = entry.action;
      const last = compactions.at(-1);
      if (last !== undefined && type === 'read' && callsSince <= REWORK_CALLS && known.delete(path))
        last.rework++;
      segment.files.add(path);
    }
  }

  return {
    /** Takes the next line. */
    add(bytes: LineBytes, offset: number): void {
      const skim = bytes.length < LONG ? 'parse' : input.entries.skimEntry(bytes, offset, () => 'nothing');
      if (skim === 'skip') return;
      if (skim !== 'parse' && 'entry' in skim && skim.entry !== null) {
        time = skim.entry.time ?? time;
        addEntry(skim.entry);
        return;
      }
      const line = input.parse(bytes);
      const entries = input.entries.readEntries(line, offset);
      const fact = input.facts.readFact(line);
      // What ends a batch of tools comes after it: the batch has the time of its last result.
      if (fact !== null) addFact({ ...fact, offset });
      if (entries.some(isPrompt)) endTools(offset);
      time = entries.at(-1)?.time ?? time;
      for (const entry of entries) addEntry(entry);
    },
    finish(end: number): ReplayedSession {
      endTools(end);
      if (segment.warning.with_tool_use !== undefined) falseAlarms++;
      const series = [...calls.values()].map(({ tokens }) => tokens);
      const peak = series.reduce<number | null>((most, tokens) => Math.max(most ?? 0, tokens), null);
      return { series, compactions, peak, models: [...models], announced, false_alarms: falseAlarms };
    },
  };
}
