// The state of a session kept between two hook runs; its file decides what counts as delivered.

import type { SectionMarks } from '../compaction/workflow/staleness.ts';
import { isAtLeast, TIERS, type Tier } from '../context/tier.ts';
import { isFlag, isNumber, isText, mapOf, mayBe, type Shape, withFields } from '../text/json.ts';

export const SESSION_STATE_VERSION = '1.11.0';

/** A compaction that a hook announced and that has not been confirmed yet. */
export interface PendingCompaction {
  /** Id of the checkpoint written for it, or null when writing failed. */
  checkpoint: string | null;
  /** Size of the transcript at that hook, in bytes. */
  offset: number;
  trigger: 'auto' | 'manual';
  at: string;
}

/** The alert about the newest compaction. */
export interface Alert {
  epoch: number;
  checkpoint: string | null;
  /** `unverified`: said to a client that stores no proof; `undelivered`: no evidence after three tries. */
  status: 'leased' | 'delivered' | 'unverified' | 'undelivered';
  tries: number;
  /** Size of the transcript when the alert was said, in bytes. */
  offset: number;
  at: string;
  channel: string;
}

/** The `<resumption-context>` that a session was given; leased and proved as an alert is. */
export interface ReceivedHandoff {
  /** Session that it tells of. */
  from: string;
  status: Alert['status'];
  tries: number;
  /** Size of the transcript when it was said, in bytes. */
  offset: number;
  at: string;
  channel: string;
  /** Where its trace was found, or why none is to be expected; once its fate is known. */
  evidence?: string;
}

export interface WorkflowFile extends SectionMarks {
  path: string;
  /** Of the file when it was read. */
  mtimeMs: number;
  /** When the phase that it names was first seen, as an ISO time; null where it was there from the start. */
  phase_since: string | null;
}

export interface LastStop {
  at: string;
  /** Size of the transcript, in bytes. */
  offset: number;
  answer: string | null;
}
export const isLastStop = withFields({ at: isText, offset: isNumber, answer: mayBe(isText) });

/** A subagent that has finished, of which the main session is to be told. */
export interface FinishedSubagent {
  type: string;
  /** The first line of its last words, redacted, or null. */
  answer: string | null;
  at: string;
}

export interface LastAnnounced {
  epoch: number;
  tier: Tier;
  highest_tier: Tier;
  /** Window in tokens. */
  window: number;
  /** The largest usage seen since, in tokens: what a fall is measured from. */
  max_tokens: number;
  /** When CRITICAL was reached in this segment, as an ISO time. */
  critical_at?: string;
  /** The end of a turn was held in this segment until the resumption section is current. */
  held?: true;
}

