// A turn has ended: what does the file not show yet, and may the turn end?
import { attemptAsync } from '../model/attempt.ts';
import type { Event } from '../model/event.ts';
import type { Outcome, Part } from '../model/outcome.ts';
import { isHeadless } from '../model/resume.ts';
import { shortAnswer } from '../model/work.ts';
import { clientPatch } from './housekeeping.ts';
import type { Call, Look } from './look.ts';
import { missedInTurn, trackWorkedOn } from './worked-on.ts';

type Stop = Extract<Event, { kind: 'stop' }>;

/** The client writes the last answer some 100 ms later, or never when it is killed: the first lines are kept here. */
function statePart(call: Call, event: Stop, look: Look): Part {
  const stopped = {
    at: new Date(call.now).toISOString(),
    offset: look.scan?.end ?? 0,
    answer: event.answer === null ? null : shortAnswer(event.answer),
  };
  const patch = { ...clientPatch(call, look.state), active: true, ended: null, stopped };
  return { name: 'state', keep: [{ do: 'patch-conversation', conversation: event.conversation, patch }] };
}

/** Only where the project asks for it, CRITICAL was reached, and nothing has held this turn or epoch before. */
async function holdParts(call: Call, event: Stop, look: Look): Promise<Part[]> {
  const { said } = look;
  const since = said?.critical_at;
  if (!call.resolved.settings['guardrails.stop_gate'] || event.isHeld || said === null) return [];
  if (since === undefined || said.held || isHeadless(call.env.CLAUDE_CODE_ENTRYPOINT)) return [];
  const parts = await attemptAsync(call, 'stop gate', async () => {
    const { holdPart } = await import('./stop-gate.ts');
    return holdPart(call, said, since);
  });
  return parts ?? [];
}

/** What git sees changed at the end of a turn, where a track is worked on. */
function diffParts(call: Call): Part[] {
  const { root } = call.paths;
  if (!call.resolved.tracks || root === null || trackWorkedOn(call) === null) return [];
  return [{ name: 'diff', keep: [{ do: 'keep-diff', root, conversation: call.event.conversation }] }];
}

export async function stop(call: Call, event: Stop, look: Look): Promise<Outcome> {
  return [
    statePart(call, event, look),
    ...(await holdParts(call, event, look)),
    ...((await attemptAsync(call, 'ledger', async () =>
      (await import('./checkpoint.ts')).ledgerPart(call),
    )) ?? []),
    ...(await missedInTurn(call, look)),
    ...diffParts(call),
  ];
}
