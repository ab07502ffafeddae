// Builds the timeline of a session: usage after each answer, compactions, tool calls, and what hooks said.

import { isObject, type JsonObject } from '../../../text/json.ts';
import { type OurTag, splitTagged } from '../../entry.ts';
import { readLineFact } from './line.ts';

// Reads what a transcript line records of a hook run: what it said, or that it was cut off, timed out or failed.
export interface HookTrace {
  /**
   * `said`: words that reached the model. `cut`: they were too long, and the client gave the model a file's name instead.
   * `timeout`: it ran out of its time, and what it said is lost. `cancelled`: it was broken off, the client does not say
   * why (Esc does it too). `failed`: its answer was not understood, or it ended with an error.
   */
  kind: 'said' | 'cut' | 'timeout' | 'cancelled' | 'failed';
  /** The event, without the name of a tool. */
  event: string;
  /** ISO time written by the client, or null. */
  at: string | null;
  /** Whether it was one of our hooks; null where the client does not say. */
  isOurs: boolean | null;
  /** The words, or what was wrong; '' where nothing is told. */
  text: string;
}

/** How the client begins what stands for words that were too long. */
const PERSISTED = '<persisted-output>';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function ownerOf(command: unknown): boolean | null {
  return typeof command === 'string' ? /plimsoll/i.test(command) && /\bhook(?:\.cjs)?\b/.test(command) : null;
}

/** What the attachments of a hook come to; null for those that say nothing that matters here. */
export function readHookTrace(line: unknown): HookTrace | null {
  if (
    !isObject(line) ||
    line.type !== 'attachment' ||
    line.isSidechain === true ||
    line.agentId !== undefined
  )
    return null;
  const attachment: JsonObject | null = isObject(line.attachment) ? line.attachment : null;
  if (attachment === null) return null;
  const event = text(attachment.hookEvent) || (text(attachment.hookName).split(':')[0] ?? '');
  const base = { event, at: text(line.timestamp) || null, isOurs: ownerOf(attachment.command) };
  switch (attachment.type) {
    case 'hook_additional_context':
    case 'hook_success': {
      const parts = Array.isArray(attachment.content) ? attachment.content : [attachment.content];
      const said = parts.filter((part): part is string => typeof part === 'string' && part !== '').join('\n');
      if (said === '') return null;
      const isCut = said.includes(PERSISTED);
      // Plain words of a hook are none of ours, which speak JSON.
      if (attachment.type === 'hook_success' && !isCut) return null;
      const isOurs = splitTagged(said).length > 0 || base.isOurs === true;
      return { ...base, kind: isCut ? 'cut' : 'said', isOurs, text: said };
    }
    case 'hook_cancelled':
      return { ...base, kind: attachment.timedOut === true ? 'timeout' : 'cancelled', text: '' };
    case 'hook_non_blocking_error':
      return { ...base, kind: 'failed', text: text(attachment.stderr).split('\n')[0] ?? '' };
    case 'hook_error_during_execution':
      return { ...base, kind: 'failed', text: text(attachment.content).split('\n')[0] ?? '' };
    case 'hook_blocking_error': {
      const detail = isObject(attachment.blockingError) ? attachment.blockingError : {};
      return {
        ...base,
        kind: 'failed',
        isOurs: ownerOf(detail.command),
        text: text(detail.blockingError).split('\n')[0] ?? '',
      };
    }
    default:
      return null;
  }
}

export interface Fill {
  /** ISO time, or null. */
  at: string | null;
  tokens: number;
  /** Compactions before it. */
  epoch: number;
}

export interface TimelineCompaction {
  at: string | null;
  trigger: 'auto' | 'manual' | null;
  /** The last fill that was measured before it, in tokens, or null. */
  before: number | null;
  /** The first usage after it, in tokens, or null while no answer has come. */
  after: number | null;
  /** Where its boundary stands in the file, in bytes. */
  offset: number;
}

/** How often something was said, and what it cost. */
export interface Cost {
  times: number;
  tokens: number;
}

/** Runs of a hook that came to nothing. */
export interface Trouble {
  kind: Exclude<HookTrace['kind'], 'said'>;
  event: string;
  isOurs: boolean | null;
  /** Of the newest ones, oldest first; null where the client wrote none. */
  times: (string | null)[];
  /** What was wrong the last time. */
  text: string;
}

