// Updates the state of a session after each main event, so that the next hook is right and stays cheap.

import { isExpired, ownBoundaries } from '../compaction/delivery.ts';
import { noteRisenUsage } from '../context/announcement.ts';
import { buildLearningKey } from '../context/auto-compact.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { UNSEEN_BYTES } from '../context/nothing-to-save.ts';
import { findUnansweredBoundary, type TranscriptScan } from '../context/usage.ts';
import { isHeadless } from '../handoff/decide-handoff.ts';
import type { Action, Effect } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import type { UsageFact } from '../hosts/entry.ts';
import { createFactReader } from '../hosts/scan-facts.io.ts';
import { visitLinesFrom } from '../hosts/transcript.io.ts';
import { findClientProcess } from '../platform/process.ts';
import { tryStep } from '../platform/project/try-step.ts';
import type { SessionPatch, SessionState } from './session-state.ts';

/** Compactions below this say nothing about the client's threshold (a user's own, or a proxy without usage). */
const LEAST_POINT = 50_000;

function isWorthWriting(hook: HookContext, snapshot: SessionSnapshot, patch: SessionPatch): boolean {
  const { state, scan, epoch, assessment } = snapshot;
  // Without a state and a transcript it cannot be told whether the session is a fork.
  if (state === null) return scan !== null;
  const model = assessment.reading.model;
  const isHigh = (assessment.reading.tokens ?? 0) > (assessment.autoCompactAt.tokens ?? 150_000);
  return (
    patch.pending_compaction === null ||
    snapshot.hasFallen ||
    snapshot.hasRisen ||
    !state.active ||
    state.ended !== null ||
    patch.resumed_by === null ||
    patch.dropped === null ||
    state.transcript !== hook.event.transcript ||
    state.transcript_position.boundaries !== epoch.boundaries ||
    state.unanswered_boundary !== patch.unanswered_boundary ||
    (state.compaction_not_in_transcript !== null && epoch.unflushed === null) ||
    (scan !== null && scan.end - state.transcript_position.offset > UNSEEN_BYTES) ||
    (patch.client_stores_hook_output === true && !state.client_stores_hook_output) ||
    Object.entries(snapshot.largeWindowByModel).some(
      ([model, marked]) => state.large_window_by_model[model] !== marked,
    ) ||
    (state.first_answer_tokens === null && snapshot.firstAnswerTokens !== null) ||
    (state.last_seen === null && patch.last_seen != null) ||
    (isHigh &&
      model !== null &&
      (snapshot.maxTokensByModel[model] ?? 0) > (state.max_tokens_by_model[model] ?? 0))
  );
}

/** The client process that runs the session now, and since when we know the session. */
export const buildClientPatch = (hook: HookContext, state: SessionState | null): SessionPatch => ({
  started: state === null ? new Date(hook.now).toISOString() : state.started,
  host: hook.host.name,
  transcript: hook.event.transcript,
  process: findClientProcess(hook.env),
  // A person's session stays one, even when a script continues it.
  entrypoint:
    state !== null && state.entrypoint !== null && !isHeadless(state.entrypoint)
      ? state.entrypoint
      : (hook.env.HOST_ENTRYPOINT ?? null),
});

/** The state patch of a main event. */
export function buildSeenPatch(hook: HookContext, snapshot: SessionSnapshot): SessionPatch {
  const { scan, epoch, state, assessment } = snapshot;
  const { reading } = assessment;
  const patch: SessionPatch = {
    first_answer_tokens: snapshot.firstAnswerTokens,
    max_tokens_by_model: snapshot.maxTokensByModel,
    last_auto_compact_tokens: snapshot.lastAutoCompactTokens,
    last_auto_compact_model: snapshot.lastAutoCompactModel,
    large_window_by_model: snapshot.largeWindowByModel,
    compaction_not_in_transcript: epoch.unflushed,
    unanswered_boundary:
      scan === null
        ? (state?.unanswered_boundary ?? null)
        : (findUnansweredBoundary(scan.facts)?.offset ?? null),
    active: true,
    ended: null,
    ...buildClientPatch(hook, state),
  };
  // A session that continues takes its work back from the one that resumed it; a start alone is no work.
  const isWork = hook.event.kind === 'prompt' || hook.event.kind === 'after-tool';
  if (isWork && state !== null && state.resumed_by !== null) patch.resumed_by = null;
  // What a person asks for after the work was dropped is work again; the rest of that turn is not.
  if (hook.event.kind === 'prompt' && state !== null && state.dropped !== null) patch.dropped = null;
  // No start was seen: the handoff that it would have injected is due now.
  if (isWork && state === null) patch.handoff_due = 'startup';
  if (scan !== null) {
    patch.transcript_position = {
      offset: scan.end,
      boundaries: epoch.boundaries,
      last: epoch.starts.at(-1) ?? null,
    };
    if (scan.facts.injections.length > 0) patch.client_stores_hook_output = true;
  }
  if (reading.tokens !== null && !reading.estimated) {
    const { usage } = scan?.facts ?? {};
    if (usage) patch.last_seen = { tokens: usage.tokens, at: usage.at };
    patch.max_tokens_by_compact_setting = {
      [buildLearningKey(assessment.window.tokens, snapshot.client)]: reading.tokens,
    };
  }
  // Compactions before our first hook are not reported; one that turned out not to be this session's is taken back.
  if (state === null || epoch.number < state.epoch) {
    patch.epoch = epoch.number;
    if (state?.alert && state.alert.epoch > epoch.number) patch.alert = null;
  }
  // What the transcript alone tells of a report is not looked for again.
  const { said } = snapshot;
  if (state !== null && said !== null && said !== state.last_announced) patch.last_announced = said;
  if (snapshot.hasFallen) {
    patch.last_announced = null;
    patch.tier_checkpoint = null;
  } else Object.assign(patch, noteRisenUsage(snapshot));
  if (state?.pending_compaction && isExpired(state.pending_compaction, scan?.facts ?? null))
    patch.pending_compaction = null;
  return patch;
}