export interface SessionState {
  schema_version: string;
  session_id: string;
  /** Name of the host in which it runs; null where no hook has seen it yet. */
  host: string | null;
  transcript: string | null;
  /** How far main boundaries are counted, how many there were, and where the last one stands (bytes). */
  transcript_position: { offset: number; boundaries: number; last: number | null };
  /** Compactions of which the agent was told (or that lie before our first look). */
  epoch: number;
  /** The start after a compaction came, and its boundary is not in the file yet. Offset: size of the file then; at: ms. */
  compaction_not_in_transcript: { epoch: number; offset: number; at: number } | null;
  /** Where the last boundary stands, in bytes, until the first answer after it was seen. */
  unanswered_boundary: number | null;
  /** Tokens of the first answer, or null. */
  first_answer_tokens: number | null;
  /** `preTokens` of the last automatic compaction, and the model that it has stopped; each null where unknown. */
  last_auto_compact_tokens: number | null;
  last_auto_compact_model: string | null;
  /** Largest fill per model id, in tokens. */
  max_tokens_by_model: Record<string, number>;
  /** Largest fill under each compaction setting (`buildLearningKey`), in tokens. */
  max_tokens_by_compact_setting: Record<string, number>;
  /** Whether the client named a model with the `[1m]` mark, by model name. */
  large_window_by_model: Record<string, boolean>;
  /** The last measured usage, shown as `last_seen` when a later look finds none. */
  last_seen: { tokens: number; at: string | null } | null;
  /** What the monitor said last, and the highest tier that it said in that segment. */
  last_announced: LastAnnounced | null;
  /** The highest tier of a segment that a checkpoint was written for. */
  tier_checkpoint: { epoch: number; tier: Tier; window: number } | null;
  /** Epoch in which the "if the window is 200,000" warning was given. */
  warned_for_200k: number | null;
  /** `offset`: up to where it covers the transcript, in bytes; absent in states of earlier versions. */
  last_checkpoint: { id: string; at: string; offset?: number } | null;
  pending_compaction: PendingCompaction | null;
  alert: Alert | null;
  /** True when the client was seen to store what hooks injected. */
  client_stores_hook_output: boolean;
  /** True once a prompt or a tool call came: a start that nothing followed is no session. */
  active: boolean;
  /** The client's kind of door (`cli`, `sdk-cli`, …), or null. */
  entrypoint: string | null;
  /** The client's process, and when that process began as the system tells it; null where the client does not say. */
  process: { pid: number; began: string | null } | null;
  /** When this session was split off from another one, in ms: compactions before are the other's. */
  forked_at: number | null;
  /** When this session was first seen, as an ISO time; null in states of earlier versions. */
  started: string | null;
  /** The ORCHESTRATION.yaml of the work as it was seen last. */
  workflow_file: WorkflowFile | null;
  /** The last Stop: size of the transcript then, and the first lines of the answer, redacted. */
  last_stop: LastStop | null;
  /**
   * Up to where, in bytes of the transcript, failed calls that no hook was told of are in the work log: of the session
   * itself (`main`), and of subagents by their id.
   */
  logged_tool_call_offsets: Record<string, number>;
  /** Subagents that have finished since the last prompt or tool call, by their id; null where there are none. */
  finished_subagents: Record<string, FinishedSubagent | null> | null;
  /** The session's end came, and nothing since. */
  ended: { at: string; reason: string } | null;
  /** The earlier session that this one was told of at its start. */
  received_handoff: ReceivedHandoff | null;
  /**
   * How it started, until it was told of the one before it, or there was nothing to tell: a start can die before it answers,
   * or never be heard of.
   */
  handoff_due: 'startup' | 'clear' | null;
  /** Key of the earlier session that this one was only pointed to, or null. */
  pointed_to: string | null;
  /** The later session that was told of this one; `taken` once a prompt or a tool call came there. */
  resumed_by: { session_id: string; status: 'leased' | 'taken'; at: string } | null;
  off: boolean;
  /**
   * Its work was dropped, until the next prompt. `cause`: a `person`, who wants nobody told of it again, or the setting
   * session.abandon_on.
   */
  dropped: { at: string; reason: string; cause: 'person' | 'emergency' | 'compaction' } | null;
}

export type SessionPatch = Partial<Omit<SessionState, 'schema_version' | 'session_id'>>;

export const createSessionState = (session_id: string): SessionState => ({
  schema_version: SESSION_STATE_VERSION,
  session_id,
  host: null,
  transcript: null,
  transcript_position: { offset: 0, boundaries: 0, last: null },
  epoch: 0,
  compaction_not_in_transcript: null,
  unanswered_boundary: null,
  ...{ first_answer_tokens: null, last_auto_compact_tokens: null, last_auto_compact_model: null },
  max_tokens_by_model: {},
  max_tokens_by_compact_setting: {},
  large_window_by_model: {},
  last_seen: null,
  last_announced: null,
  tier_checkpoint: null,
  warned_for_200k: null,
  last_checkpoint: null,
  pending_compaction: null,
  alert: null,
  ...{ client_stores_hook_output: false, active: false, entrypoint: null },
  process: null,
  forked_at: null,
  started: null,
  workflow_file: null,
  last_stop: null,
  logged_tool_call_offsets: {},
  finished_subagents: null,
  ended: null,
  ...{ received_handoff: null, handoff_due: null, pointed_to: null, resumed_by: null },
  ...{ off: false, dropped: null },
});

