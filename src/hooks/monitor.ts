// Decides whether context usage is reported now, in full or in one line, and whether a checkpoint is due with it.

import { isCompactionDue } from '../context/assessment.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { isAbove, isAtLeast, type Tier } from '../context/tier.ts';
import type { Action, Effect } from '../model/action.ts';
import type { Conversation, WorkflowFile } from '../model/conversation.ts';
import { sectionStanding } from '../model/staleness.ts';
import { tryStep, tryStepAsync } from '../model/try-step.ts';
import { hasOrchestration } from '../store/orchestration.ts';
import { contextMonitor } from '../tags/context-monitor.ts';
import { minimalMonitor } from '../tags/short-monitor.ts';
import { type HookContext, isWorkflowSame, shouldAnnounceAlways, wasAnnounced } from './snapshot.ts';

/** The workflow's file as it is now, including a change that this event is the first to see. */
async function workflowNow(hook: HookContext, { state }: SessionSnapshot): Promise<WorkflowFile | null> {
  const known = state?.workflow_file ?? null;
  if (state !== null && known !== null && isWorkflowSame(state)) return known;
  return tryStepAsync(hook, 'orchestration file', async () =>
    (await import('./workflow.ts')).presentWorkflow(hook, known),
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
  const { settings } = hook.resolved;
  const { checkpoint, file } = options;
  const hasFile =
    file !== null ||
    tryStep(hook, 'orchestration file', () =>
      hasOrchestration(hook.paths.root, hook.event.cwd, settings['orchestration.path']),
    ) === true;
  return contextMonitor(
    {
      assessment: snapshot.assessment,
      compactions: snapshot.epoch.number,
      checkpoint: checkpoint && {
        id: checkpoint.id,
        age_s: Math.max(0, (hook.now - Date.parse(checkpoint.at)) / 1000),
      },
      hasOrchestration: hasFile,
      resumption: file && sectionStanding(file, hook.now, snapshot.state?.started ?? null),
      operationTokens: settings['context_monitor.operation_tokens'],
      criticality: settings['context_monitor.criticality'] ?? 'C2',
    },
    options.warnStandard,
  );
}

/** Whether the "if the window is 200,000" warning is due: once per segment, from WARNING on. */
function isStandardWarningDue(snapshot: SessionSnapshot): boolean {
  const tier = snapshot.assessment.tierIfStandardWindow;
  return (
    tier !== null && isAtLeast(tier, 'WARNING') && snapshot.state?.warned_standard !== snapshot.epoch.number
  );
}

/** Writes a checkpoint once per tier and segment, on a rise to WARNING or above. */
async function checkpointPart(hook: HookContext, snapshot: SessionSnapshot, tier: Tier): Promise<Action[]> {
  const { event, resolved } = hook;
  const window = snapshot.assessment.window.tokens;
  const covered = (state: Conversation | null): boolean =>
    state?.tier_checkpoint?.epoch === snapshot.epoch.number &&
    state.tier_checkpoint.window === window &&
    isAtLeast(state.tier_checkpoint.tier, tier);
  const isDue =
    resolved.settings['checkpoint.on_tier_rise'] &&
    isAtLeast(tier, 'WARNING') &&
    !snapshot.assessment.reading.estimated &&
    (snapshot.hasFallen || !covered(snapshot.state));
  if (!isDue) return [];
  const draft = await tryStepAsync(hook, 'checkpoint', async () => {
    const { ledgerPart, takeCheckpoint } = await import('./checkpoint.ts');
    const taken = await takeCheckpoint(hook, snapshot, {
      trigger: { type: 'tier-rise', source: `rise to ${tier}`, custom_instructions: null },
      assessment: snapshot.assessment,
      epoch: snapshot.epoch.number,
    });
    return { taken, ledger: await ledgerPart(hook) };
  });
  if (draft === null) return [];
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `${event.conversation}-e${snapshot.epoch.number}-w${window}-cx-${tier}`,
        isLeased: covered,
      },
      effects: [
        { do: 'write-checkpoint', draft: draft.taken },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-conversation',
            conversation: event.conversation,
            patch: {
              last_checkpoint: { ...checkpoint, offset: snapshot.scan?.end ?? 0 },
              tier_checkpoint: { epoch: snapshot.epoch.number, tier, window },
            },
          },
      ],
    },
    ...draft.ledger,
  ];
}

