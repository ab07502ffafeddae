// Answers a prompt, or the tool calls of an answer, where nothing has to be kept: by the hooks' own decisions, without a process.

import {
  type Announcement,
  type AnnouncementEvent,
  decideAnnouncement,
  needsShortLineOnly,
} from '../../../context/announcement.ts';
import { findClientUsage, type UsageSample } from '../../../context/client-usage.ts';
import { formatMinimalMonitor } from '../../../context/context-monitor.ts';
import { buildContextStatus, compareWithAnnounced } from '../../../context/context-status.ts';
import { hasNothingToSave } from '../../../context/nothing-to-save.ts';
import { foldFacts } from '../../../context/usage.ts';
import { claudeLimits } from '../limits.ts';
import type { Client } from './client.ts';
import { type Cache, type Known, readKnownState, stampOf } from './known.io.ts';

/** What is said, and why; `context` null for nothing. */
export interface QuietAnswer {
  context: string | null;
  announcement: Announcement;
}

/**
 * The answer, where the hooks' own code finds that nothing has to be kept and no more than the short line is due; null where a
 * process has to decide. What only the transcript tells is in the state by then: a compaction, for one, makes the start after
 * it, which is a process. The usage is the client's own; where it knows none, a process estimates.
 */
export async function answerQuietly(
  $: Client,
  cache: Cache,
  input: {
    event: AnnouncementEvent;
    transcript: string;
    known: Known;
    sample: UsageSample;
    /** The folder of the session. */
    folder: string;
  },
): Promise<QuietAnswer | null> {
  const { event, transcript, known, sample } = input;
  const { resolved, learned, limits: env } = known;
  const [state, file] = await Promise.all([
    readKnownState($, cache, `${input.folder}/state.json`, sample.session),
    stampOf($, transcript),
  ]);
  if (state === null || sample.tokens === null || file.size < 0) return null;
  const { workflow_file: workflow } = state;
  const isWorkflowSame = workflow === null || (await stampOf($, workflow.path)).mtimeMs === workflow.mtimeMs;
  const facts = foldFacts([]);
  const status = buildContextStatus({
    ...{ state, facts, head: null, now: sample.at, env, limits: claudeLimits, learned },
    ...{ client: resolved.client, settings: resolved.assessment, isWhole: false },
    feed: (seen) => findClientUsage(sample, seen),
  });
  const scan = { facts, from: file.size, end: file.size };
  const snapshot = { ...status, state, scan, ...compareWithAnnounced(state, status) };
  const isPrompt = event.kind === 'prompt';
  if (!hasNothingToSave({ isPrompt, transcript }, snapshot, () => isWorkflowSame)) return null;
  const announcement = decideAnnouncement(snapshot, event, resolved.settings);
  if (!needsShortLineOnly(announcement)) return null;
  const words = [
    announcement.said === null ? null : formatMinimalMonitor(snapshot.assessment),
    isPrompt ? resolved.promptText : null,
  ].filter((each) => each !== null);
  return { announcement, context: words.length === 0 ? null : words.join('\n\n') };
}
