// The actions at the end of a turn: saves what the transcript does not show yet, and may block the end.

import type { Event } from '../model/event.ts';
import type { Outcome, Part } from '../model/outcome.ts';
import { isHeadless } from '../model/resume.ts';
import { tryStepAsync } from '../model/try-step.ts';
import { shortAnswer } from '../model/work.ts';
import { clientPatch } from './housekeeping.ts';
import type { Call, Look } from './look.ts';
import { missedInTurn, trackWorkedOn } from './worked-on.ts';

type Stop = Extract<Event, { kind: 'stop' }>;

/** Saves the first lines of the last answer, which the client writes some 100 ms later, or never when it is killed. */
function statePart(call: Call, event: Stop, look: Look): Part {
  const stopped = {
    at: new Date(call.now).toISOString(),
    offset: look.scan?.end ?? 0,
    answer: event.answer === null ? null : shortAnswer(event.answer),
  };
  const patch = { ...clientPatch(call, look.state), active: true, ended: null, stopped };
  return { name: 'state', keep: [{ do: 'patch-conversation', conversation: event.conversation, patch }] };
}

/** Blocks the end only if the project wants it, CRITICAL was reached, and nothing blocked this turn or segment before. */
async function holdParts(call: Call, event: Stop, look: Look): Promise<Part[]> {
  const { said } = look;
  const since = said?.critical_at;
  if (!call.resolved.settings['orchestration.hold_stop'] || event.isHeld || said === null) return [];
  if (since === undefined || said.held || isHeadless(call.env.HOST_ENTRYPOINT)) return [];
  const parts = await tryStepAsync(call, 'stop gate', async () => {
    const { holdPart } = await import('./stop-gate.ts');
    return holdPart(call, said, since);
  });
  return parts ?? [];
}

/** Keeps git's diff at the end of a turn when a track is active. */
function diffParts(call: Call): Part[] {
  const { root } = call.paths;
  if (!call.resolved.tracks || root === null || trackWorkedOn(call) === null) return [];
  return [{ name: 'diff', keep: [{ do: 'keep-diff', root, conversation: call.event.conversation }] }];
}

export async function stop(call: Call, event: Stop, look: Look): Promise<Outcome> {
  return [
    statePart(call, event, look),
    ...(await holdParts(call, event, look)),
    ...((await tryStepAsync(call, 'ledger', async () =>
      (await import('./checkpoint.ts')).ledgerPart(call),
    )) ?? []),
    ...(await missedInTurn(call, look)),
    ...diffParts(call),
  ];
}
