// Collects what happened in a session: compactions, calls since the last checkpoint, workflow, injected messages.

import { WORKFLOW } from '../../addons/addon.ts';
import type { StatusSection } from '../../cli/context.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { listCheckpoints, readAcknowledgement } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { checkCheckpoint } from '../../compaction/checkpoint/checkpoint-store.io.ts';
import { readSectionStanding } from '../../compaction/workflow/staleness.ts';
import { readTimeline } from '../../hosts/claude-code/transcript/timeline.io.ts';
import { type Cost, createTimeline, type Timeline } from '../../hosts/claude-code/transcript/timeline.ts';
import { guardHookNote } from '../../install/guard-registered.io.ts';
import { readStamp } from '../../platform/look.ts';
import { tryOrNull, tryOrNullAsync } from '../../platform/project/try-step.ts';
import { estimateTokens } from '../../text/budget.ts';
import type { SessionReport } from './find-session.io.ts';

/** The most checkpoints that are read, the newest ones. */
const MOST_CHECKPOINTS = 200;

/** The checkpoint of each compaction of a session, by the compaction's number; the newest where there are several. */
function checkpointsByCompaction(place: ProjectContext, session: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const id of listCheckpoints(place.paths).slice(-MOST_CHECKPOINTS)) {
    const checked = checkCheckpoint(place.paths, id);
    if (checked.state !== 'ok' || checked.checkpoint.event_type !== 'compaction') continue;
    const { session_id, epoch } = checked.checkpoint.conversation;
    if (session_id === session) found.set(epoch + 1, id);
  }
  return found;
}

function compactionsOf(place: ProjectContext, standing: SessionReport, timeline: Timeline) {
  // Compactions before a fork belong to another session.
  const since = standing.state?.forked_at ?? 0;
  const own = timeline.compactions.filter(({ at }) => at === null || Date.parse(at) >= since);
  if (own.length === 0) return [];
  const checkpoints = checkpointsByCompaction(place, standing.id);
  return own.map(({ at, trigger, before, after }, index) => {
    const checkpoint = checkpoints.get(index + 1) ?? null;
    const told = checkpoint === null ? null : readAcknowledgement(place.paths, checkpoint);
    return {
      number: index + 1,
      at,
      trigger,
      tokens_before: before,
      tokens_after: after,
      checkpoint,
      told: told !== null,
      evidence: told?.evidence ?? null,
    };
  });
}

function sinceCheckpoint({ state }: SessionReport, timeline: Timeline | null, now: number) {
  const last = state?.last_checkpoint ?? null;
  if (last === null) return null;
  const { offset } = last;
  return {
    id: last.id,
    at: last.at,
    seconds: Math.max(0, Math.round((now - Date.parse(last.at)) / 1000)),
    // States of earlier versions do not hold its offset in the transcript.
    tool_calls:
      timeline === null || offset === undefined ? null : timeline.calls.filter((at) => at >= offset).length,
  };
}

async function workflowOf(place: ProjectContext, { state }: SessionReport) {
  const where = {
    root: place.root,
    cwd: place.cwd,
    configured: place.resolved.settings['orchestration.path'],
  };
  const found = (await tryOrNullAsync(async () => WORKFLOW?.read(where))) ?? null;
  const path = tryOrNull(() => WORKFLOW?.find(where)) ?? null;
  const marks = path === null ? null : (tryOrNull(() => WORKFLOW?.readMarks(path)) ?? null);
  if (found === null || path === null || marks === null) return null;
  const file = {
    ...marks,
    mtimeMs: readStamp(path).mtimeMs,
    phase_since: state?.workflow_file?.path === path ? state.workflow_file.phase_since : null,
  };
  const { level, why, updated_at } = readSectionStanding(file, place.now, state?.started ?? null);
  const { workflow_id, workflow_status, current_phase, current_phase_name, next_step } = found.state;
  return {
    path: displayPath(path, place),
    id: workflow_id,
    status: workflow_status,
    phase: current_phase,
    phase_name: current_phase_name,
    next_step,
    section: { freshness: level, why, updated_at },
  };
}

/** Workflows of which none is used, because several are active and no setting says which one is meant. */
function undecidedIn(place: ProjectContext): string[] {
  const { root } = place;
  if (root === null || place.resolved.settings['orchestration.path'] !== null) return [];
  return (tryOrNull(() => WORKFLOW?.listUndecided(root)) ?? []).map((path) => displayPath(path, place));
}

const sumOf = (costs: Timeline['said']): Cost =>
  Object.values(costs).reduce(
    (sum, each) => ({ times: sum.times + each.times, tokens: sum.tokens + each.tokens }),
    { times: 0, tokens: 0 },
  );

/**
 * The messages that Plimsoll injected, as the client stored them; tokens are estimated as budgets do, rather too high. Null
 * where the client does not store hook output.
 */
function saidIn({ state }: SessionReport, timeline: Timeline | null) {
  if (timeline === null) return null;
  // Hooks that ran need not have said anything: before the first answer there is nothing to say.
  const hasSpoken = [state?.last_announced, state?.alert, state?.received_handoff].some(
    (each) => each != null,
  );
  if (!timeline.storesWords && hasSpoken) return null;
  return {
    ...sumOf(timeline.said),
    by_tag: timeline.said,
    since_compaction: { ...sumOf(timeline.saidSince), by_tag: timeline.saidSince },
  };
}

/** Collects what status tells beyond the present context usage; a part is null where it is unknown. */
export async function readSessionHistory(
  place: ProjectContext,
  standing: SessionReport,
  parts: readonly StatusSection[],
) {
  // Transcripts of other hosts have no timeline yet, and what `init` puts there for them always guards.
  const isOther = standing.by.setup !== undefined;
  const path = isOther || standing.transcript === '' ? null : standing.transcript;
  const timeline = path === null ? null : tryOrNull(() => readTimeline(path, estimateTokens));
  const workflow = await workflowOf(place, standing);
  return {
    since_checkpoint: sinceCheckpoint(standing, timeline, place.now),
    compaction_history: compactionsOf(place, standing, timeline ?? createTimeline()),
    workflow,
    undecided_workflows: workflow === null ? undecidedIn(place) : [],
    received_handoff: standing.state?.received_handoff ?? null,
    resumed_by: standing.state?.resumed_by ?? null,
    injected: saidIn(standing, timeline),
    addons: parts.flatMap(({ key, read }) => tryOrNull(() => ({ key, ...read(place, standing.id) })) ?? []),
    guardrails: {
      mode: place.resolved.settings['guardrails.mode'],
      missing: isOther ? null : tryOrNull(() => guardHookNote(place)),
    },
  };
}

export type SessionHistory = Awaited<ReturnType<typeof readSessionHistory>>;