function personAt(snapshot: SessionSnapshot, id: string | null): string {
  const { fractionOfLimit, fractionOfWindow, autoCompactAt } = snapshot.assessment;
  const share =
    autoCompactAt.tokens === null
      ? `${Math.round((fractionOfWindow ?? 0) * 100)}% of the window is used`
      : `${Math.round((fractionOfLimit ?? 0) * 100)}% of the way to auto-compaction`;
  return `Plimsoll: EMERGENCY, ${share}.${id === null ? '' : ` Checkpoint ${id} saved.`}`;
}

/**
 * The monitor's actions. At a prompt it reports as `emit` says, at a notice of the client only when something has
 * changed, and in the middle of a turn only on a tier rise, once however many tools run in parallel. When it is
 * switched off, the tier counts as announced, and checkpoints are still written.
 */
export async function monitorParts(
  hook: HookContext,
  snapshot: SessionSnapshot,
  moment: 'prompt' | 'mid-turn',
): Promise<Action[]> {
  const { event } = hook;
  const { settings } = hook.resolved;
  const { epoch, state } = snapshot;
  const { tier, reading } = snapshot.assessment;
  if (tier === null) return [];
  const emit = settings['context_monitor.enabled'] ? settings['context_monitor.emit'] : 'off';
  const top = snapshot.said?.top ?? 'NOMINAL';
  // An estimate neither interrupts nor suppresses a later measurement.
  const rise = isAbove(tier, top) && !reading.estimated;
  const hasChanged = !wasAnnounced(snapshot, tier);
  // A tier is reported in full when it is reached; one announced before in this segment gets one line.
  const isInFull = snapshot.said === null || isAbove(tier, top);
  const warnStandard = emit !== 'off' && isStandardWarningDue(snapshot);
  const isDue =
    moment === 'mid-turn' ? rise || warnStandard : shouldAnnounceAlways(hook) || hasChanged || warnStandard;
  const checkpoint = await checkpointPart(hook, snapshot, tier);
  if (!isDue) return checkpoint;
  const mark: Effect = {
    do: 'patch-conversation',
    conversation: event.conversation,
    patch: {
      said: {
        ...snapshot.said,
        epoch: epoch.number,
        tier,
        top: rise ? tier : top,
        most: Math.max(snapshot.said?.most ?? 0, reading.estimated ? 0 : (reading.tokens ?? 0)),
        window: snapshot.assessment.window.tokens,
        ...(rise && isAtLeast(tier, 'CRITICAL') && !snapshot.said?.critical_at
          ? { critical_at: new Date(hook.now).toISOString() }
          : {}),
      },
      ...(warnStandard ? { warned_standard: epoch.number } : {}),
    },
  };
  // Not marked as announced: if no compaction follows, the next event reports it.
  if (emit !== 'off' && isCompactionDue(snapshot.assessment))
    return rise ? [...checkpoint, { name: 'rise', effects: [{ do: 'note-rise', tier }] }] : checkpoint;
  if (emit === 'off') return hasChanged ? [...checkpoint, { name: 'state', effects: [mark] }] : checkpoint;
  const claim: NonNullable<Action['claim']> = {
    name: `${event.conversation}-e${epoch.number}-w${snapshot.assessment.window.tokens}-said-${rise ? tier : 'standard'}`,
    isLeased: (newest) =>
      rise
        ? newest.said?.epoch === epoch.number &&
          newest.said.window === snapshot.assessment.window.tokens &&
          isAtLeast(newest.said.top, tier)
        : newest.warned_standard === epoch.number,
  };
  const file = isInFull && isAtLeast(tier, 'WARNING') ? await workflowNow(hook, snapshot) : null;
  return [
    ...checkpoint,
    {
      name: 'context-monitor',
      ...(moment === 'mid-turn' ? { claim } : {}),
      render: ({ checkpoint: written }) => {
        const checkpoint = written ?? state?.last_checkpoint ?? null;
        const context =
          isInFull || warnStandard
            ? fullText(hook, snapshot, { checkpoint, warnStandard, file })
            : minimalMonitor(snapshot.assessment);
        if (context === null) return null;
        return tier === 'EMERGENCY' && rise
          ? { context, person: personAt(snapshot, written?.id ?? null) }
          : { context };
      },
      ...(hasChanged || warnStandard ? { afterReply: [mark] } : {}),
    },
  ];
}