export interface Timeline {
  fills: Fill[];
  compactions: TimelineCompaction[];
  /** Where tool calls of the main session stand in the file, in bytes. */
  calls: number[];
  /** Whether the client stores what hooks say. */
  storesWords: boolean;
  /** What Plimsoll said, by tag: in all, and since the last compaction. */
  said: Partial<Record<OurTag, Cost>>;
  saidSince: Partial<Record<OurTag, Cost>>;
  troubles: Trouble[];
  /** When words of ours arrived last, by event. */
  arrived: Record<string, string>;
  /** Of the last answer: lines of one answer are one fill. */
  lastId: string | null;
  /** Tool calls of the last answer: its lines may come more than once. */
  lastCalls: string[];
}

export const createTimeline = (): Timeline => ({
  fills: [],
  compactions: [],
  calls: [],
  storesWords: false,
  said: {},
  saidSince: {},
  troubles: [],
  arrived: {},
  lastId: null,
  lastCalls: [],
});

/** So many fills are kept; of more, every second one goes. */
const MOST_FILLS = 4_096;
const MOST_TIMES = 50;

function addCost(costs: Partial<Record<OurTag, Cost>>, tag: OurTag, tokens: number): void {
  const { times = 0, tokens: before = 0 } = costs[tag] ?? {};
  costs[tag] = { times: times + 1, tokens: before + tokens };
}

function addTrace(timeline: Timeline, trace: HookTrace, count: (text: string) => number): void {
  const { kind, event, isOurs, at } = trace;
  if (kind === 'said') {
    timeline.storesWords = true;
    if (!isOurs) return;
    if (at !== null) timeline.arrived[event] = at;
    for (const { tag, text } of splitTagged(trace.text)) {
      const tokens = count(text);
      addCost(timeline.said, tag, tokens);
      addCost(timeline.saidSince, tag, tokens);
    }
    return;
  }
  let known = timeline.troubles.find(
    (each) => each.kind === kind && each.event === event && each.isOurs === isOurs,
  );
  if (known === undefined) {
    known = { kind, event, isOurs, times: [], text: '' };
    timeline.troubles.push(known);
  }
  known.times = [...known.times, at].slice(-MOST_TIMES);
  known.text = kind === 'cut' ? '' : trace.text.slice(0, 300);
}

function addCalls(timeline: Timeline, line: unknown, offset: number): void {
  if (!isObject(line) || line.isSidechain === true || line.agentId !== undefined) return;
  const message = isObject(line.message) ? line.message : {};
  const id = typeof message.id === 'string' ? message.id : null;
  if (id === null || id !== timeline.lastId) timeline.lastCalls = [];
  timeline.lastId = id;
  for (const block of Array.isArray(message.content) ? message.content : []) {
    if (!isObject(block) || block.type !== 'tool_use') continue;
    const call = String(block.id);
    if (timeline.lastCalls.includes(call)) continue;
    timeline.lastCalls.push(call);
    timeline.calls.push(offset);
  }
}

/**
 * Adds the next line of a transcript, in file order. The timeline grows in place.
 *
 * @param offset of the line in the file, in bytes
 * @param count tokens of a text, by the estimate that budgets are kept with
 */
export function addLine(
  timeline: Timeline,
  line: unknown,
  offset: number,
  count: (text: string) => number,
): void {
  const trace = readHookTrace(line);
  if (trace !== null) addTrace(timeline, trace, count);
  if (!isObject(line)) return;
  const { lastId } = timeline;
  if (line.type === 'assistant') addCalls(timeline, line, offset);
  const fact = readLineFact(line);
  if (fact?.kind === 'boundary') {
    const before = fact.preTokens ?? timeline.fills.at(-1)?.tokens ?? null;
    timeline.compactions.push({ at: fact.at, trigger: fact.trigger, before, after: null, offset });
    timeline.saidSince = {};
  } else if (fact?.kind === 'usage') {
    const { tokens, at } = fact;
    const epoch = timeline.compactions.length;
    const last = timeline.fills.at(-1);
    // The last line of an answer counts.
    if (last !== undefined && fact.messageId !== null && fact.messageId === lastId && last.epoch === epoch)
      timeline.fills.pop();
    timeline.fills.push({ at, tokens, epoch });
    const compaction = timeline.compactions.at(-1);
    if (compaction !== undefined) compaction.after ??= tokens;
    if (timeline.fills.length > MOST_FILLS)
      timeline.fills = timeline.fills.filter((_, index) => index % 2 === 1);
  }
}