const isTier: Shape = (value) => TIERS.includes(value as Tier);
const maybeText = mayBe(isText);
const maybeNumber = mayBe(isNumber);
const DELIVERY = { status: isText, tries: isNumber, offset: isNumber, at: isText, channel: isText };
const FIELDS: Record<keyof SessionState, Shape> = {
  schema_version: isText,
  session_id: isText,
  host: maybeText,
  transcript: maybeText,
  transcript_position: withFields({ offset: isNumber, boundaries: isNumber, last: maybeNumber }),
  epoch: isNumber,
  compaction_not_in_transcript: mayBe(withFields({ epoch: isNumber, offset: isNumber, at: isNumber })),
  unanswered_boundary: maybeNumber,
  first_answer_tokens: maybeNumber,
  last_auto_compact_tokens: maybeNumber,
  last_auto_compact_model: maybeText,
  max_tokens_by_model: mapOf(isNumber),
  max_tokens_by_compact_setting: mapOf(isNumber),
  large_window_by_model: mapOf(isFlag),
  last_seen: mayBe(withFields({ tokens: isNumber, at: maybeText })),
  last_announced: mayBe(
    withFields({
      ...{ epoch: isNumber, tier: isTier, highest_tier: isTier, window: isNumber, max_tokens: isNumber },
      ...{ critical_at: maybeText, held: mayBe(isFlag) },
    }),
  ),
  tier_checkpoint: mayBe(withFields({ epoch: isNumber, tier: isTier, window: isNumber })),
  warned_for_200k: maybeNumber,
  last_checkpoint: mayBe(withFields({ id: isText, at: isText, offset: maybeNumber })),
  pending_compaction: mayBe(
    withFields({ checkpoint: maybeText, offset: isNumber, trigger: isText, at: isText }),
  ),
  alert: mayBe(withFields({ ...DELIVERY, epoch: isNumber, checkpoint: maybeText })),
  client_stores_hook_output: isFlag,
  active: isFlag,
  entrypoint: maybeText,
  process: mayBe(withFields({ pid: isNumber, began: maybeText })),
  forked_at: maybeNumber,
  started: maybeText,
  workflow_file: mayBe(
    withFields({
      ...{ path: isText, mtimeMs: isNumber, phase_since: maybeText, updated_at: maybeText },
      ...{ last_checkpoint: maybeText, current_phase: maybeText },
    }),
  ),
  last_stop: mayBe(isLastStop),
  logged_tool_call_offsets: mapOf(isNumber),
  finished_subagents: mayBe(mapOf(mayBe(withFields({ type: isText, answer: maybeText, at: isText })))),
  ended: mayBe(withFields({ at: isText, reason: isText })),
  received_handoff: mayBe(withFields({ ...DELIVERY, from: isText, evidence: maybeText })),
  handoff_due: maybeText,
  pointed_to: maybeText,
  resumed_by: mayBe(withFields({ session_id: isText, status: isText, at: isText })),
  off: isFlag,
  dropped: mayBe(withFields({ at: isText, reason: isText, cause: isText })),
};

/** Whether what was read is a state: a file of other types is none, whatever it says. */
export const isSessionState = withFields(FIELDS) as (value: unknown) => value is SessionState;

const largest = (a: Record<string, number>, b: Record<string, number> = {}): Record<string, number> => {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) merged[key] = Math.max(merged[key] ?? 0, value);
  return merged;
};

/** Of two tools that ran side by side the later writer may have seen less. */
function mergeSaid(current: LastAnnounced | null, next: LastAnnounced | null): LastAnnounced | null {
  if (current === null || next === null) return next;
  if (current.epoch !== next.epoch || current.window !== next.window) return next;
  const top = isAtLeast(current.highest_tier, next.highest_tier) ? current.highest_tier : next.highest_tier;
  return { ...next, highest_tier: top, max_tokens: Math.max(current.max_tokens, next.max_tokens) };
}

/** Applies a change to the newest state; figures that only grow never shrink by a late writer. */
export function mergeSessionState(current: SessionState, patch: SessionPatch): SessionState {
  const merged: SessionState = { ...current, ...patch, schema_version: SESSION_STATE_VERSION };
  merged.max_tokens_by_model = largest(current.max_tokens_by_model, patch.max_tokens_by_model);
  merged.max_tokens_by_compact_setting = largest(
    current.max_tokens_by_compact_setting,
    patch.max_tokens_by_compact_setting,
  );
  merged.last_announced = mergeSaid(current.last_announced, merged.last_announced);
  merged.logged_tool_call_offsets = largest(current.logged_tool_call_offsets, patch.logged_tool_call_offsets);
  merged.large_window_by_model = { ...current.large_window_by_model, ...patch.large_window_by_model };
  // Subagents end side by side: each adds itself, and what takes one out leaves the others.
  const finished = Object.entries({ ...current.finished_subagents, ...patch.finished_subagents }).filter(
    ([, each]) => each !== null,
  );
  merged.finished_subagents = finished.length === 0 ? null : Object.fromEntries(finished);
  merged.client_stores_hook_output =
    current.client_stores_hook_output || (patch.client_stores_hook_output ?? false);
  if (
    patch.transcript_position &&
    patch.transcript_position.offset < current.transcript_position.offset &&
    patch.transcript_position.boundaries < current.transcript_position.boundaries
  ) {
    merged.transcript_position = current.transcript_position;
  }
  return merged;
}
