// A conversation ends: what was done since the last checkpoint is kept, and the end is noted.

import { attempt } from '../model/attempt.ts';
import { startOf } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { Outcome, Part } from '../model/outcome.ts';
import { listCheckpoints } from '../store/checkpoint-files.ts';
import { countIn } from '../store/files.ts';
import { workSince } from '../store/take.ts';
import { placeIn, takeCheckpoint } from './checkpoint.ts';
import type { Call, Look } from './look.ts';

type SessionEnd = Extract<Event, { kind: 'session-end' }>;

/** A checkpoint when tools were used, or a turn was left open, since the last one. */
function checkpointPart(call: Call, look: Look): Part[] {
  const { event, resolved } = call;
  const { state, scan, epoch } = look;
  if (!resolved.settings['checkpoint.on_session_end'] || scan === null) return [];
  const stretch = { from: startOf(epoch) };
  const since = state?.last_checkpoint?.offset ?? 0;
  const work = attempt(call, 'work', () => workSince(placeIn(call, look), stretch, epoch.number, since));
  if (work === null) return [];
  const draft = takeCheckpoint(call, look, {
    trigger: { type: 'session-end', source: 'SessionEnd hook', custom_instructions: null },
    assessment: look.assessment,
    stretch,
    epoch: epoch.number,
    work,
  });
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `${event.conversation}-e${epoch.number}-o${scan.end}-end`,
        isLeased: (newest) => (newest.last_checkpoint?.offset ?? -1) >= scan.end,
      },
      keep: [
        { do: 'write-checkpoint', draft },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-conversation',
            conversation: event.conversation,
            patch: { last_checkpoint: { ...checkpoint, offset: scan.end } },
          },
      ],
    },
  ];
}

/** Leftovers are looked for only where many have come together: the end of a conversation has 1.5 s for all its hooks. */
const MOST_CLAIMS = 200;

function retentionPart(call: Call): Part[] {
  const { paths, event, resolved } = call;
  const keep = resolved.settings['checkpoint.keep'];
  // This very end may have written one more.
  const isDue = listCheckpoints(paths).length >= keep || countIn(paths.claims) > MOST_CLAIMS;
  const orchestration = resolved.settings['orchestration.path'];
  return isDue ? [{ name: 'retention', keep: [{ do: 'prune', keep, cwd: event.cwd, orchestration }] }] : [];
}

export function sessionEnd(call: Call, event: SessionEnd, look: Look): Outcome {
  const { state } = look;
  // A start that nothing followed leaves nothing: neither work nor a file about it.
  if (state === null && look.scan === null) return [];
  const ended = { at: new Date(call.now).toISOString(), reason: event.reason };
  return [
    ...(state === null || state.active ? checkpointPart(call, look) : []),
    {
      name: 'state',
      keep: [{ do: 'patch-conversation', conversation: event.conversation, patch: { ended } }],
    },
    ...(attempt(call, 'retention', () => retentionPart(call)) ?? []),
  ];
}
