// A turn has ended: what does the file not show yet?
import type { Outcome } from '../model/outcome.ts';
import { shortAnswer } from '../model/work.ts';
import { clientPatch } from './housekeeping.ts';
import type { Call, Look } from './look.ts';

/** The client writes the last answer some 100 ms later, or never when it is killed: the first lines are kept here. */
export function stop(call: Call, look: Look, answer: string | null): Outcome {
  const { conversation } = call.event;
  const stopped = {
    at: new Date(call.now).toISOString(),
    offset: look.scan?.end ?? 0,
    answer: answer === null ? null : shortAnswer(answer),
  };
  const patch = { ...clientPatch(call, look.state), active: true, ended: null, stopped };
  return [{ name: 'state', keep: [{ do: 'patch-conversation', conversation, patch }] }];
}