/** The first answer after a boundary, its last line; null where none stands before the next one. */
function readFirstAnswer({ host }: HookContext, path: string, from: number): UsageFact | null {
  const factIn = createFactReader(host.facts);
  let first: UsageFact | null = null;
  visitLinesFrom(path, from, (line, offset) => {
    const fact = factIn(line);
    if (fact?.kind === 'boundary') return offset === from;
    if (fact?.kind !== 'usage') return true;
    if (first !== null && (fact.messageId === null || fact.messageId !== first.messageId)) return false;
    first = fact;
    return true;
  });
  return first;
}

/** Learns what a compaction left, once its first answer is seen. */
function sizePart(hook: HookContext, { state, scan, assessment }: KnownSnapshot): Action[] {
  const { transcript } = hook.event;
  const news = ownBoundaries(state, scan.facts).filter(
    ({ offset }) => offset >= state.transcript_position.offset,
  );
  const boundary = news.at(-1)?.offset ?? state.unanswered_boundary;
  if (transcript === null || boundary === null || (scan.facts.usage?.offset ?? -1) < boundary) return [];
  const tokens =
    tryStep(hook, 'learned size', () => readFirstAnswer(hook, transcript, boundary))?.tokens ?? 0;
  if (tokens === 0 || tokens > assessment.window.tokens) return [];
  return [
    {
      name: 'learned size',
      claim: {
        name: `size-${boundary}`,
        isLeased: (newest) =>
          newest.transcript_position.offset > boundary && newest.unanswered_boundary !== boundary,
      },
      effects: [{ do: 'learn-point', kind: 'sizes', key: String(assessment.window.tokens), tokens }],
    },
  ];
}

type KnownSnapshot = SessionSnapshot & { state: SessionState; scan: TranscriptScan };

/** Learns the usage at automatic compactions that were not seen before, each in only one process. */
function pointParts(snapshot: KnownSnapshot): Action[] {
  const { state, scan, assessment } = snapshot;
  return ownBoundaries(state, scan.facts)
    .filter((each) => each.offset >= state.transcript_position.offset && each.trigger === 'auto')
    .filter(
      (each) => (each.preTokens ?? 0) >= LEAST_POINT && (each.preTokens ?? 0) <= assessment.window.tokens,
    )
    .map(
      (each): Action => ({
        name: 'learned point',
        claim: {
          name: `learned-${each.offset}`,
          isLeased: (newest) => newest.transcript_position.offset > each.offset,
        },
        effects: [
          {
            do: 'learn-point',
            kind: 'points',
            key: buildLearningKey(assessment.window.tokens, snapshot.client),
            tokens: each.preTokens ?? 0,
          },
        ],
      }),
    );
}

function learnedParts(hook: HookContext, snapshot: SessionSnapshot): Action[] {
  const { state, scan, assessment } = snapshot;
  if (state === null || scan === null) return [];
  // What the client says need not be learned, and would be taken for another host's.
  const { source, confidence } = assessment.autoCompactAt;
  if (source === 'client' && confidence === 'certain') return [];
  const known = { ...snapshot, state, scan };
  return [...pointParts(known), ...sizePart(hook, known)];
}

/** The actions that save the state; none when nothing that matters has changed. */
export function buildStateActions(hook: HookContext, snapshot: SessionSnapshot): Action[] {
  const patch = buildSeenPatch(hook, snapshot);
  if (!isWorthWriting(hook, snapshot, patch)) return [];
  const keep: Effect[] = [{ do: 'patch-session', session: hook.event.session, patch }];
  return [...learnedParts(hook, snapshot), { name: 'state', effects: keep }];
}
