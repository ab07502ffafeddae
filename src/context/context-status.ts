// Combines state and transcript into segment and assessment: the one way hooks and commands look at a session.

import { type Epoch, findEpoch } from '../compaction/delivery.ts';
import type { ClientCompaction, HostLimits } from '../hosts/host.ts';
import type { LastAnnounced, SessionState } from '../sessions/session-state.ts';
import { type Assessment, type AssessmentSettings, assessUsage, withCriticality } from './assessment.ts';
import { findCompactedModel } from './auto-compact.ts';
import type { ClientUsage, TranscriptState } from './client-usage.ts';
import type { Learned } from './learned.ts';
import { buildUsageReading, type TranscriptFacts, type TranscriptScan } from './usage.ts';
import { isMarked } from './window.ts';

/** A fall of usage by more than this fraction of the effective limit arms the tiers again. */
const FALL = 0.1;
/** The usage that a fall is measured from is kept anew when it has risen by this fraction. */
const STEP = 0.05;

export interface ContextStatus {
  epoch: Epoch;
  assessment: Assessment;
  /** What the client was told about automatic compaction. */
  client: ClientCompaction;
  /** Largest usage per model id, in tokens. */
  maxTokensByModel: Record<string, number>;
  largeWindowByModel: Record<string, boolean>;
  /** Tokens of the session's first answer, or null. */
  firstAnswerTokens: number | null;
  /** `preTokens` of the last automatic compaction, or null. */
  lastAutoCompactTokens: number | null;
  /** The model that it has stopped, or null. */
  lastAutoCompactModel: string | null;
}

/** What is seen of a session at one moment. */
export interface SessionSnapshot extends ContextStatus {
  state: SessionState | null;
  scan: TranscriptScan | null;
  /** What the monitor has said in this segment, or null. */
  said: LastAnnounced | null;
  /** True when usage fell since then, without a boundary: what was said before counts no more. */
  hasFallen: boolean;
  /** True when it rose by so much that it is kept. */
  hasRisen: boolean;
}

/**
 * What was said of this very context. Another window (a model switch, a window proved larger) makes it another one; so does
 * a fall of usage without a boundary (a rewind, cleared results): its tiers may all be reached again.
 */
export function compareWithAnnounced(
  state: SessionState | null,
  { epoch, assessment }: Pick<ContextStatus, 'epoch' | 'assessment'>,
): Pick<SessionSnapshot, 'said' | 'hasFallen' | 'hasRisen'> {
  const { reading, effectiveLimit, window } = assessment;
  const { tokens } = reading;
  const said = state?.last_announced ?? null;
  if (said === null || said.epoch !== epoch.number || said.window !== window.tokens)
    return { said: null, hasFallen: false, hasRisen: false };
  if (said.highest_tier === 'NOMINAL' || tokens === null || reading.estimated)
    return { said, hasFallen: false, hasRisen: false };
  const hasFallen = said.max_tokens - tokens > FALL * effectiveLimit;
  return {
    said: hasFallen ? null : said,
    hasFallen,
    hasRisen: tokens - said.max_tokens >= STEP * effectiveLimit,
  };
}

/** The usage, in tokens, that `compareWithAnnounced` takes for no fall and no rise. */
export function findSameUsage({ said, assessment }: Pick<SessionSnapshot, 'said' | 'assessment'>): {
  from: number;
  below: number;
} {
  if (said === null || said.highest_tier === 'NOMINAL') return { from: 0, below: Number.POSITIVE_INFINITY };
  const { effectiveLimit } = assessment;
  return { from: said.max_tokens - FALL * effectiveLimit, below: said.max_tokens + STEP * effectiveLimit };
}

/**
 * @param facts what was read of the transcript (its tail, or all of it), or null
 * @param head what stands at its beginning, where that was read, or null
 * @param feed what the client itself tells beyond that, or null where it tells nothing
 * @param client the client's own settings, merged
 * @param learned what was seen of the client on this machine
 * @param before true to judge the usage as it was before a compaction that has just happened
 */
export function buildContextStatus(input: {
  state: SessionState | null;
  facts: TranscriptFacts | null;
  head: TranscriptFacts | null;
  feed: ((seen: TranscriptState) => ClientUsage) | null;
  now: number;
  env: Record<string, string | undefined>;
  limits: HostLimits;
  client: Record<string, unknown>;
  learned: Learned;
  settings: AssessmentSettings;
  before?: boolean;
  /** True when `facts` are those of every line of the transcript. */
  isWhole: boolean;
}): ContextStatus {
  const { state, facts, head, before = false } = input;
  // The host sets the variables of its settings over those that it was started with; a command sees only the latter.
  const env = { ...input.env, ...(input.client.env as Record<string, string> | undefined) };
  const epoch = findEpoch(state, facts, input.now);
  const largeWindowByModel = {
    ...state?.large_window_by_model,
    ...head?.largeWindowByModel,
    ...facts?.largeWindowByModel,
  };
  const first = head?.first ?? (input.isWhole ? facts?.first : null) ?? null;
  const firstAnswerTokens = state?.first_answer_tokens ?? first?.tokens ?? null;
  const lastAutoCompactTokens =
    facts?.boundaries.findLast((each) => each.trigger === 'auto')?.preTokens ??
    state?.last_auto_compact_tokens ??
    null;
  const { now } = input;
  const usage = facts?.usage ?? null;
  const boundary = facts?.boundary ?? null;
  const compacted = Math.max(Date.parse(boundary?.at ?? '') || 0, epoch.unflushed?.at ?? 0);
  const fed = input.feed?.({ usage, compacted: before ? Number.POSITIVE_INFINITY : compacted, now });
  const reading = buildUsageReading(
    { usage, boundary: before ? null : boundary, characters: facts?.characters ?? null },
    { fed: fed?.reading, compacted: !before && epoch.unflushed !== null, firstCall: firstAnswerTokens, now },
  );
  const maxTokensByModel: Record<string, number> = { ...state?.max_tokens_by_model };
  for (const source of [head?.maxTokensByModel, facts?.maxTokensByModel]) {
    for (const [model, tokens] of Object.entries(source ?? {}))
      maxTokensByModel[model] = Math.max(maxTokensByModel[model] ?? 0, tokens);
  }
  // Told once, when it is new: later the other models may have grown up to it as well.
  const isNewAuto =
    lastAutoCompactTokens !== null && lastAutoCompactTokens !== state?.last_auto_compact_tokens;
  const lastAutoCompactModel = isNewAuto
    ? findCompactedModel(lastAutoCompactTokens, maxTokensByModel)
    : (state?.last_auto_compact_model ?? null);
  const client = input.limits.readCompaction(env, input.client, reading.model);
  const assessment = assessUsage({
    reading,
    fed: fed?.window,
    toldCompactsAt: fed?.compactsAt,
    maxTokensByModel,
    maxTokensByCompactSetting: state?.max_tokens_by_compact_setting ?? null,
    lastAuto: lastAutoCompactTokens,
    lastAutoModel: lastAutoCompactModel,
    marked: isMarked(largeWindowByModel, reading.model),
    learned: input.learned,
    client,
    env,
    limits: input.limits,
    settings: withCriticality(input.settings, state?.workflow_file?.criticality),
  });
  return {
    epoch,
    assessment,
    client,
    maxTokensByModel,
    largeWindowByModel,
    firstAnswerTokens,
    lastAutoCompactTokens,
    lastAutoCompactModel,
  };
}
