// The client is about to compact: the state of the work goes to disk, and facts to the summariser.
import { startOf } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { KeepStep, Outcome } from '../model/outcome.ts';
import { checkpointPath, readCheckpoint } from '../store/checkpoints.ts';
import { summariserFacts } from '../tags/summariser.ts';
import { attempt } from './attempt.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { seenPatch } from './housekeeping.ts';
import type { Call, Look } from './look.ts';

type PreCompact = Extract<Event, { kind: 'pre-compact' }>;

/**
 * One checkpoint per compaction: a second PreCompact with no main answer since the first (a repeated or aborted
 * compaction) finds the first one's and only gives the summariser its facts again.
 */
export function preCompact(call: Call, event: PreCompact, look: Look): Outcome {
  const { state, scan, epoch } = look;
  const end = scan?.end ?? 0;
  const answered = scan?.facts.usage?.offset ?? 0;
  const pending = state?.pending ?? null;
  const repeated =
    pending !== null && pending.checkpoint !== null && answered < pending.offset ? pending.checkpoint : null;
  const earlier =
    repeated === null ? null : attempt(call, 'checkpoint', () => readCheckpoint(call.paths, repeated));
  const draft =
    earlier ??
    takeCheckpoint(call, {
      trigger: { type: event.trigger, source: 'PreCompact hook', custom_instructions: event.instructions },
      assessment: look.assessment,
      stretch: { from: startOf(epoch) },
      epoch: epoch.number,
    });
  const keep: KeepStep[] = [
    { do: 'write-checkpoint', draft },
    ({ checkpoint }) => ({
      do: 'patch-conversation',
      conversation: event.conversation,
      patch: {
        ...seenPatch(call, look),
        pending: {
          checkpoint: checkpoint?.id ?? null,
          offset: end,
          trigger: event.trigger,
          at: new Date(call.now).toISOString(),
        },
        ...(checkpoint === null ? {} : { last_checkpoint: checkpoint }),
      },
    }),
  ];
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `${event.conversation}-e${epoch.number}-u${answered}-o${end}-pre`,
        isLeased: (newest) => (newest.pending?.offset ?? -1) >= end,
      },
      ...(earlier === null ? { keep } : {}),
      say: ({ checkpoint }) => {
        if (!call.resolved.settings['checkpoint.summariser_hints']) return null;
        const id = checkpoint?.id ?? repeated;
        const facts = summariserFacts(
          draft,
          id === null ? null : checkpointPath(call.paths, id),
          call.paths.root,
        );
        return facts === null ? null : { context: facts };
      },
    },
  ];
}
