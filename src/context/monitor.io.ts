// The actions that report the context usage, as it was decided, with a checkpoint where one is due.

import { buildAddonActions, WORKFLOW } from '../addons/addon.ts';
import { findWorkflowPlace } from '../addons/workflow-port.ts';
import { readSectionStanding } from '../compaction/workflow/staleness.ts';
import type { Action, Effect } from '../hook/action.ts';
import { type HookContext, isWorkflowSame } from '../hook/snapshot.io.ts';
import { tryStep, tryStepAsync } from '../platform/project/try-step.ts';
import type { WorkflowFile } from '../sessions/session-state.ts';
import {
  type Announcement,
  isCheckpointDue,
  isRiseCovered,
  MONITOR,
  noteAnnouncement,
} from './announcement.ts';
import { formatMinimalMonitor, formatTierMonitor } from './context-monitor.ts';
import type { SessionSnapshot } from './context-status.ts';
import { isAtLeast, type Tier } from './tier.ts';

/** The workflow's file as it is now, including a change that this event is the first to see. */
async function workflowNow(hook: HookContext, { state }: SessionSnapshot): Promise<WorkflowFile | null> {
  const known = state?.workflow_file ?? null;
  if (state !== null && known !== null && isWorkflowSame(state)) return known;
  return tryStepAsync(
    hook,
    'orchestration file',
    async () => (await WORKFLOW?.findFile(hook, known)) ?? null,
  );
}

/** The full message of the tier; null when the usage is unknown. */
function fullText(
  hook: HookContext,
  snapshot: SessionSnapshot,
  options: {
    checkpoint: { id: string; at: string } | null;
    warnStandard: boolean;
    file: WorkflowFile | null;
  },
): string | null {
  const { file, ...rest } = options;
  const hasFile =
    file !== null ||
    tryStep(hook, 'orchestration file', () => WORKFLOW?.isThere(findWorkflowPlace(hook))) === true;
  return formatTierMonitor(snapshot, hook.resolved.settings, {
    ...{ ...rest, now: hook.now, hasOrchestration: hasFile, criticality: file?.criticality },
    resumption: file && readSectionStanding(file, hook.now, snapshot.state?.started ?? null),
  });
}

/** Writes a checkpoint once per tier and segment, on a rise to WARNING or above. */
async function checkpointPart(hook: HookContext, snapshot: SessionSnapshot, tier: Tier): Promise<Action[]> {
  const { event, resolved } = hook;
  const window = snapshot.assessment.window.tokens;
  if (!isCheckpointDue(snapshot, tier, resolved.settings)) return [];
  const draft = await tryStepAsync(hook, 'checkpoint', async () => {
    const { buildLedgerAction, takeCheckpoint } = await import(
      '../compaction/checkpoint/keep-checkpoint.io.ts'
    );
    const taken = await takeCheckpoint(hook, snapshot, {
      trigger: { type: 'tier-rise', source: `rise to ${tier}`, custom_instructions: null },
      assessment: snapshot.assessment,
      epoch: snapshot.epoch.number,
    });
    return { taken, ledger: await buildLedgerAction(hook) };
  });
  if (draft === null) return [];
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `e${snapshot.epoch.number}-w${window}-cx-${tier}`,
        isLeased: (state) => isRiseCovered(state, snapshot, tier),
      },
      effects: [
        { do: 'write-checkpoint', draft: draft.taken },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-session',
            session: event.session,
            patch: {
              last_checkpoint: { ...checkpoint, offset: snapshot.scan?.end ?? 0 },
              tier_checkpoint: { epoch: snapshot.epoch.number, tier, window },
            },
          },
      ],
    },
    ...draft.ledger,
    ...(await buildAddonActions('checkpoint', hook, snapshot)),
  ];
}

function personAt(snapshot: SessionSnapshot, id: string | null): string {
  const { fractionOfLimit, fractionOfWindow, autoCompactAt, reading } = snapshot.assessment;
  const share =
    autoCompactAt.tokens === null
      ? `${Math.round((fractionOfWindow ?? 0) * 100)}% of the window is used`
      : `${Math.round((fractionOfLimit ?? 0) * 100)}% of the way to auto-compaction`;
  const about = reading.estimated ? ' (estimated)' : '';
  return `Plimsoll: EMERGENCY, ${share}${about}.${id === null ? '' : ` Checkpoint ${id} saved.`}`;
}

/** In the middle of a turn the usage is reported once, however many tools run in parallel. */
function claimOf(
  hook: HookContext,
  { epoch, assessment }: SessionSnapshot,
  { isRise }: Announcement,
  tier: Tier,
): Pick<Action, 'claim'> {
  if (hook.event.kind === 'prompt') return {};
  const window = assessment.window.tokens;
  return {
    claim: {
      name: `e${epoch.number}-w${window}-said-${isRise ? tier : 'standard'}`,
      isLeased: (newest) =>
        isRise
          ? newest.last_announced?.epoch === epoch.number &&
            newest.last_announced.window === window &&
            isAtLeast(newest.last_announced.highest_tier, tier)
          : newest.warned_for_200k === epoch.number,
    },
  };
}

/** The monitor's actions: a checkpoint where one is due, and what is announced. */
export async function buildMonitorActions(
  hook: HookContext,
  snapshot: SessionSnapshot,
  announcement: Announcement,
): Promise<Action[]> {
  const { tier, said, reason, isRise, warnStandard, isKept } = announcement;
  if (tier === null) return [];
  const checkpoint = await checkpointPart(hook, snapshot, tier);
  const note: Effect = {
    do: 'patch-session',
    session: hook.event.session,
    patch: noteAnnouncement(snapshot, announcement, hook.now),
  };
  if (said === null) return isKept ? [...checkpoint, { name: 'state', effects: [note] }] : checkpoint;
  const isInFull = said === 'full';
  const isTierNews = isInFull && reason !== 'window-unconfirmed';
  const file = isTierNews && isAtLeast(tier, 'WARNING') ? await workflowNow(hook, snapshot) : null;
  return [
    ...checkpoint,
    {
      name: MONITOR,
      ...claimOf(hook, snapshot, announcement, tier),
      render: ({ checkpoint: written }) => {
        const checkpoint = written ?? snapshot.state?.last_checkpoint ?? null;
        const context = isInFull
          ? fullText(hook, snapshot, { checkpoint, warnStandard, file })
          : formatMinimalMonitor(snapshot.assessment);
        if (context === null) return null;
        return tier === 'EMERGENCY' && isRise
          ? { context, person: personAt(snapshot, written?.id ?? null) }
          : { context };
      },
      ...(isKept ? { afterReply: [note] } : {}),
    },
  ];
}
