// Decides whether context usage is reported now, in full or in one line, and whether a checkpoint is due with it.

import { isCompactionDue } from '../context/assessment.ts';
import { isAbove, isAtLeast, type Tier } from '../context/tier.ts';
import type { Conversation, WorkflowFile } from '../model/conversation.ts';
import type { Keep, Part } from '../model/outcome.ts';
import { sectionStanding } from '../model/staleness.ts';
import { tryStep, tryStepAsync } from '../model/try-step.ts';
import { hasOrchestration } from '../store/orchestration.ts';
import { contextMonitor } from '../tags/context-monitor.ts';
import { minimalMonitor } from '../tags/short-monitor.ts';
import { type Call, isSaid, isSaidAnyhow, isWorkflowSame, type Look } from './look.ts';

/** The workflow's file as it is now, including a change that this event is the first to see. */
async function workflowNow(call: Call, { state }: Look): Promise<WorkflowFile | null> {
  const known = state?.workflow_file ?? null;
  if (state !== null && known !== null && isWorkflowSame(state)) return known;
  return tryStepAsync(call, 'orchestration file', async () =>
    (await import('./workflow.ts')).presentWorkflow(call, known),
  );
}

/** The full message of the tier; null when the usage is unknown. */
function fullText(
  call: Call,
  look: Look,
  options: {
    checkpoint: { id: string; at: string } | null;
    warnStandard: boolean;
    file: WorkflowFile | null;
  },
): string | null {
  const { settings } = call.resolved;
  const { checkpoint, file } = options;
  const hasFile =
    file !== null ||
    tryStep(call, 'orchestration file', () =>
      hasOrchestration(call.paths.root, call.event.cwd, settings['orchestration.path']),
    ) === true;
  return contextMonitor(
    {
      assessment: look.assessment,
      compactions: look.epoch.number,
      checkpoint: checkpoint && {
        id: checkpoint.id,
        age_s: Math.max(0, (call.now - Date.parse(checkpoint.at)) / 1000),
      },
      hasOrchestration: hasFile,
      resumption: file && sectionStanding(file, call.now, look.state?.started ?? null),
      operationTokens: settings['context_monitor.operation_tokens'],
      criticality: settings['context_monitor.criticality'] ?? 'C2',
    },
    options.warnStandard,
  );
}

/** Whether the "if the window is 200,000" warning is due: once per segment, from WARNING on. */
function isStandardWarningDue(look: Look): boolean {
  const tier = look.assessment.tierIfStandardWindow;
  return tier !== null && isAtLeast(tier, 'WARNING') && look.state?.warned_standard !== look.epoch.number;
}

/** Writes a checkpoint once per tier and segment, on a rise to WARNING or above. */
async function checkpointPart(call: Call, look: Look, tier: Tier): Promise<Part[]> {
  const { event, resolved } = call;
  const window = look.assessment.window.tokens;
  const covered = (state: Conversation | null): boolean =>
    state?.tier_checkpoint?.epoch === look.epoch.number &&
    state.tier_checkpoint.window === window &&
    isAtLeast(state.tier_checkpoint.tier, tier);
  const isDue =
    resolved.settings['checkpoint.on_tier_rise'] &&
    isAtLeast(tier, 'WARNING') &&
    !look.assessment.reading.estimated &&
    (look.hasFallen || !covered(look.state));
  if (!isDue) return [];
  const draft = await tryStepAsync(call, 'checkpoint', async () => {
    const { ledgerPart, takeCheckpoint } = await import('./checkpoint.ts');
    const taken = await takeCheckpoint(call, look, {
      trigger: { type: 'tier-rise', source: `rise to ${tier}`, custom_instructions: null },
      assessment: look.assessment,
      epoch: look.epoch.number,
    });
    return { taken, ledger: await ledgerPart(call) };
  });
  if (draft === null) return [];
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `${event.conversation}-e${look.epoch.number}-w${window}-cx-${tier}`,
        isLeased: covered,
      },
      keep: [
        { do: 'write-checkpoint', draft: draft.taken },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-conversation',
            conversation: event.conversation,
            patch: {
              last_checkpoint: { ...checkpoint, offset: look.scan?.end ?? 0 },
              tier_checkpoint: { epoch: look.epoch.number, tier, window },
            },
          },
      ],
    },
    ...draft.ledger,
  ];
}

