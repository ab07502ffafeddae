// Builds the compaction alert: its checkpoint (written late if none exists), claim, text, and the notes after it.

import { askAddons } from '../addons/addon.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action, EffectResults } from '../hook/action.ts';
import { type HookContext, readSnapshot } from '../hook/snapshot.io.ts';
import { tryStep, tryStepAsync } from '../platform/project/try-step.ts';
import type { SessionPatch } from '../sessions/session-state.ts';
import { isNumber, isText, withFields } from '../text/json.ts';
import type { Trigger } from './checkpoint/checkpoint.ts';
import { readCheckpoint } from './checkpoint/checkpoint-store.io.ts';
import { buildLeasePatch, type GivenAlert } from './delivery.ts';
import { composeAlert, formatCompactedNote } from './messages.ts';

/** A compaction whose checkpoint was written longer ago than this was cut off, in ms: the checkpoint is checked then. */
const FRESH_MS = 10 * 60_000;

export interface AlertRequest {
  /** Number of the compaction, and whether its boundary is in the transcript yet. */
  epoch: number;
  unflushed: SessionSnapshot['epoch']['unflushed'];
  tries: number;
  /** Checkpoint written for this compaction; null makes the alert write one late. */
  checkpoint: string | null;
  channel: string;
  /** Offset at which the ended segment ends, in bytes, if its boundary is in the transcript. */
  end?: number | undefined;
  /** Marks of a large window that the event itself carried, by model. */
  marks?: Record<string, boolean>;
}

/** Notes our own change of the workflow's file, so that it does not count as one that left the section behind. */
function mergedPatch({ state }: SessionSnapshot, { merged }: EffectResults): SessionPatch {
  const file = state?.workflow_file ?? null;
  return merged === undefined || file?.path !== merged.path ? {} : { workflow_file: { ...file, ...merged } };
}

/**
 * The alert's action. It writes a late checkpoint when no hook ran before the compaction, or it died: the transcript still holds
 * everything, so the ended segment is read from it.
 */
export async function buildAlertAction(
  hook: HookContext,
  snapshot: SessionSnapshot,
  input: AlertRequest,
): Promise<Action> {
  const { event } = hook;
  const isFresh = hook.now - Date.parse(snapshot.state?.pending_compaction?.at ?? '') < FRESH_MS;
  const saved =
    input.checkpoint === null
      ? null
      : tryStep(hook, 'checkpoint', () => readCheckpoint(hook.paths, input.checkpoint as string, isFresh));
  const late =
    input.checkpoint !== null
      ? null
      : await tryStepAsync(hook, 'late checkpoint', async () => {
          const { takeCheckpoint } = await import('./checkpoint/keep-checkpoint.io.ts');
          const trigger: Trigger = {
            type: 'late',
            source: `${input.channel} hook`,
            custom_instructions: null,
          };
          const { assessment } = readSnapshot(hook, { to: input.end ?? Number.POSITIVE_INFINITY });
          return takeCheckpoint(hook, snapshot, {
            trigger,
            assessment,
            epoch: input.epoch - 1,
          });
        });
  const draft = saved ?? late;
  const more = (await askAddons(hook, (addon) => addon.alertLines?.(hook))).flat();
  const isMergedByHooks = hook.resolved.settings['state.auto_merge'];
  const idOf = (kept: EffectResults): string | null => kept.checkpoint?.id ?? input.checkpoint;
  const anchor = snapshot.scan?.facts.usage?.offset ?? 0;
  return {
    name: 'compaction-alert',
    claim: {
      name: `e${input.epoch}-u${anchor}-alert-${input.tries}`,
      isLeased: (state) => state.epoch >= input.epoch && (state.alert?.tries ?? 0) >= input.tries,
    },
    effects: [
      ...(late === null ? [] : [{ do: 'write-checkpoint', draft: late } as const]),
      (kept) => {
        const id = idOf(kept);
        return id === null || !isMergedByHooks ? null : { do: 'merge-checkpoint', checkpoint: id };
      },
    ],
    render: (kept) => {
      const id = idOf(kept);
      return {
        context: composeAlert({
          event: input.epoch,
          checkpoint: id,
          draft,
          root: hook.paths.root,
          now: hook.now,
          most: hook.resolved.settings['compaction.alert_tokens'],
          isMerged: kept.merged !== undefined || (input.tries > 1 && isMergedByHooks),
          more,
        }),
        ...(input.tries === 1 ? { person: formatCompactedNote(id, draft) } : {}),
      };
    },
    afterReply: [
      (kept) => ({
        do: 'patch-session',
        session: event.session,
        patch: {
          transcript: event.transcript,
          ...buildLeasePatch(
            {
              ...{ epoch: input.epoch, checkpoint: idOf(kept), tries: input.tries, channel: input.channel },
              ...{ offset: snapshot.scan?.end ?? 0, at: new Date(hook.now).toISOString() },
            },
            input.unflushed,
          ),
          ...mergedPatch(snapshot, kept),
          ...(input.marks === undefined ? {} : { large_window_by_model: input.marks }),
          ...(kept.checkpoint === null
            ? {}
            : { last_checkpoint: { ...kept.checkpoint, offset: snapshot.scan?.end ?? 0 } }),
        },
      }),
    ],
  };
}

const isGiven = withFields({
  session: isText,
  alert: withFields({
    ...{ epoch: isNumber, tries: isNumber, offset: isNumber },
    ...{ checkpoint: isText, at: isText, channel: isText },
  }),
  unflushed: withFields({ epoch: isNumber, offset: isNumber, at: isNumber }),
}) as (value: unknown) => value is GivenAlert;

/** An alert that our module tells it has said in this session, or null. */
export const readGivenAlert = ({ event, module }: HookContext): GivenAlert | null =>
  isGiven(module?.alert) && module.alert.session === event.session ? module.alert : null;

/** Notes such an alert; null where the state has it, or does not wait for it. */
export function buildGivenAction(
  { event }: HookContext,
  { alert, unflushed }: GivenAlert,
  { state }: SessionSnapshot,
): Action | null {
  if (state === null || alert.epoch !== state.epoch + 1) return null;
  const patch = { transcript: event.transcript, ...buildLeasePatch(alert, unflushed) };
  return { name: 'given-alert', effects: [{ do: 'patch-session', session: event.session, patch }] };
}
