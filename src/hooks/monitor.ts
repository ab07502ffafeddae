// Is it time to speak about the fill, and is a checkpoint due with it?
import type { Conversation } from '../model/conversation.ts';
import { startOf } from '../model/delivery.ts';
import type { Part } from '../model/outcome.ts';
import { type Criticality, isAtLeast, type Tier } from '../model/tier.ts';
import { findOrchestration } from '../store/orchestration.ts';
import { contextMonitor } from '../tags/context-monitor.ts';
import { attempt, attemptAsync } from './attempt.ts';
import type { Call, Look } from './look.ts';

const isAbove = (tier: Tier, than: Tier): boolean => tier !== than && isAtLeast(tier, than);

/** Whether the "if the window is 200,000" warning is due: once per epoch, from WARNING on. */
function isStandardWarningDue(look: Look): boolean {
  const tier = look.assessment.tier_if_standard;
  return tier !== null && isAtLeast(tier, 'WARNING') && look.state?.warned_standard !== look.epoch.number;
}

/** A checkpoint once per tier and epoch, on a rise to WARNING or above. */
async function checkpointPart(call: Call, look: Look, tier: Tier): Promise<Part[]> {
  const { event, resolved } = call;
  const covered = (state: Conversation | null): boolean =>
    state?.tier_checkpoint?.epoch === look.epoch.number && isAtLeast(state.tier_checkpoint.tier, tier);
  const isDue =
    resolved.settings['checkpoint.on_tier_rise'] &&
    isAtLeast(tier, 'WARNING') &&
    !look.assessment.reading.estimated &&
    !covered(look.state);
  if (!isDue) return [];
  const draft = await attemptAsync(call, 'checkpoint', async () => {
    const { takeCheckpoint } = await import('./checkpoint.ts');
    return takeCheckpoint(call, {
      trigger: { type: 'tier-rise', source: `rise to ${tier}`, custom_instructions: null },
      assessment: look.assessment,
      stretch: { from: startOf(look.epoch) },
      epoch: look.epoch.number,
    });
  });
  if (draft === null) return [];
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `${event.conversation}-e${look.epoch.number}-cx-${tier}`,
        isLeased: covered,
      },
      keep: [
        { do: 'write-checkpoint', draft },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-conversation',
            conversation: event.conversation,
            patch: { last_checkpoint: checkpoint, tier_checkpoint: { epoch: look.epoch.number, tier } },
          },
      ],
    },
  ];
}

function personAt(look: Look, id: string | null): string {
  const { usable_fill, window_fill, point } = look.assessment;
  const share =
    point.tokens === null
      ? `${Math.round((window_fill ?? 0) * 100)}% of the window is used`
      : `${Math.round((usable_fill ?? 0) * 100)}% of the way to auto-compaction`;
  return `Plimsoll: EMERGENCY, ${share}.${id === null ? '' : ` Checkpoint ${id} saved.`}`;
}

/**
 * The monitor's part. At a prompt it speaks as `emit` says; in the middle of a turn on a tier rise only, once however
 * many tools run in parallel.
 */
export async function monitorParts(call: Call, look: Look, moment: 'prompt' | 'mid-turn'): Promise<Part[]> {
  const { event, resolved, now } = call;
  const { settings } = resolved;
  const { assessment, epoch, state } = look;
  const { tier } = assessment;
  const emit = settings['context_monitor.emit'];
  if (!settings['context_monitor.enabled'] || tier === null) return [];
  const { said } = look;
  const top = said?.top ?? 'NOMINAL';
  const rise = isAbove(tier, top);
  const hasChanged = said === null || said.tier !== tier || said.window !== assessment.window.tokens;
  const warnStandard = isStandardWarningDue(look);
  const isSpoken =
    moment === 'mid-turn' ? rise || warnStandard : emit === 'always' || hasChanged || warnStandard;
  const checkpoint = await checkpointPart(call, look, tier);
  if (emit === 'off' || !isSpoken) return checkpoint;
  const orchestration = attempt(call, 'orchestration file', () =>
    isAtLeast(tier, 'WARNING')
      ? findOrchestration(call.paths.root, event.cwd, settings['orchestration.path'])
      : null,
  );
  const needsMark = hasChanged || warnStandard;
  return [
    ...checkpoint,
    {
      name: 'context-monitor',
      ...(moment === 'mid-turn'
        ? {
            claim: {
              name: `${event.conversation}-e${epoch.number}-said-${rise ? tier : 'standard'}`,
              isLeased: (newest) =>
                rise
                  ? newest.said?.epoch === epoch.number && isAtLeast(newest.said.top, tier)
                  : newest.warned_standard === epoch.number,
            },
          }
        : {}),
      say: ({ checkpoint: written }) => {
        const newest = written ?? state?.last_checkpoint ?? null;
        const context = contextMonitor(
          {
            assessment,
            compactions: epoch.number,
            checkpoint: newest && { id: newest.id, age_s: Math.max(0, (now - Date.parse(newest.at)) / 1000) },
            hasOrchestration: orchestration !== null,
            operationTokens: settings['context_monitor.operation_tokens'] ?? 0,
            criticality: (settings['context_monitor.criticality'] ?? 'C2') as Criticality,
          },
          warnStandard,
        );
        if (context === null) return null;
        return tier === 'EMERGENCY' && rise
          ? { context, person: personAt(look, written?.id ?? null) }
          : { context };
      },
      ...(needsMark
        ? {
            mark: [
              {
                do: 'patch-conversation',
                conversation: event.conversation,
                patch: {
                  said: {
                    epoch: epoch.number,
                    tier,
                    top: rise ? tier : top,
                    window: assessment.window.tokens,
                  },
                  ...(warnStandard ? { warned_standard: epoch.number } : {}),
                },
              },
            ],
          }
        : {}),
    },
  ];
}
