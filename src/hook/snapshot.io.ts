// The input of a hook, its snapshot of a session (state, transcript, usage), and the checks of the fast path on it.

import { type Epoch, findSegmentStart } from '../compaction/delivery.ts';
import type { ClientUsage, TranscriptState } from '../context/client-usage.ts';
import { buildContextStatus, compareWithAnnounced, type SessionSnapshot } from '../context/context-status.ts';
import { readLearned } from '../context/learned-thresholds.io.ts';
import { isHeadKnown } from '../context/nothing-to-save.ts';
import { TIERS, type Tier } from '../context/tier.ts';
import type { TranscriptFacts, TranscriptScan } from '../context/usage.ts';
import type { Event, HookHost, Host } from '../hosts/host.ts';
import { scanHead, scanTail } from '../hosts/scan-facts.io.ts';
import { holdsAll } from '../hosts/transcript.io.ts';
import { readStamp } from '../platform/look.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { type FailureSink, tryStep } from '../platform/project/try-step.ts';
import type { LastAnnounced, SessionState } from '../sessions/session-state.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import type { Resolved } from '../settings/resolved.ts';

/**
 * Reads from the transcript which tier was announced in this context, where the state does not tell: there is none yet, or it was
 * a first report at NOMINAL, for which no hook writes the state.
 */
function saidInTranscript(
  state: SessionState | null,
  scan: TranscriptScan | null,
  epoch: Epoch,
  window: number,
): LastAnnounced | null {
  if (state?.last_announced?.epoch === epoch.number) return null;
  const said = (scan?.facts.injections ?? [])
    .filter((each) => each.offset >= findSegmentStart(epoch))
    .flatMap((each) => /<context-monitor>\s*CONTEXT STATUS: ([A-Z]+)/.exec(each.text)?.[1] ?? [])
    .filter((tier): tier is Tier => TIERS.includes(tier as Tier));
  const last = said.at(-1);
  if (last === undefined) return null;
  const top = TIERS.findLast((tier) => said.includes(tier)) ?? last;
  // A rise is known only once the state has it: until then its checkpoint and its event are due.
  if (state !== null && top !== 'NOMINAL') return null;
  return { epoch: epoch.number, tier: last, highest_tier: top, window, max_tokens: 0 };
}

/**
 * Reads the state and takes a snapshot; when the first answer is not known, it reads the transcript's beginning too.
 * @param before assesses the usage before a compaction: only what stands before this offset counts
 */
export function readSnapshot(hook: HookContext, before?: { to: number }): SessionSnapshot {
  const { transcript } = hook.event;
  const state = tryStep(hook, 'state', () => readSessionState(hook.paths, hook.event.session));
  const isKnown = state !== null && isHeadKnown(state);
  const head =
    isKnown || transcript === null
      ? null
      : tryStep(hook, 'transcript', () => scanHead(transcript, hook.host.facts));
  return buildSnapshotFromState(hook, state, { head, ...(before === undefined ? {} : { before }) });
}

/** The texts of an event: our own and, at a prompt, the rules that the project wants repeated. */
export const withRules = ({ event, resolved }: FastContext, words: string | null): string[] =>
  [words, event.kind === 'prompt' ? resolved.promptText : null].filter((each) => each !== null);

/** Everything a hook is given; time and environment come from outside. */
export interface HookContext extends FailureSink {
  host: Host;
  event: Event;
  env: Env;
  /** Milliseconds since the epoch. */
  now: number;
  paths: ProjectPaths;
  resolved: Resolved;
  /** The usage that the client itself reports, or null when nothing records it. */
  feed: ((seen: TranscriptState) => ClientUsage) | null;
  /** What our module in the client tells besides, where it runs this hook and hears the answer: an alert that it has said, the usage. */
  module?: { alert?: unknown; usage?: unknown } | undefined;
}

/** What the fast path is given: of the host only what every event needs. */
export type FastContext = Omit<HookContext, 'host'> & { host: HookHost };

/** The input of a hook before a tool call, without what concerns context usage. */
export type GuardContext = Omit<FastContext, 'event' | 'feed'> & {
  event: Extract<Event, { kind: 'before-tool' }>;
  /** Milliseconds since the process began. */
  elapsed: () => number;
};

/** The input of a hook after a tool call, without what concerns context usage. */
export type AfterToolContext = Omit<FastContext, 'event' | 'feed'> & {
  event: Extract<Event, { kind: 'after-tool' }>;
};

/** Time for an answer: the client gives up after 5 s and lets the call run. */
const ANSWER_MS = 2_000;
/** The least time for judging a call, however late the hook is. */
const LEAST_MS = 300;

/** Milliseconds that are left for a verdict. */
export const findTimeLeft = ({ elapsed }: Pick<GuardContext, 'elapsed'>): number =>
  Math.max(LEAST_MS, ANSWER_MS - elapsed());

/** Takes a snapshot of a session whose state was read; `extra` adds what a first or a late snapshot needs. */
export function buildSnapshotFromState(
  hook: FastContext,
  state: SessionState | null,
  extra: { head?: TranscriptFacts | null; before?: { to: number } } = {},
): SessionSnapshot {
  const { env, resolved } = hook;
  const { transcript } = hook.event;
  // Reads back to the first message whose delivery is not settled yet.
  const leases = [state?.alert, state?.received_handoff].filter((each) => each?.status === 'leased');
  const until = Math.min(state?.transcript_position.offset ?? 0, ...leases.map((each) => each?.offset ?? 0));
  // When no answer ever had usage, there is none further back than what was read before.
  const options = { until, to: extra.before?.to, isUsageKnown: state === null || state.last_seen !== null };
  const scan =
    transcript === null
      ? null
      : tryStep(hook, 'transcript', () => scanTail(transcript, hook.host.facts, options));
  const situation = buildContextStatus({
    state,
    facts: scan?.facts ?? null,
    head: extra.head ?? null,
    feed: hook.feed,
    now: hook.now,
    env,
    limits: hook.host.limits,
    client: resolved.client,
    learned: tryStep(hook, 'learned points', () => readLearned(env)) ?? { points: {}, sizes: {} },
    settings: resolved.assessment,
    before: extra.before !== undefined,
    // Only the last answer of the tail counts.
    isWhole: false,
  });
  const compared = compareWithAnnounced(state, situation);
  const { epoch, assessment } = situation;
  const said = compared.said ?? saidInTranscript(state, scan, epoch, assessment.window.tokens);
  return { ...situation, state, scan, ...compared, said };
}

/** Whether the known ORCHESTRATION.yaml is unchanged, judged by its modification time alone. */
export const isWorkflowSame = ({ workflow_file: file }: SessionState): boolean =>
  file === null || readStamp(file.path).mtimeMs === file.mtimeMs;

/** Whether what was read holds the answer that made these calls, or the client reported the usage: it does so before tools run. */
export function isCurrent(hook: FastContext, snapshot: SessionSnapshot | null): boolean {
  const { event } = hook;
  const { transcript } = event;
  if (snapshot?.assessment.reading.source === 'client') return true;
  const end = snapshot?.scan?.end ?? Number.POSITIVE_INFINITY;
  if (event.kind !== 'after-tool' || transcript === null) return true;
  return tryStep(hook, 'transcript', () => holdsAll(transcript, event.calls, end)) ?? true;
}
