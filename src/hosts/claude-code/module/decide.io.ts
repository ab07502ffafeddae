// Decides inside the client what is said at a prompt or after tool calls: by the hooks' own code, with what they have kept.

import {
  type Announcement,
  type AnnouncementEvent,
  decideAnnouncement,
  isCheckpointDue,
  noteAnnouncement,
  noteRisenUsage,
} from '../../../context/announcement.ts';
import { findClientUsage, type UsageSample } from '../../../context/client-usage.ts';
import { formatMinimalMonitor, formatTierMonitor } from '../../../context/context-monitor.ts';
import {
  buildContextStatus,
  compareWithAnnounced,
  type SessionSnapshot,
} from '../../../context/context-status.ts';
import { isStateCurrent, mayOweWords, UNKEPT_BYTES } from '../../../context/nothing-to-save.ts';
import { foldFacts } from '../../../context/usage.ts';
import type { SessionPatch, SessionState } from '../../../sessions/session-state.ts';
import { claudeLimits } from '../limits.ts';
import type { Client } from './client.ts';
import { type Known, type KnownSession, stampOf } from './known.io.ts';
import type { Place } from './place.io.ts';

/** What is said, and why; `context` null for nothing. */
export interface Decision {
  context: string | null;
  announcement: Announcement;
  /** What the state does not say yet; null where it is current. */
  unkept: SessionPatch | null;
  /** Whether a process has to keep it now: a rise, much that is new. That a context was reported at all can wait. */
  isUrgent: boolean;
  /** Whether it is still to be proved that an alert has arrived. */
  isLeased: boolean;
}

interface Input {
  event: AnnouncementEvent;
  transcript: string;
  cwd: string;
  known: Known;
  place: Place;
  sample: UsageSample;
  files: KnownSession;
  /** What was said before, and a process is still writing into the state. */
  unkept: SessionPatch | null;
}

/** Whether the project may have a workflow, which the message of a tier tells of. */
export async function mayHaveWorkflow(
  $: Client,
  { known, place, cwd, files }: Pick<Input, 'known' | 'place' | 'cwd' | 'files'>,
): Promise<boolean> {
  if (known.resolved.settings['orchestration.path'] !== null) return true;
  if (files.state?.workflow_file !== null) return true;
  const paths = [`${place.root}/projects`, `${place.root}/ORCHESTRATION.yaml`, `${cwd}/ORCHESTRATION.yaml`];
  const stamps = await Promise.all(paths.map((path) => stampOf($, path)));
  return stamps.some(({ size }) => size >= 0);
}

/** The message of a tier that is reached. A checkpoint that is not on disk yet is not named. */
function formatReached(snapshot: SessionSnapshot, { tier, warnStandard }: Announcement, input: Input) {
  const { settings } = input.known.resolved;
  const isDue = tier !== null && isCheckpointDue(snapshot, tier, settings);
  return formatTierMonitor(snapshot, settings, {
    ...{ warnStandard, now: input.sample.at, hasOrchestration: false },
    checkpoint: isDue ? 'being written' : (snapshot.state?.last_checkpoint ?? null),
  });
}

/** What is seen of the session: the state of the hooks, and the client's own usage in the place of the transcript's. */
function buildSnapshot({ known, sample, files }: Input, state: SessionState) {
  const { resolved, learned, limits: env } = known;
  const { size } = files.transcript;
  const facts = foldFacts([]);
  const status = buildContextStatus({
    ...{ state, facts, head: null, now: sample.at, env, limits: claudeLimits, learned },
    ...{ client: resolved.client, settings: resolved.assessment, isWhole: false },
    feed: (seen) => findClientUsage(sample, seen),
  });
  // The first answer is needed for estimates alone.
  const firstAnswerTokens = status.firstAnswerTokens ?? sample.tokens;
  const scan = { facts, from: size, end: size };
  return { ...status, firstAnswerTokens, state, scan, ...compareWithAnnounced(state, status) };
}

/** What the state has to be told of an announcement, and of the usage. */
function buildUnkept(
  snapshot: SessionSnapshot,
  announcement: Announcement,
  now: number,
  isCurrent: boolean,
): SessionPatch | null {
  if (announcement.isKept) return noteAnnouncement(snapshot, announcement, now);
  return noteRisenUsage(snapshot) ?? (isCurrent ? null : {});
}

/**
 * The decision, as far as what the hooks have kept tells; null where a process has to find out. What the transcript alone tells
 * is in the state by then: a compaction, for one, makes the start after it, which is a process. Whether the alert that this
 * start gives has arrived is looked at when the turn has ended. Where the client knows no usage, a process estimates.
 */
export async function decideInside($: Client, input: Input): Promise<Decision | null> {
  const { event, transcript, known, sample, files } = input;
  const { resolved } = known;
  if (files.state === null || sample.tokens === null || files.transcript.size < 0) return null;
  const isPrompt = event.kind === 'prompt';
  const snapshot = buildSnapshot(input, { ...files.state, ...input.unkept });
  if (mayOweWords({ isPrompt, transcript }, snapshot, files.isWorkflowSame)) return null;
  // Most of what is unseen was said and done by this very client.
  const seen = snapshot.state.transcript_position.offset;
  const isLeased = snapshot.state.alert?.status === 'leased';
  const settled = { ...snapshot.state, alert: null, compaction_not_in_transcript: null };
  const isKnown = isStateCurrent({
    ...{ ...snapshot, hasRisen: false },
    state: isLeased ? settled : snapshot.state,
    scan: { ...snapshot.scan, end: Math.min(snapshot.scan.end, seen) },
  });
  if (isPrompt && !isKnown) return null;
  const isCurrent = isKnown && snapshot.scan.end - seen <= UNKEPT_BYTES;
  const announcement = decideAnnouncement(snapshot, event, resolved.settings);
  const unkept = buildUnkept(snapshot, announcement, sample.at, isCurrent);
  const isFull = announcement.said === 'full';
  const mayBeTold = unkept === null || resolved.addons.length === 0;
  if (!mayBeTold || (isFull && (await mayHaveWorkflow($, input)))) return null;
  const words = [
    isFull ? formatReached(snapshot, announcement, input) : null,
    announcement.said === 'line' ? formatMinimalMonitor(snapshot.assessment) : null,
    isPrompt ? resolved.promptText : null,
  ].filter((each) => each !== null);
  const isUrgent = announcement.isRise || snapshot.hasRisen || !isCurrent;
  return {
    ...{ announcement, unkept, isUrgent, isLeased },
    context: words.length === 0 ? null : words.join('\n\n'),
  };
}