function personAt(look: Look, id: string | null): string {
  const { fractionOfLimit, fractionOfWindow, autoCompactAt } = look.assessment;
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
export async function monitorParts(call: Call, look: Look, moment: 'prompt' | 'mid-turn'): Promise<Part[]> {
  const { event } = call;
  const { settings } = call.resolved;
  const { epoch, state } = look;
  const { tier, reading } = look.assessment;
  if (tier === null) return [];
  const emit = settings['context_monitor.enabled'] ? settings['context_monitor.emit'] : 'off';
  const top = look.said?.top ?? 'NOMINAL';
  // An estimate neither interrupts nor suppresses a later measurement.
  const rise = isAbove(tier, top) && !reading.estimated;
  const hasChanged = !isSaid(look, tier);
  // A tier is reported in full when it is reached; one announced before in this segment gets one line.
  const isInFull = look.said === null || isAbove(tier, top);
  const warnStandard = emit !== 'off' && isStandardWarningDue(look);
  const isDue =
    moment === 'mid-turn' ? rise || warnStandard : isSaidAnyhow(call) || hasChanged || warnStandard;
  const checkpoint = await checkpointPart(call, look, tier);
  if (!isDue) return checkpoint;
  const mark: Keep = {
    do: 'patch-conversation',
    conversation: event.conversation,
    patch: {
      said: {
        ...look.said,
        epoch: epoch.number,
        tier,
        top: rise ? tier : top,
        most: Math.max(look.said?.most ?? 0, reading.estimated ? 0 : (reading.tokens ?? 0)),
        window: look.assessment.window.tokens,
        ...(rise && isAtLeast(tier, 'CRITICAL') && !look.said?.critical_at
          ? { critical_at: new Date(call.now).toISOString() }
          : {}),
      },
      ...(warnStandard ? { warned_standard: epoch.number } : {}),
    },
  };
  // Not marked as announced: if no compaction follows, the next event reports it.
  if (emit !== 'off' && isCompactionDue(look.assessment))
    return rise ? [...checkpoint, { name: 'rise', keep: [{ do: 'note-rise', tier }] }] : checkpoint;
  if (emit === 'off') return hasChanged ? [...checkpoint, { name: 'state', keep: [mark] }] : checkpoint;
  const claim: NonNullable<Part['claim']> = {
    name: `${event.conversation}-e${epoch.number}-w${look.assessment.window.tokens}-said-${rise ? tier : 'standard'}`,
    isLeased: (newest) =>
      rise
        ? newest.said?.epoch === epoch.number &&
          newest.said.window === look.assessment.window.tokens &&
          isAtLeast(newest.said.top, tier)
        : newest.warned_standard === epoch.number,
  };
  const file = isInFull && isAtLeast(tier, 'WARNING') ? await workflowNow(call, look) : null;
  return [
    ...checkpoint,
    {
      name: 'context-monitor',
      ...(moment === 'mid-turn' ? { claim } : {}),
      say: ({ checkpoint: written }) => {
        const checkpoint = written ?? state?.last_checkpoint ?? null;
        const context =
          isInFull || warnStandard
            ? fullText(call, look, { checkpoint, warnStandard, file })
            : minimalMonitor(look.assessment);
        if (context === null) return null;
        return tier === 'EMERGENCY' && rise
          ? { context, person: personAt(look, written?.id ?? null) }
          : { context };
      },
      ...(hasChanged || warnStandard ? { mark: [mark] } : {}),
    },
  ];
}
