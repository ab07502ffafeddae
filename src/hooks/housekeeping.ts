// Updates the state of a session after each main event, so that the next hook is right and stays cheap.
import { learningKey } from '../context/auto-compact.ts';
import type { Conversation, ConversationPatch } from '../model/conversation.ts';
import { isExpired, ownBoundaries } from '../model/delivery.ts';
import type { Keep, Part } from '../model/outcome.ts';
import { isHeadless } from '../model/resume.ts';
import { clientProcess } from '../store/process.ts';
import { type Call, type Look, UNSEEN_BYTES } from './look.ts';

/** Compactions below this say nothing about the client's threshold (a user's own, or a proxy without usage). */
const LEAST_POINT = 50_000;

function isWorthWriting(call: Call, look: Look, patch: ConversationPatch): boolean {
  const { state, scan, epoch, assessment } = look;
  // Without a state and a transcript it cannot be told whether the session is a fork.
  if (state === null) return scan !== null;
  const model = assessment.reading.model;
  const isHigh = (assessment.reading.tokens ?? 0) > (assessment.autoCompactAt.tokens ?? 150_000);
  return (
    patch.pending === null ||
    look.hasFallen ||
    look.hasRisen ||
    !state.active ||
    state.ended !== null ||
    patch.resumed_by === null ||
    state.transcript_path !== call.event.transcript ||
    state.seen.boundaries !== epoch.boundaries ||
    (state.unflushed !== null && epoch.unflushed === null) ||
    (scan !== null && scan.end - state.seen.offset > UNSEEN_BYTES) ||
    (patch.stores_injections === true && !state.stores_injections) ||
    Object.entries(look.marks).some(([model, marked]) => state.marks[model] !== marked) ||
    (state.first_call === null && look.firstAnswerTokens !== null) ||
    (state.last_seen === null && patch.last_seen != null) ||
    (isHigh && model !== null && (look.peaks[model] ?? 0) > (state.peaks[model] ?? 0))
  );
}

/** The client process that runs the session now, and since when we know the session. */
export const clientPatch = (call: Call, state: Conversation | null): ConversationPatch => ({
  started: state === null ? new Date(call.now).toISOString() : state.started,
  transcript_path: call.event.transcript,
  process: clientProcess(call.env),
  // A person's session stays one, even when a script continues it.
  entrypoint:
    state !== null && state.entrypoint !== null && !isHeadless(state.entrypoint)
      ? state.entrypoint
      : (call.env.HOST_ENTRYPOINT ?? null),
});

/** The state patch of a main event. */
export function seenPatch(call: Call, look: Look): ConversationPatch {
  const { scan, epoch, state, assessment } = look;
  const { reading } = assessment;
  const patch: ConversationPatch = {
    first_call: look.firstAnswerTokens,
    peaks: look.peaks,
    last_auto: look.lastAutoCompactTokens,
    marks: look.marks,
    unflushed: epoch.unflushed,
    active: true,
    ended: null,
    ...clientPatch(call, state),
  };
  // A session that continues takes its work back from the one that resumed it; a start alone is no work.
  const isWork = call.event.kind === 'prompt' || call.event.kind === 'after-tool';
  if (isWork && state !== null && state.resumed_by !== null) patch.resumed_by = null;
  // No SessionStart was seen: the handoff that it would have injected is due now.
  if (isWork && state === null) patch.handoff_due = 'startup';
  if (scan !== null) {
    patch.seen = { offset: scan.end, boundaries: epoch.boundaries, last: epoch.starts.at(-1) ?? null };
    if (scan.facts.injections.length > 0) patch.stores_injections = true;
  }
  if (reading.tokens !== null && !reading.estimated) {
    const { usage } = scan?.facts ?? {};
    if (usage) patch.last_seen = { tokens: usage.tokens, at: usage.at };
    patch.highs = { [learningKey(assessment.window.tokens, look.client)]: reading.tokens };
  }
  // Compactions before our first hook are not reported; one that turned out not to be this session's is taken back.
  if (state === null || epoch.number < state.epoch) {
    patch.epoch = epoch.number;
    if (state?.alert && state.alert.epoch > epoch.number) patch.alert = null;
  }
  if (look.hasFallen) {
    patch.said = null;
    patch.tier_checkpoint = null;
  } else if (look.hasRisen && look.said !== null && reading.tokens !== null) {
    patch.said = { ...look.said, most: reading.tokens };
  }
  if (state?.pending && isExpired(state.pending, scan?.facts ?? null)) patch.pending = null;
  return patch;
}

/** Learns the usage at automatic compactions that were not seen before, each in only one process. */
function learnedParts(call: Call, look: Look): Part[] {
  const { state, scan, assessment } = look;
  if (state === null || scan === null) return [];
  return ownBoundaries(state, scan.facts)
    .filter((each) => each.offset >= state.seen.offset && each.trigger === 'auto')
    .filter(
      (each) => (each.preTokens ?? 0) >= LEAST_POINT && (each.preTokens ?? 0) <= assessment.window.tokens,
    )
    .map((each) => ({
      name: 'learned point',
      claim: {
        name: `${call.event.conversation}-learned-${each.offset}`,
        isLeased: (newest) => newest.seen.offset > each.offset,
      },
      keep: [
        {
          do: 'learn-point',
          key: learningKey(assessment.window.tokens, look.client),
          tokens: each.preTokens ?? 0,
        },
      ],
    }));
}

/** The actions that save the state; none when nothing that matters has changed. */
export function housekeeping(call: Call, look: Look): Part[] {
  const patch = seenPatch(call, look);
  if (!isWorthWriting(call, look, patch)) return [];
  const keep: Keep[] = [{ do: 'patch-conversation', conversation: call.event.conversation, patch }];
  return [...learnedParts(call, look), { name: 'state', keep }];
}
